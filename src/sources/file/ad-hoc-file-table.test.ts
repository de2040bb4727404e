import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DirectIntrospection } from '../../../tests/support/introspection.js'
import { TempFolder } from '../../../tests/support/temp-folder.js'
import { adHocFileTable, type AdHocFileRequest } from './ad-hoc-file-table.js'

let folder: TempFolder
let introspection: DirectIntrospection

beforeEach(() => {
  folder = new TempFolder()
  introspection = new DirectIntrospection()
  folder.write('querent.yaml', 'version: 1\n')
  folder.write('data/x.csv', 'id,n\n1,a\n')
  folder.write('data/deep/y.csv', 'id,n\n2,b\n')
  folder.write('data/.hidden.csv', 'id,n\n3,c\n')
  folder.write('data/z.json', '[{"id":4}]')
  folder.write('other/secret.csv', 'id,n\n5,d\n')
  folder.write('state/audit.json', '[{"id":6}]')
})

afterEach(() => {
  folder.remove()
})

type Changes = Partial<AdHocFileRequest>

async function read(paths: readonly string[], changes: Changes = {}): Promise<readonly (readonly unknown[])[]> {
  const request: AdHocFileRequest = {
    name: { source: 'files', table: 'x' },
    functionName: 'read_csv',
    paths,
    options: {},
    roots: ['./data/**'],
    folder: folder.path,
    forbidden: [path.join(folder.path, 'querent.yaml'), path.join(folder.path, 'state')],
    introspection,
    signal: new AbortController().signal,
    ...changes,
  }
  const { table, planScan } = await adHocFileTable(request)
  const columns = table.columns.map((column) => column.name)
  const { inPlace } = planScan({ table, columns, filters: [], otherConditions: [] })
  if (inPlace === undefined) throw new Error('the table is not read in place')
  return introspection.query({ sql: `${inPlace.sql} ORDER BY 1`, files: inPlace.files })
}

