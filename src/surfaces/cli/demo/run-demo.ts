import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { loadWorkspace } from '../../../config/load-workspace.js'
import { localCaller } from '../../../model/caller.js'
import { builtinSchemas } from '../../../sources/builtin.js'
import { explanationLines } from '../../../workspace/explanation-text.js'
import { openWorkspace } from '../../../workspace/open-workspace.js'
import type { CallContext } from '../../../workspace/workspace.js'
import { widthOf, write, type Output } from '../output.js'
import { renderTable } from '../render/table.js'
import { terminalText } from '../render/terminal-text.js'
import { startTicketsApi } from './tickets-api.js'

const folder = new URL('../../../../examples/demo/', import.meta.url)

const question = 'Which enterprise customers had falling revenue and more than three open tickets?'

const sql = `WITH revenue AS (
  SELECT account_id,
         sum(amount) FILTER (WHERE year(quarter) = 2025) AS revenue_2025,
         sum(amount) FILTER (WHERE year(quarter) = 2026) AS revenue_2026
  FROM sales.invoices
  GROUP BY account_id
)
SELECT a.name, a.region, r.revenue_2025, r.revenue_2026, count(*) AS open_tickets
FROM sales.accounts a
JOIN revenue r ON r.account_id = a.id
JOIN support.tickets t ON t.account_id = a.id
WHERE a.plan = 'enterprise'
  AND r.revenue_2026 < r.revenue_2025
  AND t.status = 'open'
GROUP BY ALL
HAVING count(*) > 3
ORDER BY open_tickets DESC, a.name`

/** Two files and an API that the demo starts itself, joined in one query: the question, the SQL, the plan, the answer. */
export async function runDemo(output: Output, signal: AbortSignal): Promise<void> {
  const token = randomBytes(12).toString('hex')
  const api = await startTicketsApi({ file: fileURLToPath(new URL('data/tickets.json', folder)), token })
  try {
    const loaded = await loadWorkspace({
      path: fileURLToPath(new URL('querent.yaml', folder)),
      kinds: builtinSchemas,
      env: { ...process.env, QUERENT_DEMO_API: api.url, DEMO_TOKEN: token },
      trusted: true,
    })
    const workspace = await openWorkspace(loaded, {})
    try {
      const context: CallContext = { caller: localCaller, surface: 'cli', signal }
      const explanation = await workspace.explain({ sql }, context)
      const before = api.requests.length
      const result = await workspace.query({ sql }, context)
      const plan = explanationLines(explanation).map((line) => terminalText(line))
      const requests = api.requests.slice(before).map((request) => `  ${request}`)
      const sections = [
        ['Question', question],
        ['SQL', sql],
        [`Plan (${before} requests made for it)`, plan.join('\n')],
        ['Requests made', requests.join('\n')],
        ['Answer', renderTable(result, widthOf(output)).text.trimEnd()],
      ]
      for (const [title, text] of sections) await write(output.out, `\n${title}\n\n${text}\n`)
    } finally {
      await workspace.close()
    }
  } finally {
    await api.close()
  }
}
