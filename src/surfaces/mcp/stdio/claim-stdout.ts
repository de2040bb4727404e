import { Writable } from 'node:stream'

let claimed: Writable | undefined

/**
 * Keeps standard output for the protocol: whatever else writes to it, `console.log` included, goes to standard error
 * from now on. Call it before importing anything that may print.
 * @returns the only stream that still reaches standard output.
 */
export function claimStdout(): Writable {
  claimed ??= claim()
  return claimed
}

function claim(): Writable {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout) as (text: Buffer | string, done: (error?: Error | null) => void) => boolean
  stdout.write = stderr.write.bind(stderr)
  const protocol = new Writable({
    decodeStrings: false,
    write: (chunk: Buffer | string, _encoding, done) => {
      write(chunk, done)
    },
  })
  // A reader that left: the write's own callback reports it.
  stdout.on('error', () => undefined)
  protocol.on('error', () => undefined)
  return protocol
}
