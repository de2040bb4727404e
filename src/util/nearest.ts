/** The candidates closest to a word, best first: same letters in another case, a common prefix or few edits. */
export function nearest(word: string, candidates: Iterable<string>, limit = 3): readonly string[] {
  const target = word.toLowerCase()
  const scored: { readonly text: string; readonly score: number }[] = []
  for (const text of candidates) {
    const score = distance(target, text.toLowerCase())
    if (score <= Math.max(2, Math.floor(target.length / 3))) scored.push({ text, score })
  }
  scored.sort((a, b) => a.score - b.score || a.text.localeCompare(b.text))
  return scored.slice(0, limit).map((entry) => entry.text)
}

/** Edit distance, except that a word which contains the other counts as near. */
function distance(a: string, b: string): number {
  if (a.length >= 3 && b.length >= 3 && (a.includes(b) || b.includes(a))) return 1
  if (Math.abs(a.length - b.length) > Math.max(a.length, b.length) / 2) return Number.POSITIVE_INFINITY
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution))
    }
    previous = current
  }
  return previous[b.length] ?? Number.POSITIVE_INFINITY
}
