/** Values that differ from run to run, as pages and runs both are reduced to. */
const volatile: readonly (readonly [RegExp, string])[] = [
  [/q_[0-9a-f]{16}/g, 'q_…'],
  [/\b([rs])_[A-Za-z0-9_-]{16,}/g, '$1_…'],
  [/"elapsedMs":\s*[\d.]+/g, '"elapsedMs":…'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME'],
  // The size of an answer counts the digits of its time.
  [/"bytes":\d+(?=,"truncated")/g, '"bytes":…'],
  [/"process":\s*"[^"]*"/g, '"process":"…"'],
  [/\b\d+\.\d{3} s\b/g, '… s'],
]

export function withoutVolatile(text: string): string {
  return volatile.reduce((before, [pattern, stand]) => before.replaceAll(pattern, stand), text)
}

/** Lines to compare: reduced, without space at the ends of lines and empty lines at the ends of the text. */
function linesOf(text: string): readonly string[] {
  return withoutVolatile(text)
    .trim()
    .split('\n')
    .map((line) => line.trimEnd())
}

/** Whether a run printed what a page shows. */
export function matches(shown: string, actual: string): boolean {
  return matchLines(linesOf(shown), linesOf(actual))
}

/** A line `…` of the page stands for any number of lines. */
function matchLines(shown: readonly string[], actual: readonly string[]): boolean {
  const [first, ...rest] = shown
  if (first === undefined) return actual.length === 0
  if (first === '…') {
    return Array.from({ length: actual.length + 1 }, (_, skip) => skip).some((skip) =>
      matchLines(rest, actual.slice(skip)),
    )
  }
  return first === actual[0] && matchLines(rest, actual.slice(1))
}
