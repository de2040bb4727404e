import { QuerentError } from '../../errors/querent-error.js'
import type { CallAnswer, CallName, CallRequest } from '../worker/protocol.js'
import type { EngineOptions } from './engine-options.js'
import { RestartDelay } from './restart-delay.js'
import { WorkerProcess } from './worker-process.js'

/** DuckDB in a process of its own, started at the first call and replaced when it dies. */
export interface Engine {
  /**
   * Rejects with QuerentError: `engine.interrupted` when aborted, once the worker has stopped; `engine.restarted` or
   * `engine.out_of_memory` when the worker was lost; the catalogue's codes for what DuckDB reports. A query that was
   * open in a lost worker is gone: open it again.
   */
  call<Name extends CallName>(
    name: Name,
    request: CallRequest<Name>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<CallAnswer<Name>>
  /** Starts the worker where there is none, for a call that is about to come. Never fails: the call says what is wrong. */
  start(): void
  /** The worker's process, while there is one. */
  readonly pid: number | undefined
  /** Ends the worker; pending and later calls reject with `engine.closed`. */
  close(): Promise<void>
}

export function createEngine(options: EngineOptions): Engine {
  const restart = new RestartDelay()
  let worker: WorkerProcess | undefined
  let closed = false

  async function current(): Promise<WorkerProcess> {
    if (!isAlive(worker)) await restart.wait()
    if (closed) throw new QuerentError('engine.closed')
    if (isAlive(worker)) return worker
    worker = WorkerProcess.start(options, {
      onAnswered: () => {
        restart.succeeded()
      },
      onFailedStart: (reason) => {
        restart.failed(reason)
      },
    })
    return worker
  }

  return {
    async call(name, request, { signal } = {}) {
      if (closed) throw new QuerentError('engine.closed')
      if (signal?.aborted === true) throw new QuerentError('engine.interrupted')
      // What was open in a lost worker is gone with it: no other is started to close it.
      if (name === 'close' && !isAlive(worker)) return undefined as CallAnswer<typeof name>
      return (await current()).call(name, request, signal)
    },
    start() {
      current().catch(() => undefined)
    },
    get pid() {
      return isAlive(worker) ? worker.pid : undefined
    },
    async close() {
      closed = true
      await worker?.stop()
    },
  }
}

function isAlive(worker: WorkerProcess | undefined): worker is WorkerProcess {
  return worker?.alive === true
}
