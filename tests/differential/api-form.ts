import type { Random } from '../planner/random.js'
import { columnsOf } from '../planner/tables.js'

/**
 * How the API takes a column as a parameter.
 * - `exact`: it answers the rows that are equal, and the workspace says so;
 * - `loose`: it answers some other rows too;
 * - `ignored`: it answers all rows;
 * - `required`: it answers nothing without it;
 * - `echo`: required, and its rows do not carry it.
 */
export type ParameterForm = 'exact' | 'loose' | 'ignored' | 'required' | 'echo'

export const pagings = ['none', 'link_header', 'page', 'total', 'offset', 'cursor', 'next_url'] as const
export type Paging = (typeof pagings)[number]

/** One API table: its parameters and its pages. */
export interface ApiForm {
  readonly table: string
  readonly parameters: Readonly<Record<string, ParameterForm>>
  readonly paging: Paging
  readonly pageSize: number
  /** Parameters that stand in the path. */
  readonly inPath: readonly string[]
}

const optional: readonly ParameterForm[] = ['exact', 'loose', 'ignored']
const needed: readonly ParameterForm[] = ['required', 'echo']

/** A random form; about every third table has a parameter that is needed. */
export function randomForm(random: Random, table: string): ApiForm {
  const parameters: Record<string, ParameterForm> = {}
  for (const { name, type } of columnsOf(table)) {
    if (type === 'DOUBLE' || type === 'INTEGER[]' || !random.chance(0.4)) continue
    parameters[name] = random.pick(optional)
  }
  if (random.chance(0.4)) parameters[random.pick(['id', 'k', 'k'])] = random.pick(needed)
  const required = Object.keys(parameters).filter((name) => needed.includes(parameters[name] ?? 'exact'))
  return {
    table,
    parameters,
    paging: random.pick(pagings),
    pageSize: 1 + random.below(5),
    inPath: required.filter(() => random.chance(0.5)),
  }
}

/** Columns that a caller must give, as `table.column`. */
export function requiredColumns({ table, parameters }: ApiForm): readonly string[] {
  return Object.entries(parameters).flatMap(([name, form]) => (needed.includes(form) ? [`${table}.${name}`] : []))
}

/** The table as the workspace file names it; JSON is YAML. */
export function tableConfig(form: ApiForm): object {
  const columns = columnsOf(form.table).filter(({ name }) => form.parameters[name] !== 'echo')
  return {
    name: form.table,
    endpoint: `/${[form.table, ...form.inPath.map((name) => `{${name}}`)].join('/')}`,
    params: Object.entries(form.parameters).map(([name, kind]) => ({
      name,
      type: columnsOf(form.table)
        .find((column) => column.name === name)
        ?.type.toLowerCase(),
      ...(needed.includes(kind) ? { required: true } : {}),
      ...(kind === 'exact' ? { exact: true } : {}),
    })),
    pagination: paginationConfig(form),
    response: {
      path: '$.rows',
      schema: columns.map(({ name, type }) => ({ name, type: type.toLowerCase() })),
    },
  }
}

function paginationConfig({ paging, pageSize }: ApiForm): object {
  switch (paging) {
    case 'none':
    case 'link_header':
      return { type: paging }
    case 'page':
      return { type: 'page', param: 'p_', size_param: 's_', size: pageSize }
    case 'total':
      return { type: 'page', param: 'p_', total_path: '$.total' }
    case 'offset':
      return { type: 'offset', param: 'o_', size_param: 's_', size: pageSize }
    case 'cursor':
      return { type: 'cursor', param: 'c_', next_path: '$.next' }
    case 'next_url':
      return { type: 'next_url', next_path: '$.next' }
  }
}
