// Writes docs/errors.md from the error catalogue in dist/. With --check: only says whether it is up to date.
import { catalogue } from '../dist/errors/catalogue.js'
import { writeOrCheck } from './write-or-check.mjs'

const exitCodes = { user: 1, limit: 1, internal: 1, policy: 3, external: 4, timeout: 5 }

const rooms = new Map()
for (const code of Object.keys(catalogue).sort()) {
  const room = code.slice(0, code.indexOf('.'))
  rooms.set(room, [...(rooms.get(room) ?? []), code])
}

await writeOrCheck('docs/errors.md', `${introduction()}\n${[...rooms].map(section).join('\n')}`, 'npm run docs:errors')

function introduction() {
  return `# Errors

Every failure has a code. It is answered as JSON by the MCP tools and the HTTP API, and printed by the command line.

| Key | Meaning |
| --- | --- |
| \`success\` | \`false\` |
| \`error\` | what failed |
| \`errorType\` | the engine's class of the error, such as \`BinderException\` |
| \`code\` | one of the codes below; it does not change between versions |
| \`hint\` | the next step, with the valid choices; absent where there is none |
| \`position\` | zero-based offset into the SQL, in characters; absent where it is not known |
| \`queryId\` | the query, as in the audit log |

The category says who can mend it, and which exit code the command line ends with (every \`config.*\` code ends with 2):

| Category | Who can mend it | Exit code |
| --- | --- | --- |
| \`user\` | whoever wrote the statement or the workspace file | ${exitCodes.user} |
| \`limit\` | whoever asked: ask for less, or have the limit raised | ${exitCodes.limit} |
| \`policy\` | nobody: it is not allowed here | ${exitCodes.policy} |
| \`external\` | a source or the machine | ${exitCodes.external} |
| \`timeout\` | time ran out, or the caller cancelled | ${exitCodes.timeout} |
| \`internal\` | a fault of Querent | ${exitCodes.internal} |

In the tables \`{name}\` stands for a value of the failure. A hint of one such value alone depends on the place that fails.

This page is generated from \`src/errors/catalogue/\` by \`npm run docs:errors\`.
`
}

function section([room, codes]) {
  const rows = codes.map((code) => {
    const { category, errorType, message, hint } = catalogue[code]
    return `| \`${code}\` | ${category} | ${errorType} | ${cell(message)} | ${cell(hint ?? '')} |`
  })
  return `## ${room}

| Code | Category | Type | Message | Hint |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`
}

/** \`<\` would begin a tag, \`*\` and \`_\` emphasis. */
function cell(text) {
  return text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll(/[*_]/g, '\\$&')
}
