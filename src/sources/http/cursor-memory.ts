/**
 * Which tables have shown where their next page is told. A path that was in no answer yet may be a typo: then the first
 * page would pass for all of them.
 */
export class CursorMemory {
  readonly #seen = new Set<string>()
  readonly #absent = new Set<string>()

  /** @param table the table's name */
  note(table: string, isThere: boolean): void {
    if (isThere) this.#seen.add(table)
    else this.#absent.add(table)
  }

  hasSeen(table: string): boolean {
    return this.#seen.has(table)
  }

  /** Answers came, and none had it. */
  isDoubtful(table: string): boolean {
    return this.#absent.has(table) && !this.#seen.has(table)
  }
}
