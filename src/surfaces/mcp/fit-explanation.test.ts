import { expect, it } from 'vitest'
import type { Explanation } from '../../workspace/workspace.js'
import { fitExplanation } from './fit-explanation.js'
import { messageLength } from './tool-result.js'

const names = Array.from({ length: 2_000 }, (_, index) => `column_number_${index}`)
const explanation: Explanation = {
  success: true,
  statement: 'SELECT',
  columns: names,
  columnTypes: names.map(() => 'VARCHAR'),
  scans: Array.from({ length: 100 }, (_, index) => ({
    table: `api.table_${index}`,
    access: 'remote',
    columns: names,
    pushed: [`x IN (${'1, '.repeat(5_000)})`],
    residual: [],
    requests: { estimate: 1, max: 1 },
    preview: [`GET /x?ids=${'1,'.repeat(5_000)}`],
    notes: [],
  })),
  requests: { estimate: 100, max: 100 },
  notes: [],
}

it('fits an explanation into the message, and says what is left out', () => {
  const shown = fitExplanation(explanation, 50_000)
  expect(messageLength(shown)).toBeLessThanOrEqual(50_000)
  expect(shown.columns.at(-1)).toMatch(/^… and \d+ more$/)
  expect(shown.notes.at(-1)).toMatch(/more scans are not shown/)
  expect(fitExplanation({ ...explanation, columns: [], columnTypes: [], scans: [] }, 50_000).notes).toEqual([])
})
