import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, type Stats } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { errorCode } from './io-reason.js'

const numberLength = 6
const numbered = /^(\d{6,})-\d{8}T\d{9}Z-[0-9a-f]{8}$/

/**
 * Paths of the files put aside, oldest first. `audit.jsonl` becomes `audit-000001-20260131T120000123Z-4f1c09aa.jsonl`:
 * the number gives the order whatever the clock does.
 */
export function segmentsOf(path: string): readonly string[] {
  const found: { readonly name: string; readonly number: number }[] = []
  for (const name of names(dirname(path))) {
    const number = numberOf(name, path)
    if (number !== undefined) found.push({ name, number })
  }
  found.sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1))
  return found.map(({ name }) => join(dirname(path), name))
}

/** Puts the current file aside, if it still is `full`, and removes the oldest beyond `maxFiles`. */
export function setAside(path: string, full: Stats, maxFiles: number): void {
  exclusively(`${path}.lock`, () => {
    const current = statSync(path, { throwIfNoEntry: false })
    if (current?.ino !== full.ino) return
    const latest = segmentsOf(path).at(-1)
    const number = latest === undefined ? 1 : (numberOf(basename(latest), path) ?? 0) + 1
    renameSync(path, join(dirname(path), segmentName(path, number)))
    const segments = segmentsOf(path)
    for (const old of segments.slice(0, Math.max(0, segments.length - maxFiles))) rmSync(old, { force: true })
  })
}

const staleLockMs = 10_000

/** One process at a time; the others go on, since the file is then put aside for them, too. */
function exclusively(lock: string, act: () => void): void {
  try {
    mkdirSync(lock, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    // Left by a crash.
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
    if (since !== undefined && Date.now() - since > staleLockMs) removeLock(lock)
    return
  }
  try {
    act()
  } finally {
    removeLock(lock)
  }
}

function removeLock(lock: string): void {
  try {
    rmdirSync(lock)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

function segmentName(path: string, number: number): string {
  const extension = extname(path)
  const stamp = new Date().toISOString().replaceAll(/[-:.]/g, '')
  const order = String(number).padStart(numberLength, '0')
  return `${basename(path, extension)}-${order}-${stamp}-${randomBytes(4).toString('hex')}${extension}`
}

/** undefined for a file that is none of this log's. */
function numberOf(name: string, path: string): number | undefined {
  const extension = extname(path)
  const start = `${basename(path, extension)}-`
  if (!name.startsWith(start) || !name.endsWith(extension)) return undefined
  const match = numbered.exec(name.slice(start.length, name.length - extension.length))
  return match === null ? undefined : Number(match[1])
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}
