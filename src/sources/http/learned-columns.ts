import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { HttpTableConfig } from './table-config.js'
import type { AnswerColumn } from './http-table.js'

const learnedFile = z.strictObject({
  version: z.literal(1),
  fingerprint: z.string(),
  columns: z.array(
    z.strictObject({
      name: z.string().min(1),
      type: z.string().min(1),
      path: z.array(z.union([z.string(), z.int()])),
    }),
  ),
})

/** Columns that answers taught, kept over restarts: one file (0600) per table in the source's private folder. */
export class LearnedColumns {
  readonly #folder: string
  readonly #baseUrl: string

  constructor(folder: string, baseUrl: string) {
    this.#folder = folder
    this.#baseUrl = baseUrl
  }

  /** undefined where nothing is kept, or what is kept was learned of another endpoint. */
  async load(table: HttpTableConfig): Promise<readonly AnswerColumn[] | undefined> {
    try {
      const parsed = learnedFile.parse(JSON.parse(await readFile(this.#path(table), 'utf8')))
      return parsed.fingerprint === this.#fingerprint(table) ? parsed.columns : undefined
    } catch {
      // Missing, cut off or of another version: it is learned again.
      return undefined
    }
  }

  /** Replaces the file as a whole, so that a crash leaves the old one. */
  async save(table: HttpTableConfig, columns: readonly AnswerColumn[]): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const content = {
      version: 1,
      fingerprint: this.#fingerprint(table),
      columns: columns.map(({ name, type, path }) => ({ name, type, path })),
    }
    const temporary = join(this.#folder, `.${randomUUID()}`)
    try {
      await writeFile(temporary, JSON.stringify(content), { mode: 0o600, flag: 'wx' })
      await rename(temporary, this.#path(table))
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  #path(table: HttpTableConfig): string {
    return join(this.#folder, `columns-${table.name.toLowerCase()}.json`)
  }

  #fingerprint(table: HttpTableConfig): string {
    const facts = [
      this.#baseUrl,
      table.method,
      table.endpoint,
      table.body,
      table.requests,
      table.response.path,
      table.params.map(({ name }) => name),
    ]
    return createHash('sha256').update(JSON.stringify(facts)).digest('hex')
  }
}
