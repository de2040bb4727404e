import { QuerentError } from '../errors/querent-error.js'

export interface AdmissionOptions {
  /** Queries that run at once. */
  readonly concurrent: number
  /** Queries that wait for their turn. */
  readonly waiting: number
  /** Milliseconds on a clock that never goes back; for tests. */
  readonly nowMs?: () => number
}

/** Lets a bounded number of queries run, and shares turns and waiting room fairly between callers. */
export interface Admission {
  /**
   * Resolves when it is the query's turn. Rejects with `server.busy` where there is no room to wait, and with the
   * signal's reason when aborted before.
   */
  enter(callerId: string, signal?: AbortSignal): Promise<Turn>
  readonly running: number
  readonly waiting: number
}

export interface Turn {
  /** More than once changes nothing. */
  release(): void
}

interface Waiter {
  readonly grant: () => void
  readonly refuse: (error: QuerentError) => void
}

/** Callers in the order of their next turn; one without running or waiting queries is forgotten. */
interface Line {
  readonly callerId: string
  readonly waiters: Waiter[]
  running: number
}

const firstGuessMs = 1000
const shortestRetryMs = 200
const longestRetryMs = 60_000

export function createAdmission(options: AdmissionOptions): Admission {
  const nowMs = options.nowMs ?? (() => performance.now())
  const lines = new Map<string, Line>()
  let running = 0
  let waiting = 0
  /** Moving average of how long a turn takes. */
  let turnMs: number | undefined

  function lineOf(callerId: string): Line {
    let line = lines.get(callerId)
    if (line === undefined) {
      line = { callerId, waiters: [], running: 0 }
      lines.set(callerId, line)
    }
    return line
  }

  function start(line: Line): Turn {
    running++
    line.running++
    const startedMs = nowMs()
    let over = false
    return {
      release() {
        if (over) return
        over = true
        const tookMs = nowMs() - startedMs
        turnMs = turnMs === undefined ? tookMs : turnMs * 0.9 + tookMs * 0.1
        running--
        line.running--
        grantNext()
        forget(line)
      },
    }
  }

  function grantNext(): void {
    while (running < options.concurrent) {
      const line = nextLine(lines.values())
      const waiter = line?.waiters.shift()
      if (line === undefined || waiter === undefined) return
      waiting--
      // To the end: the others come first from now on.
      lines.delete(line.callerId)
      lines.set(line.callerId, line)
      waiter.grant()
    }
  }

  function forget(line: Line): void {
    if (line.running === 0 && line.waiters.length === 0 && lines.get(line.callerId) === line)
      lines.delete(line.callerId)
  }

  function wait(line: Line, signal: AbortSignal | undefined): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        line.waiters.splice(line.waiters.indexOf(waiter), 1)
        waiting--
        forget(line)
        reject(reasonOf(signal))
      }
      const waiter: Waiter = {
        grant() {
          signal?.removeEventListener('abort', abort)
          resolve(start(line))
        },
        refuse(error) {
          signal?.removeEventListener('abort', abort)
          reject(error)
        },
      }
      line.waiters.push(waiter)
      waiting++
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  /** false: the newcomer's own line is the longest, or as good as. */
  function makeRoom(newcomer: Line): boolean {
    const longest = longestLine(lines.values())
    if (longest === undefined || longest.waiters.length < newcomer.waiters.length + 2) return false
    waiting--
    longest.waiters.pop()?.refuse(busy())
    forget(longest)
    return true
  }

  function busy(): QuerentError {
    const estimate = ((turnMs ?? firstGuessMs) * (waiting + 1)) / options.concurrent
    const retryAfterMs = Math.ceil(Math.min(longestRetryMs, Math.max(shortestRetryMs, estimate)))
    return new QuerentError('server.busy', { retryAfterMs })
  }

  return {
    async enter(callerId, signal) {
      if (signal?.aborted === true) throw reasonOf(signal)
      const line = lineOf(callerId)
      if (running < options.concurrent) return start(line)
      if (waiting < options.waiting || makeRoom(line)) return wait(line, signal)
      forget(line)
      throw busy()
    },
    get running() {
      return running
    },
    get waiting() {
      return waiting
    },
  }
}

/** Of the lines that wait, the one with the fewest running; of those, the first. */
function nextLine(lines: Iterable<Line>): Line | undefined {
  let next: Line | undefined
  for (const line of lines) {
    if (line.waiters.length > 0 && (next === undefined || line.running < next.running)) next = line
  }
  return next
}

function longestLine(lines: Iterable<Line>): Line | undefined {
  let longest: Line | undefined
  for (const line of lines) if (longest === undefined || line.waiters.length > longest.waiters.length) longest = line
  return longest
}

/** Callers abort with errors of their own; without one it is a cancellation. */
function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new QuerentError('limit.cancelled', {}, { cause: reason })
}
