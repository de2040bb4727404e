import { quoteIdentifier, quoteLiteral } from '../../../util/sql-text.js'
import { parseType, type TypeTree } from './type-tree.js'

const wholeNumbers = new Set(
  'TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT UHUGEINT INT INT1 INT2 INT4 INT8 LONG SHORT SIGNED INT16 INT32 INT64'.split(
    ' ',
  ),
)
const zonelessTimestamps = new Set(['TIMESTAMP', 'DATETIME', 'TIMESTAMP WITHOUT TIME ZONE', 'TIMESTAMP_US'])
const texts = new Set(['VARCHAR', 'TEXT', 'STRING', 'CHAR', 'BPCHAR', 'NVARCHAR'])

/** true: the value is taken from DuckDB's JSON; false: from its text. */
export function needsJson(type: string): boolean {
  return parseType(type).kind !== 'scalar' || isJson(type)
}

/** SQL that makes a value of `type` from the text of a JSON scalar, or fails; `text` is SQL too, NULL stays NULL. */
export function fromText(text: string, type: string): string {
  const name = type.trim().toUpperCase()
  if (texts.has(name)) return text
  if (wholeNumbers.has(name)) {
    // DuckDB would round a fraction. The cast of a text that is no number fails, and only where it is reached.
    const fraction = `((contains(${text}, '.') AND NOT suffix(${text}, '.0')) OR contains(${text}, 'e-'))`
    return `CASE WHEN ${fraction} THEN CAST('no whole number: ' || ${text} AS ${type}) ELSE CAST(${text} AS ${type}) END`
  }
  // `Z` and offsets count: the instant in UTC. DuckDB's own cast to TIMESTAMP drops an offset.
  if (zonelessTimestamps.has(name)) return `CAST(CAST(${text} AS TIMESTAMPTZ) AS TIMESTAMP)`
  return `CAST(${text} AS ${type})`
}

/** SQL that makes a value of `type` from JSON, or fails; `json` is SQL too. JSON's null and SQL's give NULL. */
export function fromJson(json: string, type: string): string {
  return convert(json, parseType(type), 0)
}

function convert(json: string, type: TypeTree, depth: number): string {
  switch (type.kind) {
    case 'scalar':
      if (isJson(type.name)) return `CASE WHEN json_type(${json}) = 'NULL' THEN NULL ELSE ${json} END`
      return fromText(`json_extract_string(${json}, '$')`, type.name)
    case 'list': {
      const item = `i${depth}`
      const items = `list_transform(from_json(${json}, '["JSON"]'), lambda ${item}: ${convert(item, type.item, depth + 1)})`
      return whenType(json, 'ARRAY', `CAST(${items} AS ${type.name})`)
    }
    case 'struct': {
      const fields = type.fields.map(
        (field) => `${quoteIdentifier(field.name)} := ${convert(extract(json, [field.name]), field.type, depth + 1)}`,
      )
      return whenType(json, 'OBJECT', `CAST(struct_pack(${fields.join(', ')}) AS ${type.name})`)
    }
    case 'map': {
      const entry = `e${depth}`
      const key = fromText(`${entry}.key`, type.key)
      const value = convert(`${entry}.value`, type.value, depth + 1)
      const entries = `map_entries(from_json(${json}, '"MAP(VARCHAR, JSON)"'))`
      const converted = `list_transform(${entries}, lambda ${entry}: struct_pack(k := ${key}, v := ${value}))`
      return whenType(json, 'OBJECT', `CAST(map_from_entries(${converted}) AS ${type.name})`)
    }
  }
}

/** Fails for JSON of another type; `value` for this one. */
function whenType(json: string, jsonType: 'ARRAY' | 'OBJECT', value: string): string {
  const wrong = `CAST('not an ${jsonType.toLowerCase()}: ' || CAST(${json} AS VARCHAR) AS INTEGER)`
  return `CASE WHEN ${json} IS NULL OR json_type(${json}) = 'NULL' THEN NULL WHEN json_type(${json}) = '${jsonType}' THEN ${value} WHEN ${wrong} IS NULL THEN NULL END`
}

export function extract(json: string, path: readonly (string | number)[]): string {
  return path.length === 0 ? json : `json_extract(${json}, ${quoteLiteral(jsonPointer(path))})`
}

/** `/data/items/0`: any key can stand in it. The empty path is ``. */
export function jsonPointer(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function isJson(type: string): boolean {
  return type.trim().toUpperCase() === 'JSON'
}
