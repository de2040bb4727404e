import { QuerentError } from '../errors/querent-error.js'
import type { ErrorAnswer } from './workspace.js'

/** The one conversion of a failure into the JSON that a caller sees. */
export function toErrorAnswer(error: unknown): ErrorAnswer {
  const known = toQuerentError(error)
  return {
    success: false,
    error: known.message,
    errorType: known.errorType,
    code: known.code,
    ...(known.hint === undefined || known.hint === '' ? {} : { hint: known.hint }),
    ...(known.position === undefined ? {} : { position: known.position }),
    ...(known.queryId === undefined ? {} : { queryId: known.queryId }),
  }
}

/**
 * A QuerentError as it is; a call that was stopped is `limit.cancelled`. Anything else is a fault of Querent: its
 * message may hold a path or a secret, so only its class is told.
 */
export function toQuerentError(error: unknown): QuerentError {
  if (error instanceof QuerentError) return error
  if (error instanceof Error && error.name === 'AbortError')
    return new QuerentError('limit.cancelled', {}, { cause: error })
  const message = error instanceof Error ? error.name : typeof error
  return new QuerentError('internal.unexpected', { message }, { cause: error })
}
