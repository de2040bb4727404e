import { EngineFault } from './engine-fault.js'
import type { Task } from './tasks.js'

type Mode = 'shared' | 'exclusive'

interface Waiter {
  readonly mode: Mode
  readonly grant: () => void
}

interface Lock {
  mode: Mode
  holders: number
  readonly waiters: Waiter[]
}

/**
 * Database files in use within this worker. The operating system's lock is per process: it does not keep two instances
 * of this worker from writing one file.
 */
export class FileLocks {
  private readonly locks = new Map<string, Lock>()

  /** Answers the release. Waits in order of arrival; throws engine.interrupted when the task is told to stop. */
  async acquire(path: string, mode: Mode, task: Task): Promise<() => void> {
    const lock = this.locks.get(path)
    if (lock === undefined) {
      this.locks.set(path, { mode, holders: 1, waiters: [] })
    } else if (lock.mode === 'shared' && mode === 'shared' && lock.waiters.length === 0) {
      lock.holders++
    } else {
      await this.wait(path, lock, mode, task)
    }
    let released = false
    return () => {
      if (!released) this.release(path)
      released = true
    }
  }

  private wait(path: string, lock: Lock, mode: Mode, task: Task): Promise<void> {
    task.check()
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        mode,
        grant: () => {
          forget()
          resolve()
        },
      }
      const forget = task.onInterrupt(() => {
        lock.waiters.splice(lock.waiters.indexOf(waiter), 1)
        this.grantNext(path, lock)
        reject(new EngineFault('engine.interrupted'))
      })
      lock.waiters.push(waiter)
    })
  }

  private release(path: string): void {
    const lock = this.locks.get(path)
    if (lock === undefined) return
    lock.holders--
    this.grantNext(path, lock)
  }

  private grantNext(path: string, lock: Lock): void {
    for (;;) {
      const next = lock.waiters[0]
      if (next === undefined) {
        if (lock.holders === 0) this.locks.delete(path)
        return
      }
      if (lock.holders > 0 && (lock.mode === 'exclusive' || next.mode === 'exclusive')) return
      lock.waiters.shift()
      lock.mode = next.mode
      lock.holders++
      next.grant()
    }
  }
}
