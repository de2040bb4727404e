import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, symlinkSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { planOf, rowsInPlace } from '../../../tests/support/in-place.js'
import { DirectIntrospection } from '../../../tests/support/introspection.js'
import { sourceContext } from '../../../tests/support/source-context.js'
import { TempFolder } from '../../../tests/support/temp-folder.js'
import type { Filter } from '../../model/filter.js'
import type { Source } from '../source.js'
import { fileKind } from './file-kind.js'

let folder: TempFolder
let introspection: DirectIntrospection
let changes: number

beforeEach(() => {
  folder = new TempFolder()
  introspection = new DirectIntrospection()
  changes = 0
})

afterEach(() => {
  folder.remove()
})

function open(
  table: Readonly<Record<string, unknown>>,
  source: Readonly<Record<string, unknown>> = {},
): Promise<Source> {
  const config = fileKind.configSchema.parse({
    name: 'data',
    kind: 'file',
    tables: [{ name: 't', ...table }],
    ...source,
  })
  return fileKind.open(config, sourceContext(folder.path, introspection, { onChanged: () => changes++ }))
}

async function rows(table: Readonly<Record<string, unknown>>, sql?: string): Promise<readonly (readonly unknown[])[]> {
  return rowsInPlace({ source: await open(table), introspection, table: 't' }, sql)
}

async function columns(table: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const { table: described } = await planOf({ source: await open(table), introspection, table: 't' })
  return described.columns.map((column) => `${column.name} ${column.type}`)
}

/** Rows, sorted, and columns of DuckDB's own reader, which finds everything out itself. */
async function bare(reader: string, files: readonly string[]): Promise<{ columns: string[]; rows: string[] }> {
  const described = await introspection.query({ sql: `DESCRIBE SELECT * FROM ${reader}`, files })
  const found = await introspection.query({ sql: `SELECT * FROM ${reader}`, files })
  return { columns: described.map((row) => `${String(row[0])} ${String(row[1])}`), rows: sorted(found) }
}

function sorted(found: readonly (readonly unknown[])[]): string[] {
  return found.map((row) => JSON.stringify(row)).sort()
}

async function copy(sql: string, name: string): Promise<string> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const full = path.join(folder.path, name)
  mkdirSync(path.dirname(full), { recursive: true })
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`COPY (${sql}) TO '${full}'`)
  connection.closeSync()
  instance.closeSync()
  return full
}

