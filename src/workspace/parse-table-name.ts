import { QuerentError } from '../errors/querent-error.js'
import { tokenize } from '../policy/lexer.js'

/** The parts of a name as SQL writes it: `source.table`, `"odd name".t`. Throws `catalog.bad_name`. */
export function parseTableName(text: string): readonly string[] {
  const parts: string[] = []
  let wantsName = true
  for (const token of tokenize(text)) {
    const isName = token.kind === 'word' || token.kind === 'identifier'
    const isDot = token.kind === 'mark' && token.value === '.'
    if (wantsName ? !isName : !isDot) throw new QuerentError('catalog.bad_name', { name: text })
    if (isName)
      parts.push(text.slice(token.start, token.end).startsWith('"') ? token.value : text.slice(token.start, token.end))
    wantsName = isDot
  }
  if (wantsName) throw new QuerentError('catalog.bad_name', { name: text })
  return parts
}
