import { QuerentError } from '../errors/querent-error.js'
import { isTreeNode, type TreeNode } from '../model/tree.js'
import { fileFunctions, fileOptions, type FileFormat } from './functions.js'
import { literalOf, type Literal } from './literal.js'

/** A file function in FROM, read from its node: what the resolver makes a table of. */
export interface FileReference {
  /** In lower case, such as `read_csv_auto`. */
  readonly function: string
  readonly format: FileFormat
  /** As written: nothing is expanded or resolved. At least one. */
  readonly paths: readonly string[]
  /** Named options in lower case. Only those of `fileOptions`. */
  readonly options: Readonly<Record<string, Literal>>
}

/**
 * The file function of a TABLE_FUNCTION node; undefined for other nodes and functions. Throws `policy.file_argument`
 * for a path or option that is not written out, and for an option that is not allowed; `position` is the error's.
 */
export function fileReferenceOf(node: TreeNode, position?: number): FileReference | undefined {
  const call = node['type'] === 'TABLE_FUNCTION' && isTreeNode(node['function']) ? node['function'] : undefined
  const name = typeof call?.['function_name'] === 'string' ? call['function_name'].toLowerCase() : ''
  const format = fileFunctions.get(name)
  if (call === undefined || format === undefined) return undefined
  const [path, ...rest] = Array.isArray(call['children']) ? call['children'].filter(isTreeNode) : []
  const paths = path === undefined ? undefined : pathsOf(path)
  const refuse: Refusal = refusal(name, position)
  if (paths === undefined) {
    refuse('a path that is written out, or a list of them', "Write the path itself: FROM read_csv('data/file.csv').")
  }
  return { function: name, format, paths, options: optionsOf(format, rest, refuse) }
}

function pathsOf(node: TreeNode): readonly string[] | undefined {
  const value = typeof node['alias'] === 'string' && node['alias'] !== '' ? undefined : literalOf(node)
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value) || value.length === 0) return undefined
  const paths = (value as readonly Literal[]).filter((item): item is string => typeof item === 'string')
  return paths.length === value.length ? paths : undefined
}

function optionsOf(format: FileFormat, nodes: readonly TreeNode[], refuse: Refusal): Readonly<Record<string, Literal>> {
  const options = new Map<string, Literal>()
  const allowed = fileOptions[format]
  for (const node of nodes) {
    const named = namedArgument(node)
    if (named === undefined) refuse('one path and named options', 'Put several paths into a list: [ … ].')
    if (!allowed.has(named.name)) {
      refuse(`no option ${named.name}`, `Options: ${[...allowed].sort().join(', ')}.`)
    }
    const value = literalOf(named.value)
    if (value === undefined) refuse(`a value for ${named.name} that is written out`, 'Write the value itself.')
    options.set(named.name, value)
  }
  return Object.fromEntries(options)
}

/** `name = value` is a comparison with a column in the tree; `name := value` and `name => value` are aliases. */
function namedArgument(node: TreeNode): { readonly name: string; readonly value: TreeNode } | undefined {
  if (typeof node['alias'] === 'string' && node['alias'] !== '') {
    return { name: node['alias'].toLowerCase(), value: node }
  }
  const { left, right } = node
  if (node['type'] !== 'COMPARE_EQUAL' || !isTreeNode(left) || !isTreeNode(right)) return undefined
  const names: unknown = left['column_names']
  const name: unknown = Array.isArray(names) && names.length === 1 ? names[0] : undefined
  return typeof name === 'string' ? { name: name.toLowerCase(), value: right } : undefined
}

type Refusal = (problem: string, hint: string) => never

function refusal(name: string, position: number | undefined): Refusal {
  return (problem, hint) => {
    throw new QuerentError(
      'policy.file_argument',
      { function: name, problem, hint },
      position === undefined ? {} : { position },
    )
  }
}