describe('the same rows as the reader of DuckDB', () => {
  const csvFiles: Readonly<Record<string, string>> = {
    plain: 'id,name,d\n1,x,2024-01-02\n2,y,2024-01-03\n',
    quoted: 'id,name,d\n1,"x, ""y""",2024-01-02\n2,"two\nlines",2024-01-03\n',
    strayQuotes: 'id,n\n1,5" pipe\n2,"x" y\n',
    windows: 'id;name\r\n1;x\r\n2;y\r\n',
    dates: 'id;when;at\n1;31/12/2024;31/12/2024 10:00:00\n2;30/12/2024;30/12/2024 11:30:00\n',
    isoTimes: 'id,at\n1,2024-01-02T03:04:05Z\n2,2024-01-02 03:04:06.5+02\n',
    preamble: '# report\n\nid;n\n1;a\n2;b\n',
    noHeader: '1,2.5\n2,3.5\n',
    headerOnly: 'id,name\n',
    duplicates: 'a,a,b\n1,2,3\n',
    nulls: 'a,b\n1,\n,x\n',
    wide: 'a|b\n9223372036854775807|12345678901234567890\n',
    lateQuote: `id,n\n${'1,a\n'.repeat(10)}2,b\n`,
    infinities: `id,d\n${'1,2024-01-02\n'.repeat(30)}2,infinity\n3,2024-1-5\n`,
  }

  it.each(Object.keys(csvFiles))('CSV: %s', async (name) => {
    const file = folder.write('x.csv', csvFiles[name] ?? '')
    const expected = await bare(`read_csv('${file}')`, [file])
    expect(await columns({ path: 'x.csv' })).toEqual(expected.columns)
    expect(sorted(await rows({ path: 'x.csv' }))).toEqual(expected.rows)
  })

  const many: Readonly<Record<string, readonly [string, string, string]>> = {
    sameHeaders: ['id,n\n1,a\n', 'id,n\n2,b\n', 'id,n\n3,"c,d"\n'],
    otherOrder: ['id,n\n1,a\n', 'n,id\nb,2\n', 'id,n\n3,c\n'],
    otherTypes: ['id,n\n1,a\n', 'id,n\nx,b\n', 'id,n\n2.5,c\n'],
    otherDialect: ['id,n\n1,a\n', 'id;n\n2;b\n', 'id\tn\n3\tc\n'],
    moreColumns: ['id,n\n1,a\n', 'id,n,z\n2,b,9\n', 'z,n,id\n8,c,3\n'],
    emptyOnes: ['id,n\n1,a\n', '', 'id,n\n'],
  }

  it.each(Object.keys(many))('several CSV files: %s', async (name) => {
    const files = (many[name] ?? []).map((text, index) => folder.write(`${index}.csv`, text))
    const expected = await bare(`read_csv([${files.map((file) => `'${file}'`).join(', ')}])`, files)
    expect(await columns({ path: '*.csv' })).toEqual(expected.columns)
    expect(sorted(await rows({ path: '*.csv' }))).toEqual(expected.rows)
  })

  it('several CSV files by name, missing columns NULL', async () => {
    const files = ['id,n\n1,a\n', 'n,z\nb,9\n'].map((text, index) => folder.write(`${index}.csv`, text))
    const expected = await bare(`read_csv(['${files.join("','")}'], union_by_name = true)`, files)
    expect(await columns({ path: '*.csv', union_by_name: true })).toEqual(expected.columns)
    expect(sorted(await rows({ path: '*.csv', union_by_name: true }))).toEqual(expected.rows)
  })

  const json: Readonly<Record<string, readonly [string, string]>> = {
    array: ['x.json', '[{"a":1,"m":{"x":1}},{"a":2,"m":{"y":"z"},"l":[1,2.5]}]'],
    lines: ['x.ndjson', '{"a":1,"d":"2024-12-31"}\n{"a":2.5,"d":"2024-12-30","z":[1,2]}\n'],
    pretty: ['x.json', '{\n "a": 1,\n "b": [ { "c": "2024-01-02 03:04:05" } ]\n}'],
    scalars: ['x.json', '[1,2,3]'],
    isoDates: ['x.json', '[{"d":"2024-12-31","t":"2024-12-31T10:00:00Z"},{"d":null,"t":"2024-12-31 10:00:00"}]'],
    shortDates: ['x.json', '[{"d":"01-02-03"},{"d":"12-31-03"}]'],
    dates: ['x.json', '[{"d":"31-12-2024","t":"12-31-2024 10:00:00 PM"},{"d":"30-12-2024","t":null}]'],
    odd: ['x.json', '[{"a":12345678901234567890,"c":null,"d":[],"e":{},"f":1e400,"a b\'c":true}]'],
    mixed: ['x.json', '[{"a":1},{"a":"x"},{"a":{"b":1}}]'],
  }

  it.each(Object.keys(json))('JSON: %s', async (name) => {
    const [fileName, text] = json[name] ?? ['', '']
    const file = folder.write(fileName, text)
    const format = fileName.endsWith('.ndjson') ? ", format = 'newline_delimited'" : ''
    const expected = await bare(`read_json('${file}'${format})`, [file])
    expect(await columns({ path: fileName })).toEqual(expected.columns)
    expect(sorted(await rows({ path: fileName }))).toEqual(expected.rows)
  })

  it('Parquet, with one file of other types', async () => {
    const files = [
      await copy(`SELECT 1 AS a, 'x' AS b`, 'p/1.parquet'),
      await copy(`SELECT 'z' AS b, 2::TINYINT AS a`, 'p/2.parquet'),
    ]
    const expected = await bare(`read_parquet(['${files.join("','")}'])`, files)
    expect(await columns({ path: 'p' })).toEqual(expected.columns)
    expect(sorted(await rows({ path: 'p' }))).toEqual(expected.rows)
  })

  it('gzip and zstd', async () => {
    const gz = folder.write('x.csv.gz', gzipSync('id,n\n1,a\n2,"b,c"\n'))
    const zst = await copy('SELECT i AS id FROM range(3) t(i)', 'y.csv.zst')
    expect(sorted(await rows({ path: 'x.csv.gz' }))).toEqual((await bare(`read_csv('${gz}')`, [gz])).rows)
    expect(sorted(await rows({ path: 'y.csv.zst' }))).toEqual((await bare(`read_csv('${zst}')`, [zst])).rows)
  })

  it('UTF-16, nullstr, decimal comma, comment and types', async () => {
    const u16 = folder.write('u.csv', Buffer.from('\ufeffid,n\n1,é\n', 'utf16le'))
    expect(await rows({ path: 'u.csv', options: { encoding: 'utf-16' } })).toEqual([[1, 'é']])
    expect(u16).toContain('u.csv')
    folder.write('c.csv', '%c\nid;v\n1;2,5\n2;n/a\n')
    const options = { comment: '%', decimal_separator: ',', nullstr: ['n/a'], types: { id: 'VARCHAR' } }
    expect(await columns({ path: 'c.csv', options })).toEqual(['id VARCHAR', 'v DOUBLE'])
    expect(await rows({ path: 'c.csv', options })).toEqual([
      ['1', 2.5],
      ['2', null],
    ])
  })
})

