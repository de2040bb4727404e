import { type CST, type LineCounter, Parser } from 'yaml'

/** The tokens of a text, and where it is nested too deeply. The parser behind them does not call itself. */
export function yamlTokens(
  text: string,
  lines: LineCounter,
  maxDepth: number,
): { readonly tokens: readonly CST.Token[]; readonly tooDeepAt: number | undefined } {
  const tokens = [...new Parser(lines.addNewLine).parse(text)]
  return { tokens, tooDeepAt: tooDeepAt(tokens, maxDepth) }
}

/** What follows does call itself for each level, and a deep text could end the process: hence a walk without calls. */
function tooDeepAt(tokens: readonly CST.Token[], maxDepth: number): number | undefined {
  const open = tokens.map((token) => ({ token, depth: 0 }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next
    if (depth > maxDepth) return token.offset
    if (token.type === 'document' && token.value !== undefined) open.push({ token: token.value, depth })
    if (!('items' in token)) continue
    for (const { key, value } of token.items) {
      for (const child of [key, value])
        if (child !== undefined && child !== null) open.push({ token: child, depth: depth + 1 })
    }
  }
  return undefined
}
