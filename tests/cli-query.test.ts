import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Cli, until } from './support/run-cli.js'

const cli = new Cli()
const sales = 'region,amount\nnorth,10.5\nsouth,20.25\nnorth,1\n'

beforeAll(async () => {
  cli.folder.write('sales.csv', sales)
  cli.folder.write('b/sales.json', '[{"id":1}]')
  const database = await DuckDBInstance.create(join(cli.folder.path, 'shop.duckdb'))
  const connection = await database.connect()
  await connection.run('CREATE TABLE orders AS SELECT range id FROM range(5)')
  connection.closeSync()
  database.closeSync()
})

afterAll(() => {
  cli.remove()
})

function read(name: string): string {
  return readFileSync(join(cli.folder.path, name), 'utf8')
}

describe('querent query', () => {
  const sql = "SELECT region, sum(amount) AS total FROM 'sales.csv' GROUP BY 1 ORDER BY 1"

  it.each([
    ['csv', 'region,total\nnorth,11.5\nsouth,20.25\n'],
    ['json', '[\n  {"region":"north","total":11.5},\n  {"region":"south","total":20.25}\n]\n'],
    ['ndjson', '{"region":"north","total":11.5}\n{"region":"south","total":20.25}\n'],
    ['markdown', '| region | total |\n| --- | ---: |\n| north | 11.5 |\n| south | 20.25 |\n'],
    [
      'table',
      '┌────────┬───────┐\n│ region │ total │\n├────────┼───────┤\n│ north  │  11.5 │\n│ south  │ 20.25 │\n└────────┴───────┘\n',
    ],
  ])('prints %s and nothing else', async (format, text) => {
    expect(await cli.run(['query', sql, '-f', format])).toEqual({ code: 0, stdout: text, stderr: '' })
  })

  it('writes files in the format of their ending, whole', async () => {
    expect(await cli.run(['query', sql, '-o', 'out.csv'])).toMatchObject({ code: 0, stdout: '' })
    expect(read('out.csv')).toBe('region,total\nnorth,11.5\nsouth,20.25\n')
    expect(await cli.run(['query', sql, '-o', 'out.parquet'])).toMatchObject({ code: 0, stdout: '' })
    const back = await cli.run(['query', "FROM 'out.parquet'", '-f', 'csv'])
    expect(back.stdout).toBe('region,total\nnorth,11.5\nsouth,20.25\n')
    expect(statSync(join(cli.folder.path, 'out.parquet')).mode & 0o400).toBe(0o400)
  })

  it('takes the statement from standard input', async () => {
    const run = await cli.run(['query', '-', '-f', 'csv'], { input: 'SELECT 42 AS x' })
    expect(run).toMatchObject({ code: 0, stdout: 'x\n42\n' })
  })

  it('stops reading an endless statement', async () => {
    const run = await cli.run(['query', '-'], { input: 'x'.repeat(5_000_000) })
    expect(run.code).toBe(1)
    expect(run.stderr).toContain('sql.too_long')
  })

  it('gives parameters the types of their JSON', async () => {
    const names = ['a=12', 'b=1.5', 'c=true', 'd="12"', 'e=x=y', 'f=9007199254740993', 'g=[1,2]', 'h=null']
    const columns = names.map((pair) => `typeof($${pair.charAt(0)}) AS ${pair.charAt(0)}`).join(', ')
    const run = await cli.run(['query', `SELECT ${columns}, $f AS v`, '-f', 'csv', ...names.flatMap((n) => ['-p', n])])
    expect(run.stdout).toBe(
      'a,b,c,d,e,f,g,h,v\nINTEGER,DOUBLE,BOOLEAN,VARCHAR,VARCHAR,BIGINT,INTEGER[],"""NULL""",9007199254740993\n',
    )
  })

  it('names sources directly, and says how a clash is solved', async () => {
    const run = await cli.run([
      'query',
      'SELECT (SELECT count(*) FROM files.sales) a, (SELECT count(*) FROM files.sales_2) b, count(*) c FROM orders',
      ...['sales.csv', 'b/*.json', 'shop.duckdb', '-f', 'csv'],
    ])
    expect(run).toMatchObject({ code: 0, stdout: 'a,b,c\n3,1,5\n' })
    expect(run.stderr).toContain('b/sales.json is called files.sales_2')
  })

  it('writes with --read-write, and what was written stays', async () => {
    expect(await cli.run(['query', 'INSERT INTO shop.orders VALUES (9)', 'shop.duckdb'])).toMatchObject({ code: 3 })
    const made = await cli.run([
      'query',
      'CREATE TABLE kept AS SELECT 7 AS n',
      'shop.duckdb',
      '--read-write',
      '-f',
      'csv',
    ])
    expect(made).toMatchObject({ code: 0, stdout: 'Count\n1\n' })
    const back = await cli.run(['query', 'FROM shop.kept', 'shop.duckdb', '--read-only', '-f', 'csv'])
    expect(back.stdout).toBe('n\n7\n')
  })
})

