/** A JSON value of an answer as one line of text; NULL is undefined. */
export function cellText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}
