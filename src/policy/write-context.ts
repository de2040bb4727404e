import { isMark, isWord, type Token } from './lexer.js'
import { closingIndex } from './token-walk.js'
import {
  afterTable,
  beforeSourceTable,
  endsTableList,
  functionsWithFrom,
  syntaxBeforeParenthesis,
} from './write-keywords.js'

/** What a name in a writing statement is: a table that is read, the table that is written, or an alias of one. */
type Place = 'source' | 'target' | 'alias'

interface Frame {
  inTableList: boolean
  /** The parentheses belong to EXTRACT or its like. */
  readonly isFunctionWithFrom: boolean
}

/** Reads a writing statement's tokens once and knows where its tables stand. Unsure means: an expression. */
export class WriteContext {
  readonly #tokens: readonly Token[]
  readonly #places: readonly (Place | undefined)[]

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
    this.#places = new PlaceReader(tokens).read()
  }

  isTablePosition(index: number): boolean {
    return this.#places[index] === 'source' || this.#places[index] === 'target'
  }

  isSource(index: number): boolean {
    return this.#places[index] === 'source'
  }

  /** Whether a name before a parenthesis is no function: syntax, a type, or a table or alias before its columns. */
  isNotCall(index: number): boolean {
    const token = this.#tokens[index]
    const previous = this.#tokens[index - 1]
    if (this.#places[index] === 'target' || this.#places[index] === 'alias') return true
    if (this.#places[index] === 'source' || isMark(previous, '.')) return false
    if (isWord(previous, 'as') || (previous?.kind === 'operator' && previous.value === '::')) return true
    if (this.#isCommonTable(index)) return true
    return token?.kind === 'word' && syntaxBeforeParenthesis.has(token.value)
  }

  /** `name(columns) AS [NOT MATERIALIZED] (`: nothing but a common table expression is written so. */
  #isCommonTable(index: number): boolean {
    let next = closingIndex(this.#tokens, index + 1) + 1
    if (!isWord(this.#tokens[next], 'as')) return false
    next++
    while (isWord(this.#tokens[next], 'not', 'materialized')) next++
    return isMark(this.#tokens[next], '(')
  }
}

class PlaceReader {
  readonly #places: (Place | undefined)[] = []
  readonly #frames: Frame[] = [{ inTableList: false, isFunctionWithFrom: false }]
  readonly #tokens: readonly Token[]
  readonly #takesUsing: boolean
  #expected: Place | undefined

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
    this.#takesUsing = tokens.some((token) => isWord(token, 'merge', 'delete'))
  }

  read(): readonly (Place | undefined)[] {
    for (const [index, token] of this.#tokens.entries()) {
      this.#places.push(this.#place(token, index))
    }
    return this.#places
  }

  #place(token: Token, index: number): Place | undefined {
    if (token.kind === 'mark') {
      this.#mark(token, index)
      return undefined
    }
    const expected = this.#expected
    if (expected !== undefined && !this.#isBetween(token)) {
      this.#expected = undefined
      const isTable = token.kind === 'identifier' || token.kind === 'string' || !startsQuery(token)
      if (isTable) return expected
    }
    if (token.kind === 'word' && this.#keyword(token, index)) return undefined
    return this.#isAlias(token, index) ? 'alias' : undefined
  }

  #mark(token: Token, index: number): void {
    const frame = this.#frame()
    if (token.value === '(') {
      const opener = this.#tokens[index - 1]
      const isFunctionWithFrom = opener?.kind === 'word' && functionsWithFrom.has(opener.value)
      this.#frames.push({ inTableList: this.#expected === 'source', isFunctionWithFrom })
    } else if (token.value === ')') {
      if (this.#frames.length > 1) this.#frames.pop()
      this.#expected = undefined
    } else if (token.value === ',') {
      this.#expected = frame.inTableList ? 'source' : undefined
    } else if (token.value === '.') {
      this.#expected = this.#places[index - 1]
    }
  }

  /** Words between a keyword and the table it announces. */
  #isBetween(token: Token): boolean {
    if (this.#expected === 'target') return isWord(token, 'if', 'not', 'exists')
    return isWord(token, 'lateral', 'only')
  }

  /** Whether the word was syntax that says what follows. */
  #keyword(token: Token, index: number): boolean {
    const frame = this.#frame()
    const word = token.value
    const previous = this.#tokens[index - 1]
    if (word === 'from' && (isWord(previous, 'distinct') || frame.isFunctionWithFrom)) return true
    if (word === 'into' || (word === 'update' && index === 0) || (word === 'table' && isCreate(this.#tokens))) {
      this.#expected = 'target'
      return true
    }
    if (word === 'table' || (word === 'using' && this.#takesUsing) || beforeSourceTable.has(word)) {
      this.#expected = 'source'
      frame.inTableList = true
      return true
    }
    if (endsTableList.has(word)) {
      frame.inTableList = false
      return true
    }
    return false
  }

  /** The name right after a table, or after AS behind one. */
  #isAlias(token: Token, index: number): boolean {
    if (token.kind !== 'word' && token.kind !== 'identifier') return false
    if (token.kind === 'word' && afterTable.has(token.value)) return false
    const before = isWord(this.#tokens[index - 1], 'as') ? index - 2 : index - 1
    if (this.#places[before] === 'source' || this.#places[before] === 'target') return true
    return this.#frame().inTableList && isMark(this.#tokens[before], ')')
  }

  #frame(): Frame {
    return this.#frames.at(-1) ?? { inTableList: false, isFunctionWithFrom: false }
  }
}

function isCreate(tokens: readonly Token[]): boolean {
  return isWord(tokens[0], 'create')
}

function startsQuery(token: Token): boolean {
  return isWord(token, 'select', 'with', 'values', 'table', 'from', 'set', 'pivot', 'unpivot', 'summarize', 'describe')
}
