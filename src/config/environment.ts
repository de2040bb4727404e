import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { readRegularFile } from './regular-file.js'

/** The environment that a workspace may read, and a list of the files that were read on its behalf. */
export class Environment {
  private readonly variables: Readonly<Record<string, string | undefined>>
  private fromFile: Readonly<Record<string, string | undefined>> = {}
  private readonly read = new Map<string, string>()

  constructor(variables: Readonly<Record<string, string | undefined>>) {
    this.variables = variables
  }

  /** The process's own variables win over those of `.env`. */
  get(name: string): string | undefined {
    if (Object.hasOwn(this.variables, name)) return this.variables[name]
    return Object.hasOwn(this.fromFile, name) ? this.fromFile[name] : undefined
  }

  /** Only for a trusted workspace: `.env` beside it, if there is one. The values stay here, out of `process.env`. */
  async readDotEnv(folder: string): Promise<void> {
    const path = join(folder, '.env')
    this.noteRead(path)
    try {
      const { bytes } = await readRegularFile(path, 1_000_000)
      this.noteRead(path, bytes)
      this.fromFile = { ...parseEnv(bytes.toString('utf8')) }
    } catch {
      // Without a readable `.env`, a value that is missing is reported where it is used.
    }
  }

  /** Without content: a file that was looked for in vain, and may come to be. */
  noteRead(path: string, content?: Uint8Array): void {
    this.read.set(path, content === undefined ? '' : createHash('sha256').update(content).digest('hex'))
  }

  /** Files whose change may change what the workspace means, with a hash of what they held. */
  get filesRead(): ReadonlyMap<string, string> {
    return this.read
  }
}
