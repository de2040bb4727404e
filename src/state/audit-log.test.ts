import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { QuerentError } from '../errors/querent-error.js'
import { openAuditLog, type AuditLog, type AuditLogOptions } from './audit-log.js'
import type { AuditEntry } from './audit-reader.js'
import { outcomeOf, type AuditRecord, type AuditStart } from './audit-record.js'
import { registerProcess, type ProcessRegistry } from './process-registry.js'
import { stateDir, type StateDir } from './state-dir.js'

let base: string
let state: StateDir
let processes: ProcessRegistry
let warnings: string[]

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'querent-audit-'))
  state = stateDir({ workspace: '/w', env: { QUERENT_STATE_DIR: base } })
  processes = registerProcess(state)
  warnings = []
})

afterEach(() => {
  processes.close()
  rmSync(base, { recursive: true, force: true })
})

function open(options: Partial<AuditLogOptions> = {}): AuditLog {
  return openAuditLog({
    state,
    processes,
    sql: 'full',
    redact: (sql) => sql.replaceAll(/\d+/g, '?'),
    required: true,
    maxBytes: 1_000_000,
    maxFiles: 3,
    onWarning: (message) => warnings.push(message),
    ...options,
  })
}

function query(queryId: string, caller = 'ann', sql = 'SELECT 42'): AuditStart {
  return { queryId, caller: { id: caller, roles: [], claims: {} }, surface: 'mcp-http', session: 's1', sql }
}

const logPath = () => join(state.path, 'audit', 'audit.jsonl')

async function all(log: AuditLog, options: Partial<Parameters<AuditLog['read']>[0]> = {}): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  for await (const entry of log.read({ limit: 100_000, ...options })) entries.push(entry)
  return entries
}

describe('writing', () => {
  test('a record is in the file when the call returns', () => {
    const log = open()
    const trail = log.start(query('q1'))
    expect(readFileSync(logPath(), 'utf8')).toContain('"event":"started"')
    trail.finish({
      outcome: 'ok',
      statement: 'SELECT',
      tables: ['a.b'],
      requests: 2,
      rows: 3,
      bytes: 4,
      truncated: true,
    })
    const lines = readFileSync(logPath(), 'utf8').trimEnd().split('\n')
    const finished = JSON.parse(lines[1] ?? '') as AuditRecord
    expect(finished).toMatchObject({
      event: 'finished',
      queryId: 'q1',
      caller: 'ann',
      session: 's1',
      surface: 'mcp-http',
      sql: 'SELECT 42',
      statement: 'SELECT',
      tables: ['a.b'],
      requests: 2,
      rows: 3,
      bytes: 4,
      truncated: true,
      partial: false,
      outcome: 'ok',
    })
    log.close()
  })

  test('the file is for its owner alone', () => {
    const log = open()
    log.start(query('q1'))
    expect(statSync(logPath()).mode & 0o777).toBe(0o600)
    log.close()
  })

  test('a second finish changes nothing', async () => {
    const log = open()
    const trail = log.start(query('q1'))
    trail.finish({ outcome: 'failed', code: 'sql.binder' })
    trail.finish({ outcome: 'ok' })
    expect(await all(log)).toMatchObject([{ outcome: 'failed', code: 'sql.binder' }])
    log.close()
  })

  test.each([
    ['full', { sql: 'SELECT 4242424242424' }],
    ['literals', { sql: 'SELECT ?' }],
    ['hash', { sqlSha256: 'c1c720f63747dc67cd82576ddcc9d302b4f7fe38e5d401a6f82cf04e59ee7538' }],
  ] as const)('the statement as %s', async (sql, fields) => {
    const log = open({ sql })
    log.start(query('q1', 'ann', 'SELECT 4242424242424')).finish({ outcome: 'ok' })
    expect(await all(log)).toMatchObject([fields])
    expect(readFileSync(logPath(), 'utf8').includes('4242424242424')).toBe(sql === 'full')
    log.close()
  })

  test('a statement of 20 MB leaves a small record', () => {
    const log = open()
    log
      .start(query('q1', 'ann', `SELECT '${'\n'.repeat(20_000_000)}'`))
      .finish({ outcome: 'refused', code: 'sql.too_long' })
    expect(statSync(logPath()).size).toBeLessThan(300_000)
    log.close()
  })

  test.each([
    ['policy.statement', 'refused'],
    ['limit.timeout', 'timeout'],
    ['limit.cancelled', 'cancelled'],
    ['sql.empty', 'failed'],
  ] as const)('%s ends as %s', (code, outcome) => {
    expect(outcomeOf(new QuerentError(code))).toBe(outcome)
  })
})

