import { gzipSync } from 'node:zlib'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TempFolder } from '../../../tests/support/temp-folder.js'
import { fileErrorOf } from './file-error.js'

const folder = new TempFolder()
const show = (file: string): string => file.replace(`${folder.path}/`, '')
const rows = Array.from({ length: 30_000 }, (_, index) => `${index},x`).join('\n')
let instance: DuckDBInstance
let connection: DuckDBConnection

beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:')
  connection = await instance.connect()
  folder.write('type.csv', `id,n\n${rows}\nabc,y\u0007\u202e\n`)
  folder.write('count.csv', `id,n\n${rows}\n1,y,z\n`)
  folder.write('latin.csv', Buffer.from('id,n\n1,caf\xe9\n', 'latin1'))
  folder.write('plain.csv.gz', 'id\n1\n')
  folder.write('ok.csv.gz', gzipSync('id\n1\n'))
  folder.write('text.parquet', 'this is not a parquet file at all')
  folder.write('x.parquet', 'x')
  folder.write('open.json', '[{"a":1},{"a":')
  folder.write('bad.ndjson', '{"a":1}\n{"a":}\n')
  folder.write('late.ndjson', `${'{"a":1}\n'.repeat(30_000)}{"a":"x"}\n`)
  folder.write('large.json', `["${'x'.repeat(40_000_000)}"]`)
  folder.write('a1.csv', 'id,n\n1,a\n')
  folder.write('a2.csv', 'id\n2\n')
  await connection.run(`COPY (SELECT 1 AS a, 2 AS b) TO '${folder.path}/p1.parquet'`)
  await connection.run(`COPY (SELECT 1 AS a) TO '${folder.path}/p2.parquet'`)
  await connection.run(`COPY (SELECT 'x' AS a, 2 AS b) TO '${folder.path}/p3.parquet'`)
})

afterAll(() => {
  connection.closeSync()
  instance.closeSync()
  folder.remove()
})

async function messageOf(call: string): Promise<string> {
  const sql = `SELECT sum(hash(t)) FROM ${call.replaceAll('$', folder.path)} t`
  try {
    await connection.runAndReadAll(sql)
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  throw new Error(`${call} was expected to fail`)
}

describe("DuckDB's own messages", () => {
  it.each([
    ["read_csv('$/type.csv')", 'file.bad_row', /^type\.csv, line 30002: Error when converting column "id"/],
    ["read_csv('$/count.csv')", 'file.bad_row', /^count\.csv, line 30002: Expected Number of Columns: 2 Found: 3/],
    ["read_csv('$/latin.csv')", 'file.bad_row', /^latin\.csv, line 2: Invalid unicode/],
    ["read_csv('$/plain.csv.gz')", 'file.corrupt', /^plain\.csv\.gz /],
    ["read_parquet('$/text.parquet')", 'file.bad_parquet', /^text\.parquet /],
    ["read_parquet('$/x.parquet')", 'file.bad_parquet', /^x\.parquet /],
    ["read_json('$/open.json')", 'file.bad_json', /^open\.json .*unexpected end/],
    ["read_json('$/bad.ndjson')", 'file.bad_json', /^bad\.ndjson .*line 3/],
    ["read_json('$/late.ndjson')", 'file.bad_row', /^late\.ndjson, line 30001: /],
    ["read_json('$/large.json')", 'file.bad_json', /^large\.json .*larger than/],
    ["read_csv(['$/a1.csv', '$/a2.csv'])", 'file.mixed_schema', /^a2\.csv .*"n" is missing/],
    ["read_parquet(['$/p1.parquet', '$/p2.parquet'])", 'file.mixed_schema', /^p2\.parquet .*"b" is missing/],
    ["read_parquet(['$/p1.parquet', '$/p3.parquet'])", 'file.mixed_schema', /^p3\.parquet .*cast column "a"/],
    ["read_csv('$/nothing.csv')", 'file.not_found', /nothing\.csv/],
  ])('%s is %s', async (call, code, message) => {
    const error = fileErrorOf(await messageOf(call), show)
    expect(error?.code).toBe(code)
    expect(error?.message).toMatch(message)
    expect(error?.hint).toMatch(/\w/)
    expect(`${error?.message ?? ''}${error?.hint ?? ''}`).not.toMatch(/[\p{Cc}\p{Cf}]|LINE 1|querent-test|auto_detect/u)
  })

  it('about anything else are left alone', async () => {
    expect(fileErrorOf(await messageOf("(SELECT 'x'::INT)"))).toBeUndefined()
    expect(fileErrorOf(await messageOf('nothing'))).toBeUndefined()
  })
})
