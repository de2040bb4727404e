import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const prefix = 'tmp-'
const own = new Set<string>()
let made = 0

/** A new private folder for an instance to spill to. Removes what workers that were killed left beside it. */
export function makeTempFolder(parent: string): string {
  mkdirSync(parent, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(parent)) {
    const owner = new RegExp(`^${prefix}(\\d+)-\\d+$`).exec(name)?.[1]
    if (owner !== undefined && !isAlive(Number(owner))) removeTempFolder(join(parent, name))
  }
  const folder = join(parent, `${prefix}${process.pid}-${++made}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  own.add(folder)
  return folder
}

export function removeTempFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  own.delete(folder)
}

/** Before the worker ends. */
export function removeOwnTempFolders(): void {
  for (const folder of own) removeTempFolder(folder)
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
