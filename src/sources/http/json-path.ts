/** Keys and array positions from a value down. */
export type JsonPath = readonly (string | number)[]

const step =
  /\.([A-Za-z_\u0080-\uffff][\w\-\u0080-\uffff]*)|\[(?:(\d{1,6})|'((?:[^'\\]|\\['\\])*)'|"((?:[^"\\]|\\["\\])*)")\]/y

/**
 * Reads the part of JSONPath (RFC 9535) that names one value: `$`, `$.a.b`, `$['a b']`, `$.a[0]`. Answers undefined for
 * anything else.
 */
export function parseJsonPath(text: string): JsonPath | undefined {
  if (!text.startsWith('$')) return undefined
  const path: (string | number)[] = []
  for (let at = 1; at < text.length; at = step.lastIndex) {
    step.lastIndex = at
    const match = step.exec(text)
    if (match === null) return undefined
    const [, name, index, single, double] = match
    path.push(index === undefined ? (name ?? (single ?? double ?? '').replaceAll(/\\(['"\\])/g, '$1')) : Number(index))
  }
  return path
}

/** Reads the path of an answer's rows: names only; a trailing `[*]` says that an array is meant and changes nothing. */
export function parseRowsPath(text: string): readonly string[] | undefined {
  const path = parseJsonPath(text.replace(/\[\*\]$/, ''))
  return path?.every((key) => typeof key === 'string') === true ? path : undefined
}

/** `$.a['b c']`, for messages. */
export function formatJsonPath(path: JsonPath): string {
  return `$${path
    .map((key) => (typeof key === 'string' && /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`))
    .join('')}`
}
