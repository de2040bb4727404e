import { readFileSync } from 'node:fs'

export interface HostileStatement {
  readonly sql: string
  /** An error's code; `reference`: it passes the policy as a reference to a file or table that nobody has declared. */
  readonly expected: string
  /** Judged as in a workspace that is open for writing. */
  readonly write: boolean
}

/** Statements are separated by blank lines. */
export function readLegitimate(): readonly string[] {
  return blocks('legitimate.sql')
}

/** Writing statements that a workspace open for writing takes. */
export function readWrites(): readonly string[] {
  return blocks('writes.sql')
}

/** The first line of each is `-- [write] <expected>`; the rest is the statement. */
export function readHostile(): readonly HostileStatement[] {
  return blocks('hostile.sql').map((block) => {
    const header = /^-- (write )?([a-z_]+(?:\.[a-z_]+)?)(?:\n|$)/.exec(block)
    if (header === null) throw new Error(`A hostile statement without its expectation: ${block}`)
    return { sql: block.slice(header[0].length), expected: header[2] ?? '', write: header[1] !== undefined }
  })
}

export function readSetup(): string {
  return read('setup.sql')
}

function blocks(name: string): readonly string[] {
  return read(name)
    .split(/\n{2,}/)
    .map((block) => block.replace(/\n$/, ''))
    .filter((block) => block !== '')
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}
