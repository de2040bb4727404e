import type { ErrorCode } from '../../errors/catalogue.js'
import type { WorkerError } from './protocol.js'

export type FaultParams = Readonly<Record<string, string | number>>

/**
 * An error of the worker on its way to the parent, which makes a QuerentError of it. The worker does not load the
 * catalogue's texts.
 */
export class EngineFault extends Error {
  override readonly name = 'EngineFault'

  constructor(
    readonly code: ErrorCode,
    readonly params: FaultParams = {},
    readonly position?: number,
  ) {
    super(code)
  }

  toWorkerError(): WorkerError {
    const position = this.position === undefined ? {} : { position: this.position }
    return { code: this.code, params: this.params, ...position }
  }
}
