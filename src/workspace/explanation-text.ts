import type { ExplainedScan, Explanation } from './workspace.js'

/** An explanation for people, line by line: what will be asked of whom. */
export function explanationLines(explanation: Explanation): readonly string[] {
  const { refusal } = explanation
  return [
    `${explanation.statement}: ${requestText(explanation.requests)}`,
    ...explanation.scans.flatMap((scan) => scanLines(scan)),
    ...explanation.notes.map((note) => `note: ${note}`),
    ...(refusal === undefined ? [] : [`refused [${refusal.code}]: ${refusal.error}`]),
    ...(refusal?.hint === undefined ? [] : [`hint: ${refusal.hint}`]),
  ]
}

function scanLines(scan: ExplainedScan): readonly string[] {
  const where = scan.access === 'inPlace' ? 'read in place' : requestText(scan.requests)
  return [
    `  ${scan.table}: ${where}`,
    line('columns', scan.columns),
    line('pushed', scan.pushed),
    line('left to Querent', scan.residual),
    scan.limit === undefined ? '' : `    limit: ${scan.limit}`,
    ...scan.preview.map((step) => (scan.access === 'inPlace' ? `    ${step}` : `    request: ${step}`)),
    ...scan.notes.map((note) => `    note: ${note}`),
  ].filter((text) => text !== '')
}

function line(label: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `    ${label}: ${items.join(', ')}`
}

function requestText({ estimate, max }: { readonly estimate: number; readonly max: number }): string {
  if (max === 0) return 'no request'
  const expected = `${estimate} ${estimate === 1 ? 'request' : 'requests'}`
  return max === estimate ? expected : `${expected} expected, at most ${max}`
}
