import { fork, type ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { isErrorCode } from '../../errors/catalogue.js'
import { QuerentError } from '../../errors/querent-error.js'
import type { WorkerSettings } from '../worker/instance-settings.js'
import type {
  CallAnswer,
  CallName,
  CallRequest,
  ParentMessage,
  WorkerError,
  WorkerMessage,
} from '../worker/protocol.js'
import type { EngineOptions } from './engine-options.js'
import { workerEnvironment } from './worker-environment.js'

const defaultMaxTempBytes = 16 * 1024 ** 3
const memoryFactor = 1.25
const memoryAllowanceBytes = 512 * 1024 ** 2
/** A call that has not ended this long after it was told to stop is not going to. */
const stopGraceMs = 2_000
/** Closing a query may write a whole database to disk. */
const closeQueryGraceMs = 60_000
const stopWorkerGraceMs = 1_000

interface PendingCall {
  readonly queryId: string | undefined
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: QuerentError) => void
  readonly forgetSignal: () => void
  /** Set once the call was told to stop. */
  deadline: NodeJS.Timeout | undefined
}

export interface WorkerEvents {
  /** The first answer of this process came. */
  readonly onAnswered: () => void
  /** It ended before it answered anything. */
  readonly onFailedStart: (reason: string) => void
}

/** One worker process and the calls that it has not answered. */
export class WorkerProcess {
  alive = true
  private readonly pending = new Map<number, PendingCall>()
  private readonly residentLimitBytes: number
  private readonly exited: Promise<void>
  private nextId = 1
  private answered = false
  /** It ended by itself before it answered anything. */
  private failedStart = false
  /** Why it was killed, where this side did it. */
  private verdict: { readonly reason: string; readonly outOfMemory: boolean } | undefined
  private closing = false

  private constructor(
    private readonly child: ChildProcess,
    private readonly options: EngineOptions,
    private readonly events: WorkerEvents,
  ) {
    this.residentLimitBytes = options.memoryLimitBytes * memoryFactor + memoryAllowanceBytes
    this.exited = new Promise((resolve) => {
      const gone = (reason: string, byItself: boolean): void => {
        this.failedStart = byItself && !this.answered
        this.lost(reason)
        resolve()
      }
      child.once('exit', (code, signal) => {
        gone(describeExit(code, signal), signal === null)
      })
      child.once('error', (error) => {
        gone(`its process failed (${codeOf(error)})`, true)
      })
    })
    child.on('message', (message) => {
      this.receive(message as WorkerMessage)
    })
    logLines(child.stderr, options.onLog)
    this.holdParent(false)
  }

