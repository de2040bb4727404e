/** P33: one clock for planning and running: macros in catalog `pin` that shadow DuckDB's own. */
const typeOfFunction: Readonly<Record<string, string>> = {
  now: 'TIMESTAMPTZ',
  current_timestamp: 'TIMESTAMPTZ',
  get_current_timestamp: 'TIMESTAMPTZ',
  transaction_timestamp: 'TIMESTAMPTZ',
  current_date: 'DATE',
  today: 'DATE',
  current_localtimestamp: 'TIMESTAMP',
  localtimestamp: 'TIMESTAMP',
  current_localtime: 'TIME',
  localtime: 'TIME',
  current_time: 'TIMETZ',
  get_current_time: 'TIMETZ',
}

export const clockCatalog = 'pin'

export const clockStatements: readonly string[] = [
  `ATTACH ':memory:' AS ${clockCatalog}`,
  ...Object.entries(typeOfFunction).map(
    ([name, type]) => `CREATE MACRO ${clockCatalog}.main."${name}"() AS ${castTo(type)}`,
  ),
]

function castTo(type: string): string {
  const clock = `CAST(getvariable('clock') AS TIMESTAMPTZ)`
  if (type === 'TIMESTAMPTZ') return clock
  // DuckDB has no cast of TIMESTAMPTZ to TIME.
  return type === 'TIME' ? `CAST(CAST(${clock} AS TIMESTAMP) AS TIME)` : `CAST(${clock} AS ${type})`
}
