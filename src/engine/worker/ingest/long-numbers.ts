const mayHold = /\d[\d.]{15}/
const doubleDigits = 15

/**
 * The JSON text with numbers that a double cannot hold (a fraction or exponent, and more than 15 digits) as strings.
 * DuckDB reads them through a double, so that a DECIMAL would change; whole numbers it keeps.
 */
export function quoteLongNumbers(json: string): string {
  if (!mayHold.test(json)) return json
  const parts: string[] = []
  let copied = 0
  const tokens = /["\d]/g
  for (let found = tokens.exec(json); found !== null; found = tokens.exec(json)) {
    if (found[0] === '"') {
      tokens.lastIndex = endOfString(json, found.index)
      continue
    }
    const start = json[found.index - 1] === '-' ? found.index - 1 : found.index
    const end = endOfNumber(json, found.index)
    tokens.lastIndex = end
    const number = json.slice(start, end)
    if (!isLong(number)) continue
    parts.push(json.slice(copied, start), '"', number, '"')
    copied = end
  }
  return parts.length === 0 ? json : parts.join('') + json.slice(copied)
}

function endOfString(json: string, start: number): number {
  for (let at = start + 1; ;) {
    const end = json.indexOf('"', at)
    if (end < 0) return json.length
    let slashes = 0
    while (json[end - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return end + 1
    at = end + 1
  }
}

function endOfNumber(json: string, start: number): number {
  let end = start
  while (end < json.length && '0123456789.eE+-'.includes(json[end] ?? '')) end++
  return end
}

function isLong(number: string): boolean {
  if (!/[.eE]/.test(number)) return false
  const digits = (number.split(/[eE]/)[0] ?? '').replace(/[-.]/g, '').replace(/^0+/, '')
  return digits.length > doubleDigits
}