  static start(options: EngineOptions, events: WorkerEvents): WorkerProcess {
    mkdirSync(options.stateDir, { recursive: true, mode: 0o700 })
    const settings: WorkerSettings = {
      threads: options.threads,
      memoryLimitBytes: options.memoryLimitBytes,
      maxTempBytes: options.maxTempBytes ?? defaultMaxTempBytes,
      ...(options.initSql === undefined ? {} : { initSql: options.initSql }),
    }
    const entry = createRequire(import.meta.url).resolve('#engine-worker')
    const child = fork(entry, [JSON.stringify(settings)], {
      cwd: options.stateDir,
      env: workerEnvironment(options.maxConcurrentQueries),
      execArgv: [],
      serialization: 'advanced',
      // File descriptor 1 of the parent may belong to a protocol.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    return new WorkerProcess(child, options, events)
  }

  get pid(): number | undefined {
    return this.child.pid
  }

  call<Name extends CallName>(
    call: Name,
    request: CallRequest<Name>,
    signal: AbortSignal | undefined,
  ): Promise<CallAnswer<Name>> {
    const id = this.nextId++
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.cancel(id)
      }
      this.pending.set(id, {
        queryId: 'queryId' in request ? request.queryId : undefined,
        resolve: resolve as (answer: unknown) => void,
        reject,
        forgetSignal: () => signal?.removeEventListener('abort', stop),
        deadline: undefined,
      })
      signal?.addEventListener('abort', stop)
      this.holdParent(true)
      this.send({ kind: 'call', id, call, request })
      if (call !== 'interrupt' && call !== 'close') return
      this.setDeadline(id, call === 'close' ? closeQueryGraceMs : stopGraceMs)
      if ('queryId' in request) this.expectEnd(id, request.queryId)
    })
  }

  /** Ends the process. Pending calls reject with engine.closed. */
  async stop(): Promise<void> {
    this.closing = true
    if (!this.alive) return
    this.child.ref()
    this.send({ kind: 'stop' })
    const kill = setTimeout(() => this.child.kill('SIGKILL'), stopWorkerGraceMs)
    await this.exited
    clearTimeout(kill)
  }

  private cancel(id: number): void {
    this.send({ kind: 'cancel', id })
    this.setDeadline(id, stopGraceMs)
  }

  /** An interrupt or a close must end the query's other calls. */
  private expectEnd(id: number, queryId: string): void {
    for (const [other, call] of this.pending) {
      if (other !== id && call.queryId === queryId) this.setDeadline(other, stopGraceMs)
    }
  }

  private setDeadline(id: number, graceMs: number): void {
    const call = this.pending.get(id)
    if (call === undefined || call.deadline !== undefined) return
    call.deadline = setTimeout(() => {
      this.kill('a query did not stop when it was told to', false)
    }, graceMs)
  }

  private receive(message: WorkerMessage): void {
    if (message.kind === 'beat') {
      if (message.residentBytes > this.residentLimitBytes) this.kill('its memory grew beyond the limit', true)
      return
    }
    if (!this.answered) this.events.onAnswered()
    this.answered = true
    const call = this.settle(message.id)
    if (message.kind === 'answer') call?.resolve(message.answer)
    else call?.reject(toError(message.error))
  }

  private settle(id: number): PendingCall | undefined {
    const call = this.pending.get(id)
    this.pending.delete(id)
    clearTimeout(call?.deadline)
    call?.forgetSignal()
    if (this.pending.size === 0) this.holdParent(false)
    return call
  }

  private kill(reason: string, outOfMemory: boolean): void {
    if (this.verdict !== undefined || !this.alive) return
    this.verdict = { reason, outOfMemory }
    this.options.onLog(`engine worker ended: ${reason}`)
    this.child.kill('SIGKILL')
    this.lost(reason)
  }

  private lost(reason: string): void {
    if (!this.alive) return
    this.alive = false
    if (!this.closing) {
      if (this.verdict === undefined) this.options.onLog(`engine worker lost: ${reason}`)
      if (!this.answered) this.events.onFailedStart(reason)
    }
    const queries = new Set([...this.pending].map(([id, call]) => call.queryId ?? id))
    const alone = queries.size === 1
    for (const id of [...this.pending.keys()]) this.settle(id)?.reject(this.lossOf(reason, alone))
  }

  private lossOf(reason: string, alone: boolean): QuerentError {
    if (this.closing) return new QuerentError('engine.closed')
    if (this.verdict?.outOfMemory === true && alone) {
      return new QuerentError('engine.out_of_memory', { reason: 'its values take more than the engine may hold' })
    }
    if (this.failedStart) return new QuerentError('engine.unavailable', { reason })
    return new QuerentError('engine.restarted', { reason: this.verdict?.reason ?? reason })
  }

  private send(message: ParentMessage): void {
    if (!this.alive || !this.child.connected) return
    // A message that cannot be delivered is answered by the process's end.
    this.child.send(message, () => undefined)
  }

  /** Only calls in flight keep the parent alive, never an idle worker. */
  private holdParent(hold: boolean): void {
    if (hold) {
      this.child.ref()
      this.child.channel?.ref()
      return
    }
    this.child.unref()
    this.child.channel?.unref()
    // Child streams are sockets, which can be left out of what keeps the process alive.
    if (this.child.stderr instanceof Socket) this.child.stderr.unref()
  }
}

function toError({ code, params, position }: WorkerError): QuerentError {
  if (!isErrorCode(code))
    return new QuerentError('internal.unexpected', { message: 'the engine answered an unknown code' })
  return new QuerentError(code, params, position === undefined ? {} : { position })
}

function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `its process ended with code ${code ?? 'unknown'}` : `its process was ended by ${signal}`
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.name
}

function logLines(stream: Readable | null, onLog: (line: string) => void): void {
  stream?.setEncoding('utf8')
  stream?.on('data', (text: string) => {
    for (const line of text.split('\n')) if (line !== '') onLog(`engine worker: ${line}`)
  })
}
