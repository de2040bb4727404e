import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** A folder that goes when the process ends. */
export function tempFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'querent-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
