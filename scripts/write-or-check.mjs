import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { URL } from 'node:url'

/** Writes a file of the repository; with --check on the command line, says instead whether it holds this text. */
export async function writeOrCheck(path, text, command) {
  const target = new URL(`../${path}`, import.meta.url)
  if (!process.argv.includes('--check')) {
    await writeFile(target, text)
    return
  }
  const present = await readFile(target, 'utf8').catch(() => '')
  if (present === text) return
  process.stderr.write(`${path} is stale: run \`${command}\`.\n`)
  process.exitCode = 1
}
