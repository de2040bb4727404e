import { Calls } from './calls.js'
import { toFault } from './duckdb-error.js'
import type { WorkerSettings } from './instance-settings.js'
import type { ParentMessage, WorkerMessage } from './protocol.js'
import { Tasks } from './tasks.js'
import { removeOwnTempFolders } from './temp-folders.js'

const beatMs = 50

/** Files of results and scratch tables are the owner's alone. */
process.umask(0o077)
// The parent decides when the worker ends, also when a terminal signals the whole group.
process.on('SIGINT', () => undefined)
process.on('SIGHUP', () => undefined)
process.on('disconnect', end)

const tasks = new Tasks()
const calls = new Calls(JSON.parse(process.argv[2] ?? '{}') as WorkerSettings, tasks)
let beats: NodeJS.Timeout | undefined

process.on('message', (message: ParentMessage) => {
  if (message.kind === 'stop') end()
  else if (message.kind === 'cancel') tasks.interruptCall(message.id)
  else void answer(message)
})

async function answer(message: Extract<ParentMessage, { kind: 'call' }>): Promise<void> {
  beats ??= setInterval(beat, beatMs)
  try {
    const answered = await calls.answer(message.id, message.call, message.request)
    say({ kind: 'answer', id: message.id, answer: answered })
  } catch (error) {
    say({ kind: 'error', id: message.id, error: toFault(error).toWorkerError() })
  }
  if (tasks.count > 0) return
  clearInterval(beats)
  beats = undefined
}

function beat(): void {
  say({ kind: 'beat', residentBytes: process.memoryUsage.rss() })
}

function say(message: WorkerMessage): void {
  if (process.connected) process.send?.(message)
}

/** At once: a statement may be running that nothing else stops, and nobody waits for its answer. */
function end(): void {
  removeOwnTempFolders()
  process.kill(process.pid, 'SIGKILL')
}