describe('declared columns', () => {
  it('are read by the names of the header, whatever their order', async () => {
    folder.write('x.csv', 'name,secret,id\nx,s,01\n')
    const schema = [
      { name: 'id', type: 'varchar', description: 'The key' },
      { name: 'name', type: 'string' },
    ]
    expect(await columns({ path: 'x.csv', schema })).toEqual(['id VARCHAR', 'name VARCHAR'])
    expect(await rows({ path: 'x.csv', schema })).toEqual([['01', 'x']])
  })

  it('name the columns of a file without a header', async () => {
    folder.write('x.csv', '1,2\n3,4\n')
    const schema = [
      { name: 'a', type: 'int' },
      { name: 'b', type: 'double' },
    ]
    expect(await rows({ path: 'x.csv', schema })).toEqual([
      [1, 2],
      [3, 4],
    ])
    await expect(columns({ path: 'x.csv', schema: schema.slice(0, 1) })).rejects.toMatchObject({
      code: 'file.column_count',
    })
  })

  it('that are missing are an error that lists those of the file', async () => {
    folder.write('x.csv', 'id,name\n1,x\n')
    const error = expect(columns({ path: 'x.csv', schema: [{ name: 'nmae', type: 'VARCHAR' }] })).rejects
    await error.toMatchObject({ code: 'file.missing_column', hint: 'Its columns are id, name.' })
  })

  it('cast Parquet, and take JSON by name', async () => {
    await copy('SELECT 1 AS a, 2 AS b', 'x.parquet')
    expect(await columns({ path: 'x.parquet', schema: [{ name: 'b', type: 'DECIMAL(10,2)' }] })).toEqual([
      'b DECIMAL(10,2)',
    ])
    folder.write('y.json', '[{"a":1},{"b":"x"}]')
    expect(await rows({ path: 'y.json', schema: [{ name: 'b', type: 'JSON' }] }, 'SELECT count(b) FROM scan')).toEqual([
      [1],
    ])
  })

  it('with an unknown type are refused by name', async () => {
    folder.write('x.csv', 'id\n1\n')
    const schema = [{ name: 'id', type: "INTEGER); DROP TABLE x; --'" }]
    await expect(columns({ path: 'x.csv', schema })).rejects.toMatchObject({ code: 'file.unknown_type' })
  })
})

