import type { DuckDBConnection } from '@duckdb/node-api'
import { EngineFault } from './engine-fault.js'

const repeatMs = 20

/** One call in progress, and how to stop it. */
export class Task {
  interrupted = false
  /** Resolves when the call has ended, however. */
  readonly ended: Promise<void>
  private readonly connections = new Set<DuckDBConnection>()
  private readonly listeners = new Set<() => void>()
  private repeat: NodeJS.Timeout | undefined
  private markEnded: () => void = () => undefined

  constructor() {
    this.ended = new Promise((resolve) => {
      this.markEnded = resolve
    })
  }

  /** Runs `work`, during which an interrupt reaches `connection`. */
  async on<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
    this.check()
    this.connections.add(connection)
    try {
      return await work()
    } catch (error) {
      this.check()
      throw error
    } finally {
      this.connections.delete(connection)
    }
  }

  /** Throws engine.interrupted once the call was told to stop. */
  check(): void {
    if (this.interrupted) throw new EngineFault('engine.interrupted')
  }

  onInterrupt(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  /** DuckDB forgets an interrupt that comes between two of its statements, so it is repeated until the call ends. */
  interrupt(): void {
    if (this.interrupted) return
    this.interrupted = true
    for (const listener of this.listeners) listener()
    const stop = (): void => {
      for (const connection of this.connections) connection.interrupt()
    }
    stop()
    this.repeat = setInterval(stop, repeatMs)
  }

  end(): void {
    clearInterval(this.repeat)
    this.markEnded()
  }

  /** Waits, or throws engine.interrupted. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        forget()
        resolve()
      }, milliseconds)
      const forget = this.onInterrupt(() => {
        clearTimeout(timer)
        reject(new EngineFault('engine.interrupted'))
      })
    })
  }
}

/** All calls in progress, by their number and by their query. */
export class Tasks {
  private readonly byCall = new Map<number, Task>()
  private readonly byQuery = new Map<string, Set<Task>>()

  get count(): number {
    return this.byCall.size
  }

  async run<T>(callId: number, queryId: string | undefined, work: (task: Task) => Promise<T>): Promise<T> {
    const task = new Task()
    const siblings = queryId === undefined ? undefined : (this.byQuery.get(queryId) ?? new Set<Task>())
    this.byCall.set(callId, task)
    siblings?.add(task)
    if (queryId !== undefined && siblings !== undefined) this.byQuery.set(queryId, siblings)
    try {
      return await work(task)
    } finally {
      task.end()
      this.byCall.delete(callId)
      siblings?.delete(task)
      if (queryId !== undefined && siblings?.size === 0) this.byQuery.delete(queryId)
    }
  }

  /** Resolves when no call of the query is in progress. */
  async idle(queryId: string): Promise<void> {
    for (const task of this.byQuery.get(queryId) ?? []) await task.ended
  }

  interruptCall(callId: number): void {
    this.byCall.get(callId)?.interrupt()
  }

  interruptQuery(queryId: string): void {
    for (const task of this.byQuery.get(queryId) ?? []) task.interrupt()
  }

  interruptAll(): void {
    for (const task of this.byCall.values()) task.interrupt()
  }
}