describe('a log that cannot be written', () => {
  test('fails the query', () => {
    const log = open({ path: join(base, 'file', 'audit.jsonl') })
    writeFileSync(join(base, 'file'), '')
    expect(() => log.start(query('q1'))).toThrow(expect.objectContaining({ code: 'state.audit_unwritable' }) as Error)
    rmSync(join(base, 'file'))
    log.start(query('q2')).finish({ outcome: 'ok' })
    log.close()
  })

  test('is a warning where records are not required', () => {
    const log = open({ path: join(base, 'file', 'audit.jsonl'), required: false })
    writeFileSync(join(base, 'file'), '')
    log.start(query('q1')).finish({ outcome: 'ok' })
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).not.toContain(base)
  })

  test.runIf(process.platform === 'linux')('a full disk fails the query', () => {
    const path = join(base, 'full.jsonl')
    symlinkSync('/dev/full', path)
    const log = open({ path })
    expect(() => log.start(query('q1'))).toThrow('no space is left on the disk')
    log.close()
  })
})

describe('rotation', () => {
  test('keeps the newest files and every record in them, in order', async () => {
    const log = open({ maxBytes: 10_000, maxFiles: 1000 })
    for (let n = 0; n < 500; n++) log.start(query(`q${n}`)).finish({ outcome: 'ok' })
    expect(readdirSync(join(state.path, 'audit')).length).toBeGreaterThan(10)
    expect((await all(log)).map((entry) => entry.queryId)).toEqual(Array.from({ length: 500 }, (_, n) => `q${499 - n}`))
    log.close()
  })

  test('removes the oldest beyond the count', async () => {
    const log = open({ maxBytes: 10_000, maxFiles: 2 })
    for (let n = 0; n < 500; n++) log.start(query(`q${n}`)).finish({ outcome: 'ok' })
    const kept = readdirSync(join(state.path, 'audit'))
    expect(kept).toHaveLength(3)
    const ids = (await all(log)).map((entry) => Number(entry.queryId.slice(1)))
    expect(ids).toEqual(Array.from({ length: ids.length }, (_, n) => 499 - n))
    log.close()
  })

  test('two writers lose nothing when either puts the file aside', async () => {
    const logs = [open({ maxBytes: 10_000, maxFiles: 1000 }), open({ maxBytes: 10_000, maxFiles: 1000 })]
    for (let n = 0; n < 400; n++) {
      const trail = logs[n % 2]?.start(query(`q${n}`))
      if (n % 3 !== 0) trail?.finish({ outcome: 'ok' })
    }
    const [log] = logs
    if (log === undefined) throw new Error('no log')
    const ids = (await all(log)).map((entry) => entry.queryId)
    expect(new Set(ids).size).toBe(400)
    expect(ids).toHaveLength(400)
    for (const open of logs) open.close()
  })

  test('a file that was removed is begun anew', async () => {
    const log = open()
    log.start(query('q1'))
    rmSync(logPath())
    log.start(query('q2'))
    log.start(query('q3'))
    expect((await all(log)).map((entry) => entry.queryId)).toEqual(['q3', 'q2'])
    log.close()
  })
})

