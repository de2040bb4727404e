import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openAuditLog } from './audit-log.js'
import { registerProcess } from './process-registry.js'
import { stateDir } from './state-dir.js'

const dist = new URL('../../dist/state/', import.meta.url).href
const reportsBeforeKill = 400

/** Writes records without end, and names each one that is in the log. Two of three queries finish. */
const writer = `
import { openAuditLog } from '${dist}audit-log.js'
import { registerProcess } from '${dist}process-registry.js'
import { stateDir } from '${dist}state-dir.js'
const [root, name] = process.argv.slice(-2)
const state = stateDir({ workspace: '/w', env: { QUERENT_STATE_DIR: root } })
const log = openAuditLog({ state, processes: registerProcess(state), sql: 'full', redact: (sql) => sql, required: true,
  maxBytes: 10_000, maxFiles: 10_000, onWarning: () => undefined })
for (let n = 0; ; n++) {
  const id = name + '-' + n
  const trail = log.start({ queryId: id, caller: { id: 'ann', roles: [], claims: {} }, surface: 'cli', sql: 'SELECT 1' })
  if (n % 3 > 0) trail.finish({ outcome: 'ok' })
  process.stdout.write(id + (n % 3 > 0 ? ' ok' : ' lost') + '\\n')
  if (n % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
}`

let base: string
let children: ChildProcess[]

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'querent-writers-'))
  children = []
})

afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(base, { recursive: true, force: true })
})

/** Runs a writer until it has reported so many records, kills it, and answers what it reported. */
async function runAndKill(name: string): Promise<Map<string, string>> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', writer, '--', base, name])
  children.push(child)
  const reported = new Map<string, string>()
  child.stderr.on('data', (text: Buffer) => reported.set(`${name} failed`, text.toString()))
  for await (const line of createInterface({ input: child.stdout })) {
    const [id, outcome] = line.split(' ')
    if (id !== undefined && outcome !== undefined) reported.set(id, outcome)
    if (reported.size === reportsBeforeKill) child.kill('SIGKILL')
  }
  return reported
}

test('processes that write one log and are killed lose no record', async () => {
  const reports = await Promise.all(['a', 'b', 'c'].map(runAndKill))
  const state = stateDir({ workspace: '/w', env: { QUERENT_STATE_DIR: base } })
  const processes = registerProcess(state)
  const log = openAuditLog({
    state,
    processes,
    sql: 'full',
    redact: (sql) => sql,
    required: true,
    maxBytes: 10_000,
    maxFiles: 10_000,
    onWarning: () => undefined,
  })
  const logged = new Map<string, string>()
  for await (const entry of log.read({ limit: 1_000_000 })) {
    expect(logged.has(entry.queryId)).toBe(false)
    logged.set(entry.queryId, entry.outcome)
  }
  for (const reported of reports) {
    expect(reported.size).toBeGreaterThanOrEqual(reportsBeforeKill)
    for (const [id, outcome] of reported) expect([id, logged.get(id)]).toEqual([id, outcome])
  }
  log.close()
  processes.close()
})
