import { DuckDBInstance } from '@duckdb/node-api'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { TempFolder } from '../../tests/support/temp-folder.js'
import { workspaceFromArguments } from './workspace-from-arguments.js'

const kinds = new Map<string, z.ZodType>([
  [
    'file',
    z.strictObject({
      name: z.string(),
      kind: z.string(),
      tables: z.array(z.strictObject({ name: z.string(), path: z.string() })),
    }),
  ],
  ['duckdb', z.strictObject({ name: z.string(), kind: z.string(), config: z.strictObject({ path: z.string() }) })],
])

let folder: TempFolder
beforeEach(() => {
  folder = new TempFolder()
})
afterEach(() => {
  folder.remove()
})

/** Sources by name with their paths, and what is said. */
async function named(...args: string[]): Promise<{ sources: Record<string, unknown>; notices: readonly string[] }> {
  const loaded = await workspaceFromArguments({ args, cwd: folder.path, kinds, env: {} })
  const entries = loaded.sources.map(({ name, config }): [string, unknown] => {
    const { tables, config: own } = config as { tables?: { name: string; path: string }[]; config?: { path: string } }
    return [
      name,
      tables === undefined ? own?.path : Object.fromEntries(tables.map((table) => [table.name, table.path])),
    ]
  })
  return { sources: Object.fromEntries(entries), notices: loaded.notices }
}

describe('sources named directly', () => {
  it('are databases by their name and files as tables of `files`', async () => {
    for (const name of ['data/b.parquet', 'data/a.csv.gz', 'x.csv', 'sales.duckdb']) folder.write(name, '')
    mkdirSync(join(folder.path, 'parts'))
    expect(await named('sales.duckdb', 'data/*', 'x.csv', './x.csv', 'parts')).toEqual({
      sources: {
        sales: './sales.duckdb',
        files: { a: './data/a.csv.gz', b: './data/b.parquet', x: './x.csv', parts: './parts' },
      },
      notices: [],
    })
  })

  it('get another name where names clash, are reserved or need quotes, and say so', async () => {
    for (const name of ['a/x.csv', 'b/X.csv', '2024-q1.csv', 'main.duckdb', 'one/s.duckdb', 'two/s.ddb', 'année.csv'])
      folder.write(name, '')
    const { sources, notices } = await named(
      'a/x.csv',
      'b/X.csv',
      '2024-q1.csv',
      'année.csv',
      'main.duckdb',
      'one/s.duckdb',
      'two/s.ddb',
    )
    expect(sources).toEqual({
      main_2: './main.duckdb',
      s: './one/s.duckdb',
      s_2: './two/s.ddb',
      files: { x: './a/x.csv', X_2: './b/X.csv', _2024_q1: './2024-q1.csv', annee: './année.csv' },
    })
    expect(notices).toEqual([
      'b/X.csv is called files.X_2',
      '2024-q1.csv is called files._2024_q1',
      'année.csv is called files.annee',
      './main.duckdb is called main_2',
      './two/s.ddb is called s_2',
    ])
  })

  it('mean what they are called, whatever characters the name holds', async () => {
    for (const name of ['a[1].csv', '${env:HOME}.csv', '${env:X}.duckdb']) folder.write(name, '')
    expect((await named('a[1].csv', '${env:HOME}.csv', '${env:X}.duckdb')).sources).toEqual({
      _env_X_: './${env:X}.duckdb',
      files: { a_1_: './a[[]1].csv', _env_HOME_: './${env:HOME}.csv' },
    })
  })

  it('tell a DuckDB file by its content', async () => {
    const instance = await DuckDBInstance.create(join(folder.path, 'shop.db'))
    instance.closeSync()
    folder.write('old.db', 'SQLite format 3\0 and more')
    expect((await named('shop.db')).sources).toEqual({ shop: './shop.db' })
    await expect(named('old.db')).rejects.toMatchObject({ code: 'config.kind_unavailable', params: { kind: 'sqlite' } })
  })

  it.each([
    [
      'postgres://joe:pa55word@db.local:5432/shop?password=pa55word',
      'config.kind_unavailable',
      'postgres://db.local:5432/shop needs a source of kind postgres',
    ],
    ['https://example.com/x.csv?sig=pa55word', 'config.kind_unavailable', 'needs a source of kind http'],
    ['s3://bucket/x.csv', 'config.argument', 'there is no source for s3: addresses'],
    ['none.csv', 'config.argument', 'Cannot use none.csv as a source: it does not exist'],
    ['none/*.csv', 'config.argument', 'no file matches'],
    ['', 'config.argument', 'it is empty'],
  ])('%j is refused: %s', async (argument, code, text) => {
    const error: unknown = await named(argument).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code })
    expect(String(error)).toContain(text)
    expect(JSON.stringify(error)).not.toContain('pa55word')
  })

  it('keep MotherDuck paths for the kind to answer, without their token in what is said', async () => {
    expect(await named('md:main?motherduck_token=pa55word')).toEqual({
      sources: { main_2: 'md:main?motherduck_token=pa55word' },
      notices: ['md:main is called main_2'],
    })
  })
})
