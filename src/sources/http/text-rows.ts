import { setImmediate as nextTurn } from 'node:timers/promises'

export type TextFormat = 'ndjson' | 'csv'

/** Rows between two turns of the event loop. */
const sliceRows = 10_000

/** The document of rows that a text of another format stands for, as a JSON array. Throws SyntaxError for what is none. */
export async function toJsonArray(text: string, format: TextFormat): Promise<string> {
  return format === 'csv' ? await csvToJson(text) : ndjsonToJson(text)
}

/** A line's end cannot stand inside of a JSON value but as white space between its parts. */
function ndjsonToJson(text: string): string {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return `[${lines.join(',\n')}]`
}

/** RFC 4180 with a header. Values are texts; a field with nothing in it is null, and `""` an empty text. */
async function csvToJson(text: string): Promise<string> {
  const records = new CsvRecords(text)
  const header = records.next()
  if (header === undefined) throw new SyntaxError('it has no header')
  const keys = header.map((field) => field ?? '')
  if (new Set(keys).size < keys.length) throw new SyntaxError('a name stands twice in its header')
  const names = keys.map((key) => JSON.stringify(key))
  const rows: string[] = []
  for (let record = records.next(); record !== undefined; record = records.next()) {
    if (record.length !== names.length) {
      if (record.length === 1 && record[0] === undefined) continue
      throw new SyntaxError(`record ${rows.length + 1} has ${record.length} fields, the header ${names.length}`)
    }
    const fields = record.map(
      (field, index) => `${names[index] ?? ''}:${field === undefined ? 'null' : JSON.stringify(field)}`,
    )
    rows.push(`{${fields.join(',')}}`)
    if (rows.length % sliceRows === 0) await nextTurn()
  }
  return `[${rows.join(',')}]`
}

class CsvRecords {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Fields of the next record; undefined in place of one with nothing in it. */
  next(): readonly (string | undefined)[] | undefined {
    const text = this.#text
    if (this.#at >= text.length) return undefined
    const fields: (string | undefined)[] = []
    for (;;) {
      fields.push(text[this.#at] === '"' ? this.#quoted() : this.#plain())
      const mark = text[this.#at]
      if (mark === ',') {
        this.#at++
        continue
      }
      if (mark === '\r' && text[this.#at + 1] === '\n') this.#at++
      this.#at++
      if (mark === undefined || mark === '\n' || mark === '\r') return fields
      throw new SyntaxError(`a quoted field goes on after its quote, at character ${this.#at}`)
    }
  }

  #plain(): string | undefined {
    const end = /[,\r\n]/g
    end.lastIndex = this.#at
    const stop = end.exec(this.#text)?.index ?? this.#text.length
    const field = this.#text.slice(this.#at, stop)
    this.#at = stop
    if (field.includes('"')) throw new SyntaxError(`a quote stands inside a field, at character ${stop}`)
    return field === '' ? undefined : field
  }

  #quoted(): string {
    const parts: string[] = []
    let start = this.#at + 1
    for (;;) {
      const end = this.#text.indexOf('"', start)
      if (end < 0) throw new SyntaxError('it ends inside a quoted field')
      parts.push(this.#text.slice(start, end))
      if (this.#text[end + 1] !== '"') {
        this.#at = end + 1
        return parts.join('"')
      }
      start = end + 2
    }
  }
}
