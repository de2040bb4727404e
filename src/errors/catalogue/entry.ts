import type { ErrorCategory, ErrorType } from '../category.js'

export interface CatalogueEntry {
  readonly category: ErrorCategory
  readonly errorType: ErrorType
  /** What failed. `{name}` stands for a parameter. */
  readonly message: string
  /** The next step, with the valid choices. */
  readonly hint?: string
}

/** Keeps the codes as literal types. */
export function define<Codes extends string>(entries: Record<Codes, CatalogueEntry>): Record<Codes, CatalogueEntry> {
  return entries
}
