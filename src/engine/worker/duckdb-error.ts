import type { ErrorCode } from '../../errors/catalogue.js'
import { EngineFault, type FaultParams } from './engine-fault.js'
import { csvFault } from './file-failure.js'
import { maxExpressionDepth } from './instance-settings.js'

/** What DuckDB said, taken apart. */
export interface DuckDBFailure {
  /** DuckDB's class in lower case, such as `binder` or `out of memory`. */
  readonly type: string
  readonly message: string
  /** Bytes from the start of the text that DuckDB was given. */
  readonly position: number | undefined
  readonly candidates: readonly string[]
  /** What kind of thing a catalog error did not find: `Table`, `Scalar Function` … */
  readonly thing: string | undefined
}

/** Names and folders that must not reach a message. */
export interface Hidden {
  readonly catalogs: readonly string[]
  readonly folders: readonly string[]
}

const nothingHidden: Hidden = { catalogs: [], folders: [] }

/** Reads an error of the binding. Instances print errors as JSON (`errors_as_json`), parser errors with a prefix. */
export function readFailure(error: unknown): DuckDBFailure {
  const text = error instanceof Error ? error.message : String(error)
  const start = text.indexOf('{"exception_type"')
  if (start < 0) return fromPlainText(text)
  return fromFields(parseFields(text.slice(start)), 'exception_')
}

/** The same from an answer of json_serialize_sql or json_serialize_plan that says `"error": true`. */
export function fromFields(fields: Readonly<Record<string, unknown>>, prefix: 'exception_' | 'error_'): DuckDBFailure {
  const text = (key: string): string | undefined => (typeof fields[key] === 'string' ? fields[key] : undefined)
  const position = Number(text('position') ?? NaN)
  return {
    type: (text(`${prefix}type`) ?? 'unknown').toLowerCase(),
    message: text(`${prefix}message`) ?? '',
    position: Number.isSafeInteger(position) ? position : undefined,
    candidates: (text('candidates') ?? '').split(',').filter((name) => name !== ''),
    thing: text('type'),
  }
}

function parseFields(json: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(json) as Readonly<Record<string, unknown>>
  } catch {
    return { exception_type: 'unknown', exception_message: json }
  }
}

function fromPlainText(text: string): DuckDBFailure {
  const found = /^([A-Za-z -]+?) Error: ([\s\S]*)$/.exec(text)
  const message = (found?.[2] ?? text).split('\n\nLINE ')[0] ?? ''
  return {
    type: (found?.[1] ?? 'unknown').toLowerCase(),
    message,
    position: undefined,
    candidates: [],
    thing: undefined,
  }
}

const codes: Readonly<Record<string, ErrorCode>> = {
  parser: 'sql.syntax',
  syntax: 'sql.syntax',
  binder: 'sql.binder',
  'mismatch type': 'sql.binder',
  'invalid type': 'sql.binder',
  'unknown type': 'sql.binder',
  'parameter not resolved': 'sql.binder',
  'parameter not allowed': 'sql.binder',
  'not implemented': 'sql.binder',
  catalog: 'engine.catalog',
  conversion: 'sql.conversion',
  'out of range': 'sql.conversion',
  decimal: 'sql.conversion',
  'divide by zero': 'sql.conversion',
  constraint: 'sql.constraint',
  'out of memory': 'engine.out_of_memory',
  'object size': 'engine.out_of_memory',
  io: 'engine.io',
  interrupt: 'engine.interrupted',
  permission: 'engine.refused',
  'missing extension': 'engine.missing_extension',
  autoload: 'engine.missing_extension',
  transaction: 'engine.transaction',
  transactioncontext: 'engine.transaction',
  internal: 'engine.internal',
  fatal: 'engine.internal',
  'fatal error': 'engine.internal',
}

/** The one place where DuckDB's errors become codes. `position` is the character in the user's text, where known. */
export function toFault(error: unknown, hidden: Hidden = nothingHidden, position?: number): EngineFault {
  if (error instanceof EngineFault) return error
  if (isSystemError(error)) return fromSystemError(error)
  return failureToFault(readFailure(error), hidden, position)
}

/** For statements of a source's own making: the source reads DuckDB's message itself, so that nothing is cut. */
export function toSourceFault(error: unknown): EngineFault {
  if (error instanceof EngineFault || isSystemError(error)) return toFault(error)
  const { type, message } = readFailure(error)
  return new EngineFault(codes[type] ?? 'sql.invalid_input', { message, reason: message, hint: '' })
}

export function failureToFault(failure: DuckDBFailure, hidden: Hidden = nothingHidden, position?: number): EngineFault {
  const csv = csvFault(failure.message)
  if (csv !== undefined) return csv
  const message = clean(failure.message, hidden)
  if (failure.message.startsWith('Max expression depth limit')) {
    return new EngineFault('engine.too_complex', { max: maxExpressionDepth }, position)
  }
  if (/max_temp_directory_size|No space left on device/.test(failure.message)) {
    return new EngineFault('engine.disk_full', { message: firstSentence(message) }, position)
  }
  if (/disabled by configuration|Permission Error/.test(failure.message)) {
    return new EngineFault('engine.refused', { message }, position)
  }
  const code = codes[failure.type] ?? 'sql.invalid_input'
  return new EngineFault(code, paramsFor(code, failure, message), position)
}

function paramsFor(code: ErrorCode, failure: DuckDBFailure, message: string): FaultParams {
  if (code === 'engine.out_of_memory') return { reason: firstSentence(message) }
  return { message, hint: hintFor(code, failure) }
}

/** Candidates of a column error name only this query's relations; near names of tables come from Querent's catalog. */
function hintFor(code: ErrorCode, failure: DuckDBFailure): string {
  const names = failure.candidates.map((name) => name.trim().replaceAll('"', ''))
  if (code === 'sql.binder' && names.length > 0) return `Near names: ${names.join(', ')}.`
  if (code === 'engine.catalog' && failure.thing?.includes('Function') && names.length > 0) {
    return `Near names: ${names.join(', ')}.`
  }
  return ''
}

const longestMessage = 2000

/** Cuts what DuckDB adds for its own developers and users, and what names Querent's insides. */
function clean(message: string, hidden: Hidden): string {
  let text = message
  for (const mark of [
    '\nStack Trace',
    '\n\nLINE ',
    '\nLINE ',
    '\nDid you mean',
    '\nCandidate bindings',
    '\n\nUse "SET',
    '\n\nPlease try installing',
    '\nThis error signals an assertion failure',
    '\nPossible solutions',
    '\nSee also https://duckdb.org',
    ' Use "SET ',
  ]) {
    const at = text.indexOf(mark)
    if (at >= 0) text = text.slice(0, at)
  }
  for (const folder of hidden.folders) text = text.replaceAll(`${folder}/`, '').replaceAll(folder, 'the state folder')
  for (const catalog of [...hidden.catalogs, 'pin']) {
    text = text.replaceAll(`"${catalog}".`, '').replace(new RegExp(`\\b${escapeRegExp(catalog)}\\.`, 'g'), '')
  }
  text = text.replaceAll(/"\/[^"\n]*\/([^"/\n]+)"/g, '"$1"').trim()
  return text.length <= longestMessage ? text : `${text.slice(0, longestMessage)}…`
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function firstSentence(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/[.!]$/, '')
}

interface SystemError extends Error {
  readonly code: string
}

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
}

function fromSystemError(error: SystemError): EngineFault {
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') {
    return new EngineFault('engine.disk_full', { message: 'the state folder cannot take more' })
  }
  return new EngineFault('engine.io', { message: `A file of the state folder failed (${error.code}).`, hint: '' })
}
