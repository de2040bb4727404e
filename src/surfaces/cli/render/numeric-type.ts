const numericTypes = /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*)$/

/** Whether values of a DuckDB type are numbers, which stand right-aligned and are never shortened. */
export function isNumeric(type: string): boolean {
  return numericTypes.test(type)
}