describe('which files', () => {
  beforeEach(() => {
    for (const name of ['a/1.csv', 'a/b/2.csv', 'a/b/c/3.csv', 'a/.hidden.csv', 'a/.dir/4.csv', 'a/readme.md']) {
      folder.write(name, name.endsWith('.csv') ? `id\n${name.replaceAll(/\D/g, '') || '9'}\n` : 'text')
    }
  })

  it.each([
    ['a', [1, 2, 3]],
    ['./a/', [1, 2, 3]],
    ['a/**/*.csv', [1, 2, 3]],
    ['a/*.csv', [1]],
    ['a/*/*.csv', [2]],
    ['a/**/[2-3].csv', [2, 3]],
    ['a/**/[!2].csv', [1, 3]],
    ['**/?.csv', [1, 2, 3]],
    ['a/b/**', [2, 3]],
    ['a/*/**', [2, 3]],
    [
      ['a/1.csv', 'a/b/*.csv', 'a/1.csv'],
      [1, 2],
    ],
  ])('%j', async (pattern, expected) => {
    expect(await rows({ path: pattern, format: 'csv' }, 'SELECT id FROM scan ORDER BY id')).toEqual(
      expected.map((id) => [id]),
    )
  })

  it.each([
    ['a/nothing*.csv', 'file.not_found'],
    ['nowhere/x.csv', 'file.not_found'],
    ['a/.hidden.csv', 'file.hidden'],
    ['a/*/../../../etc/passwd', 'file.outside'],
    ['s3://bucket/x.csv?sig=1', 'file.remote_unsupported'],
    ['https://user:pass@host/x.csv', 'file.remote_unsupported'],
  ])('%s is refused', async (pattern, code) => {
    await expect(columns({ path: pattern, format: 'csv' })).rejects.toMatchObject({ code })
  })

  it('links that leave the declared folder are refused, links inside are followed', async () => {
    symlinkSync(path.join(folder.path, 'a/b/2.csv'), path.join(folder.path, 'a/inside.csv'))
    expect(await rows({ path: 'a/ins*.csv' })).toEqual([[2]])
    mkdirSync(path.join(folder.path, 'z'))
    symlinkSync(path.join(folder.path, 'a/1.csv'), path.join(folder.path, 'z/out.csv'))
    symlinkSync(path.join(folder.path, 'a/b'), path.join(folder.path, 'z/dir'))
    for (const pattern of ['z/*.csv', 'z/out.csv', 'z/*/*.csv', 'z/dir']) {
      await expect(columns({ path: pattern })).rejects.toMatchObject({ code: 'file.outside' })
    }
    symlinkSync(path.join(folder.path, 'a/.hidden.csv'), path.join(folder.path, 'a/plain.csv'))
    await expect(columns({ path: 'a/plain.csv' })).rejects.toMatchObject({ code: 'file.hidden' })
  })

  it('names with wildcards in them are refused, as DuckDB would read other files', async () => {
    folder.write('w/we[1].csv', 'id\n1\n')
    await expect(columns({ path: 'w' })).rejects.toMatchObject({ code: 'file.unsupported_name' })
  })

  it('a folder of two formats needs one named', async () => {
    folder.write('m/x.csv', 'id\n1\n')
    folder.write('m/y.json', '[{"id":2}]')
    await expect(columns({ path: 'm' })).rejects.toMatchObject({ code: 'file.mixed_formats' })
    expect(await rows({ path: 'm', format: 'json' })).toEqual([[2]])
  })

  it('pipes and devices are never opened', async () => {
    execFileSync('mkfifo', [path.join(folder.path, 'pipe.csv')])
    await expect(columns({ path: 'pipe.csv' })).rejects.toMatchObject({ code: 'file.not_a_file' })
  })
})

