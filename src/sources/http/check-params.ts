import { toDuckdbType } from './data-type.js'
import type { HttpTableConfig } from './table-config.js'

type TableEntry = Pick<
  HttpTableConfig,
  'method' | 'body' | 'idempotent' | 'requests' | 'params' | 'pagination' | 'response'
>
type ParamEntry = TableEntry['params'][number]

/** Faults of one parameter, alone and with the table's columns and other parameters. */
export function paramFaults(param: ParamEntry, table: TableEntry): readonly string[] {
  const faults: string[] = []
  const hasDefault = param.default !== undefined || param.derive?.kind === 'ago'
  if (param.required === true && hasDefault) faults.push('a required parameter has no default')
  if (param.filterable === false && !hasDefault) faults.push('filterable: false needs a default to ask with')
  if (param.any !== undefined && !hasDefault) faults.push('any needs a default that it replaces')
  const column = table.response.schema?.find(
    ({ name, source }) => name.toLowerCase() === param.name.toLowerCase() && source !== 'param',
  )
  if (column?.type.toLowerCase() === 'json') {
    faults.push(`the column ${column.name} of type json cannot be compared with the parameter; give it another name`)
  }
  return [...faults, ...rangeFaults(param, table, column), ...deriveFaults(param, table)]
}

const sides = [
  ['=', 'in'],
  ['>', '>='],
  ['<', '<='],
] as const

function rangeFaults(
  param: ParamEntry,
  table: TableEntry,
  column: { readonly type: string } | undefined,
): readonly string[] {
  const accepts = new Set(param.accepts ?? ['=', 'in'])
  const faults: string[] = []
  for (const operator of Object.keys(param.emit ?? {})) {
    if (!accepts.has(operator)) faults.push(`emit names ${operator}, which is not in accepts`)
  }
  const isRange = sides.slice(1).some((side) => side.some((operator) => accepts.has(operator)))
  if (!isRange) return faults
  if (table.response.schema !== undefined && column === undefined) {
    faults.push(`a range needs the column ${param.name} in response.schema: the rows must say what is compared`)
  }
  if (param.exact !== true && column !== undefined && toDuckdbType(column.type) === 'VARCHAR') {
    faults.push('a range of texts needs exact: true, because an API may order them in another way than SQL')
  }
  const names = sides.map((side) =>
    side.filter((operator) => accepts.has(operator)).map((operator) => param.emit?.[operator] ?? param.name),
  )
  const shared = names.flatMap((own, index) =>
    own.filter((name) => names.some((other, at) => at > index && other.includes(name))),
  )
  if (shared[0] !== undefined) {
    faults.push(`${shared[0]} would stand for more than one operator: emit must name another for each side of a range`)
  }
  return faults
}

function deriveFaults(param: ParamEntry, table: TableEntry): readonly string[] {
  const { derive } = param
  if (derive === undefined) return []
  if (derive.kind === 'ago') {
    return param.default === undefined ? [] : ['derive: ago is the default itself; leave default out']
  }
  const faults: string[] = []
  const from = table.params.find(({ name }) => name === derive.from)
  if (from === undefined) faults.push(`there is no parameter ${derive.from} to take apart`)
  else if (from.derive?.kind === 'split') faults.push(`${derive.from} is a part itself`)
  else if (from.explode !== undefined && from.explode !== false) {
    faults.push(`${derive.from} takes lists, which cannot be taken apart`)
  }
  for (const key of ['required', 'default', 'any', 'accepts', 'emit', 'explode'] as const) {
    if (param[key] !== undefined) faults.push(`${key} has no meaning for a part of another parameter`)
  }
  return faults
}

/** Faults of methods and bodies, with the keys they are in. */
export function bodyFaults(
  table: TableEntry,
): readonly (readonly [path: readonly (string | number)[], message: string])[] {
  const faults: (readonly [readonly (string | number)[], string])[] = []
  const entries = [
    { at: [] as readonly (string | number)[], method: table.method, body: table.body },
    ...(table.requests ?? []).map(({ method, body }, index) => ({ at: ['requests', index], method, body })),
  ]
  for (const { at, method, body } of entries) {
    if (method === 'GET' && body !== undefined) faults.push([[...at, 'body'], 'a GET has no body: set method: POST'])
  }
  const hasPost = entries.some(({ method }) => method === 'POST')
  if (table.idempotent !== undefined && !hasPost) {
    faults.push([['idempotent'], 'a GET is always idempotent; the key is for POST'])
  }
  for (const [index, param] of table.params.entries()) {
    if (param.in === 'body' && !hasPost) faults.push([['params', index, 'in'], 'a GET has no body: set method: POST'])
  }
  const { pagination } = table
  if ('in' in pagination && pagination.in === 'body') {
    if (entries.some(({ method }) => method === 'GET')) {
      faults.push([['pagination'], 'paging in the body needs method: POST, in every one of requests too'])
    }
    if (pagination.type === 'body_cursor' && entries.some(({ body }) => body?.kind === 'form')) {
      faults.push([['pagination'], 'body_cursor needs a body of kind json'])
    }
  }
  return faults
}
