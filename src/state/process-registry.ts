import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { QuerentError } from '../errors/querent-error.js'
import { errorCode, ioReason } from './io-reason.js'
import type { StateDir } from './state-dir.js'

/** Tells which Querent processes that share a state folder still run, so that only leftovers of dead ones are removed. */
export interface ProcessRegistry {
  /** This process's entry; names its folders and its audit records. */
  readonly id: string
  isAlive(id: string): boolean
  /** Removes the entries of processes that are gone. */
  forgetDead(): void
  /** Removes the entry: what this process left may be removed by others. */
  close(): void
}

const beatMs = 60_000
/** For processes of another machine or container, whose process ids say nothing here. */
const silentMs = 10 * beatMs
const idPattern = /^\d+-[0-9a-f]{16}$/

interface Entry {
  readonly host: string
  readonly pid: number
  /** When the process started, as the system counts it; undefined where that cannot be asked. */
  readonly started: string | undefined
}

/** Enters this process into the registry of the state folder. Its beat does not keep the process running. */
export function registerProcess(state: StateDir): ProcessRegistry {
  const id = `${process.pid}-${randomBytes(8).toString('hex')}`
  const folder = attempt(() => state.folder('processes'))
  const path = join(folder, id)
  attempt(() => {
    enter(path)
  })
  const beat = setInterval(() => {
    touch(path)
  }, beatMs).unref()
  const isRunning = (other: string): boolean => other === id || (idPattern.test(other) && isAlive(join(folder, other)))
  return {
    id,
    isAlive: isRunning,
    forgetDead() {
      for (const other of readdirSync(folder)) {
        if (idPattern.test(other) && !isRunning(other)) rmSync(join(folder, other), { force: true })
      }
    },
    close() {
      clearInterval(beat)
      rmSync(path, { force: true })
    },
  }
}

function entryOf(pid: number): Entry {
  return { host: hostname(), pid, started: startOf(pid) }
}

/** Whole or not at all: to others, an entry that cannot be read is one of a dead process. */
function enter(path: string): void {
  writeFileSync(`${path}.draft`, JSON.stringify(entryOf(process.pid)), { mode: 0o600 })
  renameSync(`${path}.draft`, path)
}

function touch(path: string): void {
  try {
    const now = new Date()
    utimesSync(path, now, now)
  } catch {
    // Somebody has cleared the state folder; with a full disk or without the folder the next beat tries again.
    try {
      enter(path)
    } catch {
      return
    }
  }
}

function attempt<Value>(act: () => Value): Value {
  try {
    return act()
  } catch (error) {
    if (error instanceof QuerentError) throw error
    throw new QuerentError('state.unwritable', { reason: ioReason(error) }, { cause: error })
  }
}

function isAlive(path: string): boolean {
  const entry = readEntry(path)
  if (entry === undefined) return false
  if (entry.host !== hostname()) return Date.now() - (modifiedMs(path) ?? 0) < silentMs
  // A restarted container gives the same id to another process: to this one, at times.
  if (entry.pid === process.pid && entry.started === undefined) return false
  return runs(entry.pid) && (entry.started === undefined || entry.started === startOf(entry.pid))
}

function readEntry(path: string): Entry | undefined {
  try {
    const entry = JSON.parse(readFileSync(path, 'utf8')) as Partial<Entry>
    const { host, pid, started } = entry
    return typeof host === 'string' && typeof pid === 'number' ? { host, pid, started } : undefined
  } catch {
    return undefined
  }
}

function modifiedMs(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** Linux only: the 22nd field of the process's status; the second, its name, may hold spaces. */
function startOf(pid: number): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return status.slice(status.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