describe('what is learned', () => {
  it('is asked once, and again when a file changes', async () => {
    const file = folder.write('x.csv', 'id\n1\n')
    const source = await open({ path: 'x.csv' })
    expect(introspection.statements).toEqual([])
    await planOf({ source, introspection, table: 't' })
    const asked = introspection.statements.length
    const again = await planOf({ source, introspection, table: 't' })
    expect(introspection.statements.length).toBe(asked)
    folder.write('new.csv', 'id,n\n1,b\n')
    renameSync(path.join(folder.path, 'new.csv'), file)
    utimesSync(file, new Date(0), new Date(0))
    const changed = await planOf({ source, introspection, table: 't' })
    expect(again.table.columnNames).toEqual(['id'])
    expect(changed.table.columnNames).toEqual(['id', 'n'])
    expect(changes).toBe(1)
  })

  it('is asked once for many who ask at the same time', async () => {
    folder.write('x.csv', 'id\n1\n')
    const source = await open({ path: 'x.csv' })
    await Promise.all(Array.from({ length: 8 }, () => planOf({ source, introspection, table: 't' })))
    const alone = introspection.statements.length
    await planOf({ source: await open({ path: 'x.csv' }), introspection, table: 't' })
    expect(introspection.statements.length).toBe(2 * alone)
  })

  it('sniffs one of many files with the same header', async () => {
    for (let index = 0; index < 50; index++) folder.write(`m/${index}.csv`, `id,n\n${index},x\n`)
    const source = await open({ path: 'm/*.csv' })
    const { plan } = await planOf({ source, introspection, table: 't' })
    expect(introspection.statements.filter((sql) => sql.includes('sniff_csv')).length).toBeLessThanOrEqual(2)
    expect(plan.inPlace?.sql).toContain('auto_detect = false')
    expect(await rowsInPlace({ source, introspection, table: 't' }, 'SELECT count(*), sum(id) FROM scan')).toEqual([
      [50, 1225],
    ])
  })

  it('one who was cancelled does not end it for the others', async () => {
    folder.write('x.csv', 'id\n1\n')
    const source = await open({ path: 'x.csv' })
    const first = new AbortController()
    const name = { source: 'data', table: 't' }
    const cancelled = source.describeTables([name], { signal: first.signal })
    const other = source.describeTables([name], { signal: new AbortController().signal })
    first.abort(new Error('stop'))
    await expect(cancelled).rejects.toThrow('stop')
    expect((await other)[0]?.columnNames).toEqual(['id'])
  })
})

describe('partitions', () => {
  const equals = (column: string, type: string, text: string): Filter => ({
    ...{ kind: 'compare', column, operator: '=' },
    value: { type, text },
  })

  beforeEach(() => {
    for (const [name, id] of [
      ['h/y=2023/m=a%20b/x.csv', 1],
      ['h/y=2024/m=01/x.csv', 2],
      ['h/y=2024/m=__HIVE_DEFAULT_PARTITION__/x.csv', 3],
    ] as const) {
      folder.write(name, `id\n${id}\n`)
    }
  })

  it('become typed columns, as in DuckDB', async () => {
    const files = ['h/y=2023/m=a%20b/x.csv', 'h/y=2024/m=01/x.csv', 'h/y=2024/m=__HIVE_DEFAULT_PARTITION__/x.csv'].map(
      (name) => path.join(folder.path, name),
    )
    const expected = await bare(`read_csv(['${files.join("','")}'])`, files)
    expect(await columns({ path: 'h/**/*.csv' })).toEqual(expected.columns)
    expect(sorted(await rows({ path: 'h/**/*.csv' }))).toEqual(expected.rows)
  })

  it.each<[Filter, number]>([
    [equals('y', 'BIGINT', '2024'), 2],
    [equals('y', 'INTEGER', '1999'), 0],
    [equals('y', 'DOUBLE', '2024.0'), 3],
    [equals('m', 'VARCHAR', '01'), 2],
    [{ kind: 'null', column: 'm', negated: false }, 1],
    [{ kind: 'null', column: 'm', negated: true }, 2],
    [{ kind: 'compare', column: 'y', operator: '<', value: { type: 'BIGINT', text: '2024' } }, 1],
    [{ kind: 'in', column: 'y', negated: false, values: [{ type: 'BIGINT', text: '2023' }] }, 1],
    [{ kind: 'in', column: 'y', negated: true, values: [{ type: 'BIGINT', text: '2023' }] }, 2],
    [{ kind: 'in', column: 'y', negated: true, values: [{ type: 'BIGINT', text: undefined }] }, 3],
    [{ kind: 'or', filters: [equals('y', 'BIGINT', '2023'), equals('id', 'BIGINT', '2')] }, 3],
    [equals('id', 'BIGINT', '1'), 3],
  ])('%j reads %i files, and the filtered rows stay the same', async (filter, count) => {
    const source = await open({ path: 'h/**/*.csv' })
    const { plan } = await planOf({ source, introspection, table: 't', filters: [filter] })
    expect(plan.inPlace?.files.length).toBe(count)
    const request = { source, introspection, table: 't' }
    const where = `SELECT * FROM scan WHERE ${sqlOf(filter)}`
    expect(sorted(await rowsInPlace({ ...request, filters: [filter] }, where))).toEqual(
      sorted(await rowsInPlace(request, where)),
    )
  })

  it('keep their types when only a part is read, and can be declared', async () => {
    const source = await open({ path: 'h/**/*.csv', hive_types: { y: 'VARCHAR' } })
    const { table } = await planOf({ source, introspection, table: 't' })
    expect(table.columns.find((column) => column.name === 'y')).toMatchObject({
      type: 'VARCHAR',
      filtering: { kind: 'pushed' },
    })
    expect(await columns({ path: 'h/**/*.csv', hive_partitioning: false })).toEqual(['id BIGINT'])
  })

  it('and file names join declared columns', async () => {
    const table = { path: 'h/**/*.csv', filename: true, schema: [{ name: 'id', type: 'INTEGER' }] }
    expect((await columns(table)).toSorted()).toEqual(['filename VARCHAR', 'id INTEGER', 'm VARCHAR', 'y BIGINT'])
    expect(await rows(table, 'SELECT filename FROM scan WHERE id = 2')).toEqual([['h/y=2024/m=01/x.csv']])
  })
})

