import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stateFolder } from '../../../util/state-folder.js'

export const historyLength = 1_000

/** The lines that were typed, newest first, as readline keeps them. */
export class HistoryFile {
  readonly #path = join(stateFolder(process.env), 'shell-history')

  read(): string[] {
    try {
      const lines = readFileSync(this.#path, 'utf8').split('\n')
      return lines.filter((line) => line !== '').slice(0, historyLength)
    } catch {
      return []
    }
  }

  /** For the owner alone: statements may hold personal data. A folder that cannot be written costs only the history. */
  write(lines: readonly string[]): void {
    try {
      writeFileSync(this.#path, `${lines.slice(0, historyLength).join('\n')}\n`, { mode: 0o600 })
      chmodSync(this.#path, 0o600)
    } catch {
      return
    }
  }
}
