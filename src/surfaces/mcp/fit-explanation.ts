import type { Explanation } from '../../workspace/workspace.js'
import { messageLength } from './tool-result.js'

/** An explanation that fits the message: long lists keep their first entries and say how many more there are. */
export function fitExplanation(explanation: Explanation, maxChars: number): Explanation {
  let shown = explanation
  for (let most = 64; messageLength(shown) > maxChars && most >= 1; most = Math.floor(most / 2)) {
    shown = shortened(explanation, most)
  }
  return shown
}

function shortened(explanation: Explanation, most: number): Explanation {
  const { columns, columnTypes, scans, notes } = explanation
  const left = scans.length - most
  return {
    ...explanation,
    columns: first(columns, most),
    columnTypes: first(columnTypes, most),
    scans: scans.slice(0, most).map((scan) => ({
      ...scan,
      columns: first(scan.columns, most),
      pushed: first(scan.pushed, most).map(cut),
      residual: first(scan.residual, most).map(cut),
      preview: scan.preview.map(cut),
    })),
    notes: left > 0 ? [...notes, `${left} more scans are not shown`] : notes,
  }
}

const maxTextChars = 300

function cut(text: string): string {
  return text.length <= maxTextChars ? text : `${text.slice(0, maxTextChars)}…`
}

function first(items: readonly string[], most: number): readonly string[] {
  return items.length <= most ? items : [...items.slice(0, most), `… and ${items.length - most} more`]
}
