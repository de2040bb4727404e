import { catalogue, type ErrorCode, type ErrorParams } from './catalogue.js'
import type { ErrorCategory, ErrorType } from './category.js'
import type { Finding } from './finding.js'

export interface QuerentErrorOptions {
  readonly cause?: unknown
  /** Zero-based offset into the user's SQL, in characters. */
  readonly position?: number
  /** Replaces the catalogue's hint where the place that fails knows a better one. */
  readonly hint?: string
  /** Of `config.invalid`: every fault of the workspace file. */
  readonly findings?: readonly Finding[]
}

/** The one error class. The code decides message, hint, category and type; see `catalogue.ts` and docs/errors.md. */
export class QuerentError extends Error {
  override readonly name = 'QuerentError'
  readonly code: ErrorCode
  readonly category: ErrorCategory
  readonly errorType: ErrorType
  readonly hint: string | undefined
  readonly position: number | undefined
  /** Of `config.invalid`: every fault of the workspace file; else empty. */
  readonly findings: readonly Finding[]
  /** The values put into the message, such as `retryAfterMs`. */
  readonly params: ErrorParams
  /** The query that failed. The workspace sets it, once, where it hands the error out. */
  queryId: string | undefined

  constructor(code: ErrorCode, params: ErrorParams = {}, options: QuerentErrorOptions = {}) {
    const entry = catalogue[code]
    super(fill(entry.message, params), options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.category = entry.category
    this.errorType = entry.errorType
    this.hint = options.hint ?? (entry.hint === undefined ? undefined : fill(entry.hint, params))
    this.position = options.position
    this.findings = options.findings ?? []
    this.params = params
  }

  /** The same error with every text passed through `redact`. */
  redacted(redact: (text: string) => string): QuerentError {
    const params = Object.fromEntries(
      Object.entries(this.params).map(([key, value]) => [key, typeof value === 'string' ? redact(value) : value]),
    )
    return this.#copy(params, this.hint === undefined ? {} : { hint: redact(this.hint) })
  }

  /** The same error with its place in the user's SQL, unless it has one. */
  at(position: number): QuerentError {
    return this.position === undefined ? this.#copy(this.params, { position }) : this
  }

  #copy(params: ErrorParams, changes: QuerentErrorOptions): QuerentError {
    const copy = new QuerentError(this.code, params, {
      findings: this.findings,
      ...(this.cause === undefined ? {} : { cause: this.cause }),
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(this.position === undefined ? {} : { position: this.position }),
      ...changes,
    })
    copy.queryId = this.queryId
    return copy
  }
}

/** `{name}` is replaced by the parameter's text; a parameter that is missing leaves nothing behind. */
function fill(template: string, params: ErrorParams): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, key: string) => String(params[key] ?? '')).trim()
}
