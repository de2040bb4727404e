import type { HttpTableConfig } from './table-config.js'
import { parseRowsPath } from './json-path.js'

/** Signs of an error in an answer that looks like one with rows. */
export interface ErrorShape {
  /** Keys to values that are errors where there is something. */
  readonly paths: readonly (readonly string[])[]
  readonly isErrorStatus: (status: number) => boolean
}

export function createErrorShape(config: HttpTableConfig['response']['error']): ErrorShape {
  const paths = config?.path === undefined ? [] : [config.path].flat()
  const rules = (config?.status ?? []).map(statusRule)
  return {
    paths: paths.map((path) => parseRowsPath(path) ?? []),
    isErrorStatus: (status) => rules.some((rule) => rule(status)),
  }
}

/** Reads `404`, `"5xx"` and `">=400"`. */
function statusRule(rule: string | number): (status: number) => boolean {
  const text = String(rule).toLowerCase().replaceAll(' ', '')
  if (text.endsWith('xx')) return (status) => Math.floor(status / 100) === Number(text[0])
  const [, operator = '', digits] = /^(>=|<=|>|<)?(\d+)$/.exec(text) ?? []
  const bound = Number(digits)
  switch (operator) {
    case '>=':
      return (status) => status >= bound
    case '<=':
      return (status) => status <= bound
    case '>':
      return (status) => status > bound
    case '<':
      return (status) => status < bound
    default:
      return (status) => status === bound
  }
}
