const reasons: Readonly<Record<string, string>> = {
  main: 'DuckDB calls its default schema so',
  temp: 'DuckDB keeps temporary tables there',
  system: 'Querent keeps its own tables there, such as system.audit',
  memory: 'DuckDB calls its in-memory database so',
  scratch: 'it holds what queries save with saveAs',
  metrics: 'it is kept for semantic models',
  files: 'it holds the files that are named on the command line',
  information_schema: 'it describes the catalog',
  pg_catalog: 'it is the catalog of PostgreSQL clients',
}

/** Why no source may have this name; undefined for a name that is free. Case does not matter. */
export function reservedReason(name: string): string | undefined {
  const folded = name.toLowerCase()
  return Object.hasOwn(reasons, folded) ? reasons[folded] : undefined
}