describe('files under files.roots', () => {
  it.each<[readonly string[], Changes, readonly unknown[]]>([
    [['data/x.csv'], { functionName: undefined }, [[1, 'a']]],
    [['./data/deep/../x.csv'], {}, [[1, 'a']]],
    [
      ['data/**/*.csv'],
      {},
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    [
      ['data/x.csv', 'data/deep/y.csv', 'data/x.csv'],
      {},
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    [['data/z.json'], { functionName: 'READ_JSON_AUTO' }, [[4]]],
    [['data/x.csv'], { roots: ['data'] }, [[1, 'a']]],
    [['data/x.csv'], { roots: ['data/x.csv'] }, [[1, 'a']]],
    [['other/secret.csv'], { roots: 'any' }, [[5, 'd']]],
  ])('%j %j', async (paths, changes, expected) => {
    expect(await read(paths, changes)).toEqual(expected)
  })

  it('an absolute path, and a root that is a link', async () => {
    expect(await read([path.join(folder.path, 'data/x.csv')])).toEqual([[1, 'a']])
    symlinkSync(path.join(folder.path, 'other'), path.join(folder.path, 'linked'))
    expect(await read(['linked/secret.csv'], { roots: ['linked/*.csv'] })).toEqual([[5, 'd']])
  })

  it('options of the reader, under any of their names', async () => {
    folder.write('data/o.csv', 'a;b\n1;2,5\n')
    const options = { SEP: ';', decimal_separator: ',', column_types: { a: 'VARCHAR' }, filename: true }
    expect(await read(['data/o.csv'], { options })).toEqual([['1', 2.5, 'data/o.csv']])
  })
})

describe('refused', () => {
  it.each<[readonly string[], Changes, string]>([
    [['other/secret.csv'], {}, 'file.not_allowed'],
    [['other/nothing.csv'], {}, 'file.not_allowed'],
    [['data/../other/secret.csv'], {}, 'file.not_allowed'],
    [['/etc/passwd'], {}, 'file.not_allowed'],
    [['**/*.csv'], {}, 'file.not_allowed'],
    [['/etc/*'], {}, 'file.not_allowed'],
    [['data/*/../../other/secret.csv'], {}, 'file.outside'],
    [['data/x.csv', '/etc/passwd'], {}, 'file.not_allowed'],
    [['data/.hidden.csv'], {}, 'file.not_allowed'],
    [['data/.hidden.csv'], { roots: 'any' }, 'file.hidden'],
    [['data/x.csv'], { roots: [] }, 'file.not_allowed'],
    [['data/x.csv'], { roots: ['data/*.json'] }, 'file.not_allowed'],
    [['data/*'], { roots: ['data/*.json'] }, 'file.not_allowed'],
    [['querent.yaml'], { roots: 'any' }, 'file.not_allowed'],
    [['querent.yaml'], { roots: ['**'] }, 'file.not_allowed'],
    [['state/audit.json'], { roots: 'any', functionName: 'read_json' }, 'file.not_allowed'],
    [['https://example.com/x.csv'], { roots: 'any' }, 'file.remote_unsupported'],
    [['s3://b/x.csv'], {}, 'file.remote_unsupported'],
    [['file:///etc/passwd'], { roots: 'any' }, 'file.remote_unsupported'],
    [['data/x.txt'], { functionName: undefined }, 'file.unknown_format'],
    [['data/x.csv'], { options: { store_rejects: true } }, 'file.bad_option'],
    [['data/x.csv'], { options: { encryption_config: {} } }, 'file.bad_option'],
    [['data/x.csv'], { options: { auto_detect: false } }, 'file.bad_option'],
    [['data/x.csv'], { options: { header: 'yes' } }, 'file.bad_option'],
    [['data/x.csv'], { options: { delim: ',', sep: ',' } }, 'file.bad_option'],
    [['data/x.csv'], { options: { constructor: 1 } }, 'file.bad_option'],
    [[], {}, 'file.not_found'],
    [['data/x.csv\0.txt'], {}, 'file.not_found'],
  ])('%j %j gives %s', async (paths, changes, code) => {
    await expect(read(paths, changes)).rejects.toMatchObject({ code })
    expect(introspection.statements).toEqual([])
  })

  it('links that lead out of the roots, to hidden files or to forbidden ones', async () => {
    const link = (target: string, name: string): void => {
      symlinkSync(path.join(folder.path, target), path.join(folder.path, name))
    }
    link('other/secret.csv', 'data/out.csv')
    link('other', 'data/dir')
    link('data/.hidden.csv', 'data/shown.csv')
    link('querent.yaml', 'data/config.csv')
    folder.write('.secret/k.csv', 'id\n1\n')
    link('.secret', 'data/open')
    for (const name of [
      'data/out.csv',
      'data/dir/secret.csv',
      'data/config.csv',
      'data/d*/secret.csv',
      'data/open/k.csv',
    ]) {
      await expect(read([name])).rejects.toMatchObject({ code: 'file.not_allowed' })
    }
    for (const roots of [['data/**'], 'any'] as const) {
      await expect(read(['data/shown.csv'], { roots })).rejects.toMatchObject({ code: 'file.hidden' })
      await expect(read(['data/config.csv'], { roots })).rejects.toMatchObject({ code: 'file.not_allowed' })
      await expect(read(['data/open/k.csv'], { roots })).rejects.toMatchObject({ code: 'file.not_allowed' })
    }
    expect(introspection.statements).toEqual([])
  })

  it('the answer is the same whether the file exists or not', async () => {
    const error = async (name: string): Promise<unknown> =>
      read([name]).then(
        () => undefined,
        (caught: unknown) => String(caught).replaceAll(name, 'X'),
      )
    expect(await error('other/secret.csv')).toBe(await error('other/nothing.csv'))
    expect(await error('/etc/passwd')).toBe(await error('/etc/nothing'))
  })
})

it('asks DuckDB once for the same state of the same files', async () => {
  await read(['data/x.csv'])
  const asked = introspection.statements.filter((sql) => sql.includes('sniff')).length
  await read(['./data/x.csv'])
  expect(introspection.statements.filter((sql) => sql.includes('sniff')).length).toBe(asked)
  folder.write('data/x.csv', 'id,n,z\n1,a,b\n')
  expect(await read(['data/x.csv'])).toEqual([[1, 'a', 'b']])
})
