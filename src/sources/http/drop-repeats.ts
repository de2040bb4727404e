import { QuerentError } from '../../errors/querent-error.js'
import { scanJson } from '../../net/json-scan.js'
import type { HttpTable } from './http-table.js'
import { tableText } from './parameter-errors.js'
import type { RowsAnswer } from './read-answer.js'

/** Drops rows of one sequence of pages whose key came before: rows move between pages while they are read. */
export class RepeatFilter {
  readonly #table: HttpTable
  readonly #seen = new Set<string>()

  constructor(table: HttpTable) {
    this.#table = table
  }

  /** The page's text without repeats; undefined where nothing is left. A row without a key is kept. */
  async fresh({ text, overview }: RowsAnswer): Promise<string | undefined> {
    if (this.#table.key.length === 0) return text
    const rows: string[] = []
    for (const row of overview.sample) {
      const key = await this.#keyOf(row)
      if (key !== undefined && this.#seen.has(key)) continue
      if (key !== undefined) this.#seen.add(key)
      rows.push(row)
    }
    if (rows.length === 0) return undefined
    return rows.length === overview.rowCount ? text : this.#wrapped(rows)
  }

  async #keyOf(row: string): Promise<string | undefined> {
    const { key } = this.#table
    try {
      const { captured } = await scanJson(Buffer.from(row), { rowsPath: [], capture: key })
      return captured.some((value) => value === undefined || value === 'null') ? undefined : JSON.stringify(captured)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw new QuerentError('source.invalid_json', { subject: tableText(this.#table), reason: error.message })
    }
  }

  /** Rows in the shape of the answer that they came from. */
  #wrapped(rows: readonly string[]): string {
    const { shapePath } = this.#table
    const array = `[${rows.join(',')}]`
    return shapePath.reduceRight((inner, key) => `{${JSON.stringify(key)}:${inner}}`, array)
  }
}