describe('the cap of rows', () => {
  const sql = 'SELECT range AS n FROM range(5000)'

  it('holds for files and pipes, with a warning that says the total and the remedy', async () => {
    const piped = await cli.run(['query', sql, '-f', 'csv'])
    expect(piped.code).toBe(0)
    expect(piped.stdout.split('\n')).toHaveLength(1 + 1024 + 1)
    expect(piped.stderr).toBe(
      'WARNING: these are only the first 1024 of 5000 rows. --max-rows 5000 gives all of them.\n',
    )
    const parquet = await cli.run(['query', sql, '-o', 'capped.parquet'])
    expect(parquet.stderr).toContain('capped.parquet holds only the first 1024 rows; there are more')
    const counted = await cli.run(['query', "SELECT count(*) AS n FROM 'capped.parquet'", '-f', 'csv'])
    expect(counted.stdout).toBe('n\n1024\n')
  })

  it('is raised by --max-rows alone, characters too', async () => {
    const run = await cli.run([
      'query',
      "SELECT repeat('x', 100) AS t FROM range(5000)",
      '-f',
      'csv',
      '--max-rows',
      '5000',
    ])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout.split('\n')).toHaveLength(1 + 5000 + 1)
    const parquet = await cli.run(['query', sql, '-o', 'whole.parquet', '--max-rows', '5000'])
    expect(parquet).toMatchObject({ code: 0, stderr: '' })
  })

  it('says which flag helps when the characters are used up', async () => {
    const run = await cli.run(['query', sql, '-f', 'csv', '--max-chars', '2000'])
    expect(run.code).toBe(0)
    expect(run.stderr).toMatch(/only the first \d+ of 5000 rows.*2000 characters.*--max-chars/)
  })
})

