import { fileKind } from '../../src/sources/file/file-kind.js'
import { DirectIntrospection } from '../support/introspection.js'
import { TestWorkspace } from '../support/query-workspace.js'
import { sourceContext } from '../support/source-context.js'
import { inPlaceRead } from './in-place-read.js'
import { sourceContract } from './source-contract.js'

const people = [
  'id,name,born,score,ok',
  '1,Ada,1815-12-10,9.5,true',
  "2,O'Brien,1985-02-28,,false",
  '3,,2001-01-01,-1.25,',
  '4,ada,1815-12-10,9.5,true',
  '9007199254740993,Ärger,,0,false',
].join('\n')

sourceContract('file', async () => {
  const workspace = new TestWorkspace()
  const { folder } = workspace
  folder.write('people.csv', `${people}\n`)
  folder.write('events.ndjson', '{"id":1,"at":"2024-01-02 03:04:05","m":{"a":1}}\n{"id":2,"at":null}\n')
  for (const [year, month, rows] of [
    ['2023', 'jan', '1,a\n'],
    ['2024', 'feb', '2,b\n3,\n'],
    ['2024', '__HIVE_DEFAULT_PARTITION__', '4,d\n'],
  ] as const) {
    folder.write(`sales/year=${year}/month=${month}/part.csv`, `id,n\n${rows}`)
  }
  const introspection = new DirectIntrospection()
  const entry = {
    name: 'data',
    kind: 'file',
    tables: [
      { name: 'people', path: './people.csv', description: 'People' },
      { name: 'Events', path: './events.ndjson' },
      { name: 'sales', path: './sales/**/*.csv' },
    ],
  }
  const config = fileKind.configSchema.parse(entry)
  await workspace.open(JSON.stringify({ version: 1, sources: [entry] }))
  const source = await fileKind.open(config, sourceContext(folder.path, introspection))
  return {
    source,
    tables: ['people', 'Events', 'sales'].map((table) => ({ source: 'data', table })),
    read: inPlaceRead(introspection),
    outsideCalls: () => introspection.statements.length,
    runQuery: (sql) => workspace.rows(sql),
    close: async () => {
      await source.close()
      await workspace.close()
    },
  }
})
