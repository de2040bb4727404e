import { readFileSync, writeFileSync } from 'node:fs'

/** A fenced code block of a Markdown page. */
export interface DocBlock {
  /** 1-based line of the opening fence. */
  readonly line: number
  /** First word behind the fence, such as `sh`; empty where there is none. */
  readonly language: string
  readonly text: string
  /** Text of an HTML comment directly above the block, such as `call: query`. */
  readonly note: string | undefined
}

/** All fenced blocks of a page, in order. Throws for a fence that is not closed. */
export function readBlocks(file: string): readonly DocBlock[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  const blocks: DocBlock[] = []
  for (let index = 0; index < lines.length; index++) {
    const open = /^\s*(`{3,})\s*(\S*)/.exec(lines[index] ?? '')
    if (open === null) continue
    const [, fence = '', language = ''] = open
    const end = lines.findIndex((line, at) => at > index && line.trim() === fence)
    if (end < 0) throw new TypeError(`${file}:${index + 1}: the block is not closed`)
    const text = lines.slice(index + 1, end).join('\n')
    blocks.push({ line: index + 1, language, text, note: noteAbove(lines, index) })
    index = end
  }
  return blocks
}

/** Puts another text into a block, found by its text. */
export function replaceBlock(file: string, block: DocBlock, text: string): void {
  const page = readFileSync(file, 'utf8')
  const fence = `\`\`\`${block.language}\n`
  writeFileSync(
    file,
    page.replace(`${fence}${block.text}\n`, () => `${fence}${text.trimEnd()}\n`),
  )
}

function noteAbove(lines: readonly string[], index: number): string | undefined {
  const above = lines.slice(0, index).findLast((line) => line.trim() !== '')
  return /^<!--\s*(.*?)\s*-->$/.exec(above?.trim() ?? '')?.[1]
}
