import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A folder of its own for a test's files. */
export class TempFolder {
  readonly path = realpathSync(mkdtempSync(path.join(tmpdir(), 'querent-test-')))

  /** Writes a file, with its folders; answers its full path. */
  write(name: string, content: string | Buffer): string {
    const full = path.join(this.path, name)
    mkdirSync(path.dirname(full), { recursive: true })
    writeFileSync(full, content)
    return full
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}
