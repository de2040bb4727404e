/** What a refused statement is called in messages, and what to write instead. */
export interface RefusedStatement {
  readonly statement: string
  readonly hint: string
}

/** Words that a query starts with. */
export const queryStarts: ReadonlySet<string> = new Set([
  ...['select', 'from', 'with', 'values', 'table', 'pivot', 'pivot_wider', 'unpivot', 'pivot_longer'],
  ...['describe', 'desc', 'show', 'summarize'],
])

/** Words that a statement which changes rows starts with. */
export const writeStarts: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'merge'])

const select = 'Write one SELECT statement.'
const rows = 'Write one SELECT and take its rows from the answer.'
const sources = 'Name files and databases as sources in the workspace file; then they are tables.'
const settings = 'Settings belong to the workspace file. Write one SELECT statement.'
const transactions = 'Each statement is a transaction of its own. Write one SELECT statement.'
const shape = 'Where the workspace is open for writing, CREATE TABLE … AS SELECT makes a table.'

const hints: Readonly<Record<string, string>> = {
  alter: shape,
  attach: sources,
  begin: transactions,
  call: 'Use SELECT * FROM <table>; search_tables and describe_table show what there is.',
  checkpoint: select,
  commit: transactions,
  copy: rows,
  create: shape,
  deallocate: 'Pass values as params of the query.',
  detach: sources,
  drop: shape,
  end: transactions,
  execute: 'Pass values as params of the query.',
  export: rows,
  import: sources,
  install: 'Extensions belong to the workspace. Write one SELECT statement.',
  load: 'Extensions belong to the workspace. Write one SELECT statement.',
  pragma: 'Use DESCRIBE <table> or SHOW TABLES.',
  prepare: 'Pass values as params of the query.',
  reset: settings,
  rollback: transactions,
  set: settings,
  start: transactions,
  truncate: 'Where the workspace is open for writing, DELETE FROM <table> removes all rows.',
  use: 'Qualify tables as source.table.',
}

const others =
  'abort analyse analyze close cluster comment declare discard fetch force grant listen lock move notify reassign ' +
  'refresh reindex release replace revoke savepoint security unlisten vacuum update_extensions explain'

const refused: ReadonlySet<string> = new Set([...Object.keys(hints), ...others.split(' ')])

/** The class of a statement that starts with this word and never runs; undefined for a word that starts no statement. */
export function refusedStatement(word: string): RefusedStatement | undefined {
  if (!refused.has(word)) return undefined
  return { statement: word.replaceAll('_', ' ').toUpperCase(), hint: hints[word] ?? select }
}

/** Every word that a statement of DuckDB may start with, for near misses. */
export const statementStarts: readonly string[] = [...queryStarts, ...writeStarts, 'explain', ...refused]