function sqlOf(filter: Filter): string {
  if (filter.kind === 'or') return filter.filters.map(sqlOf).join(' OR ')
  if (filter.kind === 'null') return `"${filter.column}" IS ${filter.negated ? 'NOT ' : ''}NULL`
  if (filter.kind === 'compare')
    return `"${filter.column}" ${filter.operator} '${filter.value.text ?? ''}'::${filter.value.type}`
  if (filter.kind !== 'in') throw new Error(`no SQL for ${filter.kind}`)
  const values = filter.values.map(({ type, text }) => (text === undefined ? 'NULL' : `'${text}'::${type}`))
  return `"${filter.column}" ${filter.negated ? 'NOT ' : ''}IN (${values.join(', ')})`
}

describe('files that cannot be read', () => {
  const manyRows = Array.from({ length: 30_000 }, (_, index) => `${index},x`).join('\n')

  it('damaged or cut gzip and zstd, even where DuckDB reads the part before the cut', async () => {
    const gz = gzipSync(`id,n\n${manyRows}\n`)
    folder.write('cut.csv.gz', gz.subarray(0, gz.length >> 1))
    const flipped = Buffer.from(gz)
    flipped.writeUInt8((flipped[gz.length - 6] ?? 0) ^ 1, gz.length - 6)
    folder.write('sum.csv.gz', flipped)
    folder.write('not.csv.gz', 'id\n1\n')
    const zst = await copy('SELECT i AS id FROM range(100000) t(i)', 'ok.csv.zst')
    const { readFileSync } = await import('node:fs')
    const packed = readFileSync(zst)
    folder.write('cut.csv.zst', packed.subarray(0, packed.length >> 1))
    for (const name of ['cut.csv.gz', 'sum.csv.gz', 'not.csv.gz', 'cut.csv.zst']) {
      await expect(columns({ path: name })).rejects.toMatchObject({
        code: 'file.corrupt',
        message: expect.stringContaining(name) as string,
      })
    }
    expect(await rows({ path: 'ok.csv.zst' }, 'SELECT count(*) FROM scan')).toEqual([[100_000]])
  })

  it('Parquet and JSON that are none', async () => {
    folder.write('x.parquet', 'this is not a parquet file')
    await expect(columns({ path: 'x.parquet' })).rejects.toMatchObject({
      code: 'file.bad_parquet',
      message: expect.stringContaining('x.parquet') as string,
    })
    folder.write('y.json', '[{"a":1},{"a":')
    await expect(columns({ path: 'y.json' })).rejects.toMatchObject({ code: 'file.bad_json' })
  })

  it('empty files', async () => {
    folder.write('x.csv', '')
    await expect(columns({ path: 'x.csv' })).rejects.toMatchObject({ code: 'file.no_columns' })
    expect(await rows({ path: 'x.csv', schema: [{ name: 'a', type: 'INT' }] })).toEqual([])
    folder.write('y.csv', 'id,n\n1,a\n')
    expect(await rows({ path: ['x.csv', 'y.csv'] })).toEqual([[1, 'a']])
  })

  it('files with missing columns, or dates in two orders', async () => {
    folder.write('a/1.csv', 'id,n\n1,a\n')
    folder.write('a/2.csv', 'id\n2\n')
    await expect(columns({ path: 'a' })).rejects.toMatchObject({
      code: 'file.mixed_schema',
      message: expect.stringContaining('2.csv') as string,
    })
    folder.write('b/1.csv', 'd\n31/12/2024\n')
    folder.write('b/2.csv', 'd,n\n12/31/2024,1\n')
    await expect(columns({ path: 'b', union_by_name: true })).rejects.toMatchObject({ code: 'file.mixed_dates' })
  })

  it('check names every table that fails', async () => {
    folder.write('x.csv', 'id\n1\n')
    const tables = [
      { name: 'a', path: 'no.csv' },
      { name: 'b', path: 'x.csv' },
      { name: 'c', path: 'nor.csv' },
    ]
    const source = await open({}, { tables })
    await expect(source.check(new AbortController().signal)).rejects.toMatchObject({
      code: 'file.check_failed',
      message: expect.stringMatching(/no\.csv.*nor\.csv/) as string,
    })
    expect((await source.listTables(new AbortController().signal)).map((table) => table.name.table)).toEqual([
      'a',
      'b',
      'c',
    ])
  })
})

