import { QuerentError } from '../errors/querent-error.js'
import { isMark, isWord, type Token } from './lexer.js'
import { closingIndex } from './token-walk.js'

/** The writing statements that a workspace open for writing takes. */
export type WriteStatement = 'INSERT' | 'UPDATE' | 'DELETE' | 'MERGE' | 'CREATE TABLE AS'

/** The class of the statement whose first token is its verb. Throws `policy.statement` for what never runs. */
export function readWriteStatement(tokens: readonly Token[]): WriteStatement {
  const [first, second] = tokens
  switch (first?.value) {
    case 'insert':
      return 'INSERT'
    case 'delete':
      return 'DELETE'
    case 'merge':
      return 'MERGE'
    case 'update':
      if (isWord(second, 'extensions') && !isWord(tokens[2], 'set', 'as')) refuse('UPDATE EXTENSIONS', first)
      return 'UPDATE'
    default:
      return readCreate(tokens)
  }
}

function readCreate(tokens: readonly Token[]): 'CREATE TABLE AS' {
  const kind = tokens.slice(1).find((token) => !isWord(token, 'or', 'replace', 'persistent'))
  if (!isWord(kind, 'table')) refuse(`CREATE ${kind?.value.toUpperCase() ?? ''}`.trimEnd(), kind)
  for (let index = 2; index < tokens.length; index++) {
    if (isMark(tokens[index], '(')) index = closingIndex(tokens, index)
    else if (isWord(tokens[index], 'as')) return 'CREATE TABLE AS'
  }
  return refuse('CREATE TABLE without AS', kind)
}

function refuse(statement: string, at: Token | undefined): never {
  const hint = 'Where the workspace is open for writing, CREATE TABLE … AS SELECT makes a table.'
  throw new QuerentError('policy.statement', { statement, hint }, at === undefined ? {} : { position: at.start })
}