describe('reading', () => {
  test('one entry per query, newest first, by caller, time and number', async () => {
    const log = open()
    log.start(query('q1', 'ann')).finish({ outcome: 'ok' })
    const bob = log.start(query('q2', 'bob'))
    log.start(query('q3', 'ann')).finish({ outcome: 'failed', code: 'sql.empty' })
    bob.finish({ outcome: 'ok' })
    expect((await all(log)).map((entry) => entry.queryId)).toEqual(['q2', 'q3', 'q1'])
    expect((await all(log, { caller: 'ann' })).map((entry) => entry.queryId)).toEqual(['q3', 'q1'])
    expect((await all(log, { limit: 1 })).map((entry) => entry.queryId)).toEqual(['q2'])
    expect(await all(log, { limit: 0 })).toEqual([])
    expect(await all(log, { since: new Date(Date.now() + 60_000) })).toEqual([])
    expect(await all(log, { since: new Date(Date.now() - 60_000) })).toHaveLength(3)
    log.close()
  })

  test('an empty log', async () => {
    expect(await all(open())).toEqual([])
  })

  test('a query without its end is running, and lost once its process is gone', async () => {
    const before = registerProcess(state)
    const log = open({ processes: before })
    log.start(query('q1'))
    log.start(query('q2')).finish({ outcome: 'ok' })
    expect(await all(log)).toMatchObject([{ queryId: 'q2' }, { queryId: 'q1', outcome: 'running' }])
    log.close()
    before.close()
    expect(await all(open())).toMatchObject([{ queryId: 'q2' }, { queryId: 'q1', outcome: 'lost' }])
  })

  test('a torn last line is passed over, and the next record does not stand on it', async () => {
    const log = open()
    log.start(query('q1')).finish({ outcome: 'ok' })
    log.close()
    appendFileSync(logPath(), '{"event":"started","queryId":"torn')
    expect(await all(open())).toMatchObject([{ queryId: 'q1' }])
    const next = open()
    next.start(query('q2')).finish({ outcome: 'ok' })
    expect((await all(next)).map((entry) => entry.queryId)).toEqual(['q2', 'q1'])
    next.close()
  })

  test('lines that are no records are passed over', async () => {
    const log = open()
    log.start(query('q1')).finish({ outcome: 'ok' })
    appendFileSync(logPath(), 'null\n[]\n{}\n\n"x"\n{"event":"finished"}\n')
    expect(await all(log)).toHaveLength(1)
    log.close()
  })

  test('records longer than one piece, with characters of many bytes', async () => {
    const log = open()
    const sql = `SELECT '${'漢😀'.repeat(9000)}'`
    for (let n = 0; n < 5; n++) log.start(query(`q${n}`, 'ann', sql)).finish({ outcome: 'ok' })
    const entries = await all(log)
    expect(entries).toHaveLength(5)
    expect(entries.every((entry) => entry.sql === sql)).toBe(true)
    log.close()
  })
})

describe('following', () => {
  test('yields what is appended, across files put aside and removed', async () => {
    const log = open({ maxBytes: 10_000, maxFiles: 1 })
    log.start(query('old')).finish({ outcome: 'ok' })
    const stop = new AbortController()
    const records = log.follow(stop.signal)
    const first = records.next()
    const ids: string[] = []
    for (let n = 0; n < 100; n++) {
      log.start(query(`q${n}`)).finish({ outcome: 'ok' })
      const { value } = (n === 0 ? await first : await records.next()) as { value: AuditRecord }
      ids.push(value.queryId, ((await records.next()) as { value: AuditRecord }).value.queryId)
    }
    expect(ids).toEqual(Array.from({ length: 200 }, (_, n) => `q${Math.floor(n / 2)}`))
    const pending = records.next()
    stop.abort()
    expect((await pending).done).toBe(true)
    log.close()
  })
})
