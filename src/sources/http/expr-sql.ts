import { quoteLiteral } from '../../util/sql-text.js'
import type { Expr } from './expr-config.js'
import { parseJsonPath, type JsonPath } from './json-path.js'

/** SQL over `row` that makes the value. Values are texts, which become the column's type afterwards. */
export function exprSql(expr: Expr): string {
  switch (expr.kind) {
    case 'path':
      return textAt('row', expr.path)
    case 'current_row':
      return 'row'
    case 'null':
      return 'NULL'
    case 'literal':
      return quoteLiteral(String(expr.value))
    case 'coalesce':
      return `coalesce(${exprsSql(expr.exprs, exprSql)})`
    case 'first_of':
      return `coalesce(${exprsSql(expr.exprs, (part) => `nullif(${textSql(part)}, '')`)})`
    case 'join': {
      const parts = exprsSql(expr.exprs, textSql)
      return `CASE WHEN coalesce(${parts}) IS NOT NULL THEN concat_ws(${quoteLiteral(expr.separator)}, ${parts}) END`
    }
    case 'map_join': {
      const items = `from_json(json_extract(row, ${pointer(expr.path)}), '["JSON"]')`
      const texts = `list_transform(${items}, lambda item: ${textAt('item', expr.item)})`
      return `array_to_string(${texts}, ${quoteLiteral(expr.separator)})`
    }
    case 'replace':
      return `replace(${textSql(expr.expr)}, ${quoteLiteral(expr.from)}, ${quoteLiteral(expr.to)})`
    case 'lookup':
      return lookupSql(expr)
    case 'to_timestamp':
      return timestampSql(expr)
    case 'from_base64':
      return `decode(from_base64(${textSql(expr.expr)}))`
    case 'if_present': {
      const isPresent = `coalesce(json_type(row, ${pointer(expr.path)}), 'NULL') <> 'NULL'`
      return `CASE WHEN ${isPresent} THEN ${exprSql(expr.then)} ELSE ${expr.else === undefined ? 'NULL' : exprSql(expr.else)} END`
    }
  }
}

/** The value as a text also where it is the row. */
function textSql(expr: Expr): string {
  return `CAST(${exprSql(expr)} AS VARCHAR)`
}

function exprsSql(exprs: readonly Expr[], toSql: (expr: Expr) => string): string {
  return exprs.map(toSql).join(', ')
}

function lookupSql({ expr, map, default: other }: Extract<Expr, { readonly kind: 'lookup' }>): string {
  const cases = Object.entries(map).map(([key, value]) => `WHEN ${quoteLiteral(key)} THEN ${quoteLiteral(value)}`)
  return `CASE ${textSql(expr)} ${cases.join(' ')} ELSE ${other === undefined ? 'NULL' : quoteLiteral(other)} END`
}

/** Through whole microseconds: a double would lose some. */
function timestampSql({ expr, unit, format }: Extract<Expr, { readonly kind: 'to_timestamp' }>): string {
  const text = textSql(expr)
  if (format !== undefined) return `strptime(${text}, ${quoteLiteral(format)})`
  const factor = { s: 1_000_000, ms: 1_000, us: 1 }[unit]
  return `make_timestamp(CAST(CAST(${text} AS DECIMAL(30,6)) * ${factor} AS BIGINT))`
}

function textAt(json: string, path: string): string {
  return `json_extract_string(${json}, ${pointer(path)})`
}

/** A path as JSON pointer: any key can stand in it. */
function pointer(path: string): string {
  const keys: JsonPath = parseJsonPath(path) ?? []
  const text = keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return quoteLiteral(text === '' ? '$' : text)
}