describe('the workspace file', () => {
  const parse = (table: Readonly<Record<string, unknown>>): unknown =>
    fileKind.configSchema.safeParse({ name: 'data', kind: 'file', tables: [{ name: 't', ...table }] }).error?.issues[0]

  it('refuses unknown keys and options with their path', () => {
    expect(parse({ path: 'x.csv', delimitr: ';' })).toMatchObject({ code: 'unrecognized_keys' })
    expect(parse({ path: 'x.csv', options: { delimitr: ';' } })).toMatchObject({
      path: ['tables', 0, 'options'],
      keys: ['delimitr'],
    })
    expect(parse({ path: 'x.parquet', options: { delimiter: ';' } })).toMatchObject({ keys: ['delimiter'] })
    expect(parse({ path: 'x.csv', options: { store_rejects: true } })).toMatchObject({ keys: ['store_rejects'] })
    expect(parse({ path: 'data', options: { delimiter: ';' } })).toMatchObject({ path: ['tables', 0, 'format'] })
    expect(parse({ path: 'x.csv', options: { delimiter: ';' } })).toBeUndefined()
  })

  it('asks for conditions where it says so', async () => {
    folder.write('x.csv', 'id,n\n1,a\n')
    const source = await open({ path: 'x.csv', safety: { require_filters_on: ['id'] } })
    const plan = (filters: readonly Filter[]): Promise<unknown> =>
      planOf({ source, introspection, table: 't', filters })
    const id: Filter = { kind: 'compare', column: 'id', operator: '=', value: { type: 'BIGINT', text: '1' } }
    const n: Filter = { kind: 'null', column: 'n', negated: true }
    await expect(plan([])).rejects.toMatchObject({ code: 'source.required_filter' })
    await expect(plan([{ kind: 'or', filters: [id, n] }])).rejects.toMatchObject({ code: 'source.required_filter' })
    await expect(plan([n, id])).resolves.toBeDefined()
  })
})
