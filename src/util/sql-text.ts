/** `"name"` with its quotes doubled. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** `'text'` with its quotes doubled. DuckDB has no escapes in plain strings. */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** A name as SQL needs it: quoted only where it must be. */
export function displayIdentifier(name: string): string {
  return /^[a-z_][a-z0-9_]*$/i.test(name) ? name : quoteIdentifier(name)
}