describe('exit codes', () => {
  it.each<[string, number, readonly string[], RegExp]>([
    ['a syntax error', 1, ['SELEC 1'], /sql\.syntax.*\n.*SELECT/],
    ['an unknown table', 1, ['FROM nowhere'], /catalog\.unknown_table/],
    ['an unknown option', 2, ['SELECT 1', '--formt', 'csv'], /--format/],
    ['an unknown format', 2, ['SELECT 1', '-f', 'cvs'], /csv/],
    ['contrary options', 2, ['SELECT 1', '--read-write', '--read-only'], /--read-only/],
    ['two names of one option', 2, ['SELECT 1', '--timeout', '1s', '--query-timeout', '2s'], /--query-timeout/],
    ['a number that is none', 2, ['SELECT 1', '--max-rows', '1e3'], /1e3/],
    ['a time that is none', 2, ['SELECT 1', '--timeout', 'soon'], /soon/],
    ['a parameter given twice', 2, ['SELECT $a', '-p', 'a=1', '-p', 'a=2'], /twice/],
    ['parquet without a file', 2, ['SELECT 1', '-f', 'parquet'], /-o FILE/],
    ['a source that is not there', 2, ['SELECT 1', 'gone.csv'], /gone\.csv/],
    ['a statement that policy refuses', 3, ['DROP TABLE x'], /policy\.statement/],
    ['a missing file', 4, ["FROM 'gone.csv'"], /file\.not_found/],
    ['time that ran out', 5, ['SELECT count(*) FROM range(1000000000000)', '--timeout', '300ms'], /300 ms/],
  ])('%s is %i', async (_, code, args, message) => {
    const run = await cli.run(['query', ...args])
    expect(run.stderr).toMatch(message)
    expect(run).toMatchObject({ code, stdout: '' })
    expect(run.stderr).not.toMatch(/\n\s+at /)
  })

  it('an output file that cannot be written is 1, and nothing is left behind', async () => {
    const run = await cli.run(['query', 'SELECT 1', '-o', 'no/such/folder/x.csv'])
    expect(run).toMatchObject({ code: 1, stdout: '' })
    expect(run.stderr).toContain('file.unwritable')
  })

  it('an unknown command is 2 and names the near one', async () => {
    const run = await cli.run(['qurey', 'SELECT 1'])
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toContain('query')
  })

  it('an interrupt cancels the query', async () => {
    const child = cli.start(['query', 'SELECT count(*) FROM range(1000000000000)'])
    await untilAsked(child.pid)
    const said = until(child.stderr, /limit\.cancelled/)
    child.kill('SIGINT')
    await said
    expect((await once(child, 'close'))[0]).toBe(5)
  })

  it('a reader that leaves is no fault', async () => {
    const child = cli.start(['query', 'FROM range(1000)', '-f', 'csv'])
    child.stdout.destroy()
    let stderr = ''
    child.stderr.on('data', (piece) => {
      stderr += String(piece)
    })
    expect((await once(child, 'close'))[0]).toBe(0)
    expect(stderr).toBe('')
  })

  /** The audit log says when the query has begun. */
  async function untilAsked(pid: number | undefined): Promise<void> {
    const audit = cli.start(['audit', '--follow'])
    await until(audit.stdout, new RegExp(`"event":"started".*range\\(1000000000000\\).*"process":"${pid ?? ''}-`))
    audit.kill()
    await once(audit, 'close')
  }
})

describe('what the data may do to a terminal or a file', () => {
  it('escapes control characters in texts for people, and keeps them in data', async () => {
    const sql = 'SELECT chr(27) || \'[31m\' || chr(7) || chr(13) || chr(8238) || chr(8203) AS "a\u001b[2Jb"'
    const table = await cli.run(['query', sql])
    expect(table.stdout).toContain(String.raw`\x1b[31m\x07\r\u202e\u200b`)
    expect(table.stdout).toContain(String.raw`a\x1b[2Jb`)
    // eslint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(table.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e\u200b]/)
    const csv = await cli.run(['query', sql, '-f', 'csv'])
    expect(csv.stdout).toContain('\u001b[31m\u0007\r\u202e\u200b')
    const json = await cli.run(['query', sql, '-f', 'ndjson'])
    expect(JSON.parse(json.stdout)).toEqual({ 'a\u001b[2Jb': '\u001b[31m\u0007\r\u202e\u200b' })
    const failed = await cli.run(['query', 'SELECT "x\u001b[2J\u202e"'])
    expect(failed.code).toBe(1)
    // eslint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(failed.stderr).not.toMatch(/[\u001b\u202e]/)
  })
})

describe('--init-sql', () => {
  it('runs before the instance is closed to the outside', async () => {
    const proof = join(cli.folder.path, 'proof.csv')
    const run = await cli.run([
      'query',
      'SELECT 1 AS n',
      '-f',
      'csv',
      '--init-sql',
      `COPY (SELECT 7 AS x) TO '${proof}'`,
    ])
    expect(run).toMatchObject({ code: 0, stdout: 'n\n1\n' })
    expect(read('proof.csv')).toBe('x\n7\n')
  })

  it('cannot leave the instance open, or fail unnoticed', async () => {
    for (const sql of ['SELEKT', "SELECT 'open", 'SET lock_configuration = true']) {
      const run = await cli.run(['query', 'SELECT 1', '--init-sql', sql])
      expect(run).toMatchObject({ code: 2, stdout: '' })
      expect(run.stderr).toContain('engine.init_sql')
    }
  })
})
