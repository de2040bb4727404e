import { readFileSync, writeFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, test } from 'vitest'
import { fileFunctions, scalarFunctions, tableFunctions } from '../src/policy/functions.js'

const golden = new URL('corpus/refused-functions.txt', import.meta.url)

/** Names that only the parser gives meaning to: `current_timestamp(3)`. */
const parserNames = ['current_time', 'current_timestamp', 'localtime', 'localtimestamp']

async function functionsOfDuckDB(): Promise<readonly { readonly name: string; readonly table: boolean }[]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const reader = await connection.runAndReadAll(
    "SELECT function_name AS name, function_type IN ('table', 'table_macro', 'pragma') AS is_table FROM duckdb_functions()",
  )
  const rows = reader.getRowObjectsJson()
  connection.closeSync()
  instance.closeSync()
  return rows.map((row) => ({
    name: JSON.stringify(row['name']).slice(1, -1).toLowerCase(),
    table: row['is_table'] === true,
  }))
}

describe('the functions of DuckDB', () => {
  test('that are allowed exist', async () => {
    const functions = await functionsOfDuckDB()
    const scalars = new Set(functions.filter(({ table }) => !table).map(({ name }) => name))
    const tables = new Set(functions.filter(({ table }) => table).map(({ name }) => name))
    // The parser makes unnest a function of its own.
    const known = [...parserNames, 'unnest']
    expect([...scalarFunctions].filter((name) => !scalars.has(name) && !known.includes(name))).toEqual([])
    expect([...tableFunctions, ...fileFunctions.keys()].filter((name) => !tables.has(name))).toEqual([])
  })

  test('that are refused are those that were judged', async () => {
    const refused = new Set<string>()
    for (const { name, table } of await functionsOfDuckDB()) {
      const allowed = table ? tableFunctions.has(name) || fileFunctions.has(name) : scalarFunctions.has(name)
      if (!allowed) refused.add(`${table ? 'from' : 'call'} ${name}`)
    }
    const text = [...refused].sort().join('\n') + '\n'
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, text)
    expect(text).toBe(readFileSync(golden, 'utf8'))
  })
})
