import { parseLossless } from '../../util/lossless-json.js'
import { sanitizeText } from '../../util/sanitize-text.js'

const maxMessage = 200
const maxBodyCharacters = 64 * 1_024
const messageKeys = ['message', 'error_description', 'error', 'detail', 'title', 'errors', 'description', 'reason']

/**
 * What an API says about a failure, as ` It says: …` or nothing: a sanitized excerpt of a known key of its JSON, or of
 * a plain text; never markup. `redact` hides secrets that the API may echo.
 */
export function apiMessage(body: string, contentType: string, redact: (text: string) => string): string {
  if (body.length > maxBodyCharacters) return ''
  const found = findMessage(parse(body)) ?? (contentType.startsWith('text/plain') ? body : undefined)
  if (found === undefined) return ''
  const message = sanitizeText(redact(sanitizeText(found, maxMessage * 4)), maxMessage)
  return message === '' ? '' : ` It says: ${message}`
}

/** Whether an object is an error rather than a row: it has an error with something in it. */
export function hasErrorKey(json: string): boolean {
  const value = json.length > maxBodyCharacters ? undefined : parse(json)
  if (typeof value !== 'object' || value === null) return false
  return ['error', 'errors'].some((key) => key in value && isSaid((value as Record<string, unknown>)[key]))
}

/** Whether a JSON text is more than null, false, 0, or empty. */
export function saysSomething(json: string): boolean {
  return json.length > maxBodyCharacters || isSaid(parse(json))
}

function isSaid(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value !== null && value !== undefined && value !== false && value !== '' && value !== 0
}

function findMessage(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value
  if (depth > 3 || typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return findMessage(value[0], depth + 1)
  for (const key of messageKeys) {
    const found = findMessage((value as Record<string, unknown>)[key], depth + 1)
    if (found !== undefined && found !== '') return found
  }
  return undefined
}

function parse(text: string): unknown {
  try {
    return parseLossless(text)
  } catch {
    return undefined
  }
}
