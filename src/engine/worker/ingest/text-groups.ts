import { LIST, VARCHAR, listValue } from '@duckdb/node-api'
import { quoteLiteral } from '../../../util/sql-text.js'
import { explainInvalidJson } from './explain-failure.js'
import { shapeMismatch, type Ingest, type TextGroup } from './ingest-facts.js'
import { extract, jsonPointer } from './value-sql.js'

/** Groups the texts by whether an array of rows or one row stands at the path; anything else is engine.shape_mismatch. */
export async function rowsOf(ingest: Ingest, texts: readonly string[]): Promise<TextGroup[]> {
  const types = await typesAtPath(ingest, texts)
  const groups: TextGroup[] = []
  for (const type of ['ARRAY', 'OBJECT']) {
    const numbers = types.flatMap((found, index) => (found === type ? [index] : []))
    if (numbers.length === 0) continue
    const many = type === 'ARRAY'
    groups.push({
      numbers,
      texts: numbers.map((index) => texts[index] ?? ''),
      rowsSql: rowsSql(ingest.request.shape.rowsPath, { r: ingest.row.structure }, many),
      rowsWithJsonSql: rowsSql(ingest.request.shape.rowsPath, { r: ingest.row.structure, j: '"JSON"' }, many),
      rowsAsJsonSql: rowsSql(ingest.request.shape.rowsPath, { r: '"JSON"' }, many),
    })
  }
  const wrong = types.findIndex((type) => type !== 'ARRAY' && type !== 'OBJECT')
  if (wrong >= 0) throw shapeMismatch(ingest, wrong, types[wrong])
  return groups
}

async function typesAtPath(ingest: Ingest, texts: readonly string[]): Promise<(string | undefined)[]> {
  const { rowsPath } = ingest.request.shape
  if (rowsPath.length === 0) {
    const byFirst = texts.map(rootType)
    if (byFirst.every((type) => type !== undefined)) return byFirst
  }
  const { connection } = ingest.query
  const pointer = quoteLiteral(jsonPointer(rowsPath))
  const sql = `SELECT unnest(list_transform($1, lambda x: json_type(x, ${pointer})))`
  try {
    const reader = await ingest.task.on(connection, () =>
      connection.runAndReadAll(sql, [listValue(texts)], [LIST(VARCHAR)]),
    )
    return reader.getRows().map(([type]) => (typeof type === 'string' ? type : undefined))
  } catch (error) {
    ingest.task.check()
    throw await explainInvalidJson(ingest, texts, error)
  }
}

/** A JSON text that starts with a bracket is an array or an object, or invalid, which is found where it is parsed. */
function rootType(text: string): string | undefined {
  const first = /[^\s]/.exec(text)?.[0]
  if (first === '[') return 'ARRAY'
  return first === '{' ? 'OBJECT' : undefined
}

/** `structures`: how each row is read, by the column that it becomes. */
function rowsSql(rowsPath: readonly string[], structures: Readonly<Record<string, string>>, many: boolean): string {
  const items = Object.entries(structures).map(([column, structure]) => {
    const at = many ? `[${structure}]` : structure
    const value = rowsPath.some((key) => /^\d+$/.test(key)) ? byPointer(rowsPath, at) : byStructure(rowsPath, at)
    // Both ways of reading agree where the rows are; should they not, it must not look like an empty page.
    const rows = `CASE WHEN ${value} IS NULL THEN error('querent: no rows') ELSE ${value} END`
    return `${many ? `unnest(${rows})` : rows} AS ${column}`
  })
  return `SELECT ${items.join(', ')} FROM (SELECT unnest($1) AS x)`
}

/** A key that is a number may mean a place in an array, which a structure cannot say. */
function byPointer(rowsPath: readonly string[], at: string): string {
  return `from_json(${extract('x', rowsPath)}, ${quoteLiteral(at)})`
}

function byStructure(rowsPath: readonly string[], at: string): string {
  const structure = rowsPath.reduceRight((inner, key) => `{${JSON.stringify(key)}:${inner}}`, at)
  const parsed = `from_json(x, ${quoteLiteral(structure)})`
  return rowsPath.reduce((sql) => `struct_extract_at(${sql}, 1)`, parsed)
}
