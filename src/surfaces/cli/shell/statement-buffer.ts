import { QuerentError } from '../../../errors/querent-error.js'
import { isMark, tokenize } from '../../../policy/lexer.js'

/** Lines on their way to become statements, which end with a semicolon outside of quotes and comments. */
export class StatementBuffer {
  #text = ''

  get isEmpty(): boolean {
    return this.#text === ''
  }

  /** Takes a line; answers the statements that it completes. */
  add(line: string): readonly string[] {
    this.#text = this.#text === '' ? line : `${this.#text}\n${line}`
    const statements = line.includes(';') ? this.#takeStatements() : []
    if (this.#text.trim() === '') this.#text = ''
    return statements
  }

  /** Empties the buffer; answers the statement that was in it, if it holds more than comments. */
  take(): string | undefined {
    const text = this.#text
    this.#text = ''
    return isBlank(text) ? undefined : text
  }

  #takeStatements(): readonly string[] {
    const ends = endsOf(this.#text)
    const statements = ends.map((end, index) => this.#text.slice(ends[index - 1] ?? 0, end))
    this.#text = this.#text.slice(ends.at(-1) ?? 0)
    return statements.filter((statement) => !isBlank(statement))
  }
}

function isBlank(text: string): boolean {
  try {
    return tokenize(text).every((token) => isMark(token, ';'))
  } catch (error) {
    if (error instanceof QuerentError) return false
    throw error
  }
}

/** Offsets behind each semicolon; none while a quote or comment is open. */
function endsOf(text: string): readonly number[] {
  try {
    return tokenize(text)
      .filter((token) => isMark(token, ';'))
      .map((token) => token.end)
  } catch (error) {
    if (error instanceof QuerentError && error.code === 'sql.syntax') return []
    throw error
  }
}
