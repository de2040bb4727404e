import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../src', import.meta.url))

/** Folder to rank; see ARCHITECTURE.md. A file imports from its own folder or a lower rank. */
const ranks: Readonly<Record<string, number>> = {
  errors: 0,
  util: 0,
  model: 1,
  config: 2,
  policy: 2,
  identity: 2,
  net: 2,
  state: 2,
  sources: 3,
  engine: 4,
  sandbox: 4,
  packs: 5,
  semantic: 5,
  workspace: 6,
  surfaces: 7,
}
const entryRank = 8

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))

/** Relative imports of a file, type-only ones included, as paths below src/. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(path.join(root, file), 'utf8')
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map((imported) => imported.fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => path.posix.normalize(path.posix.join(path.posix.dirname(file), name)).replace(/\.js$/, '.ts'))
}

const graph = new Map(files.map((file) => [file, importsOf(file)]))

function folderOf(file: string): string | undefined {
  return file.includes('/') ? file.split('/')[0] : undefined
}

function rankOf(file: string): number {
  const folder = folderOf(file)
  return folder === undefined ? entryRank : (ranks[folder] ?? Number.NaN)
}

/** Imports that the layout forbids, as `importer -> imported`. */
export function forbiddenImports(edges: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const forbidden: string[] = []
  for (const [file, imports] of edges) {
    for (const imported of imports) {
      const sameFolder = folderOf(file) === folderOf(imported)
      const kinds = [file, imported].map((name) => /^sources\/([^/]+)\//.exec(name)?.[1])
      const siblings = kinds[0] !== undefined && kinds[1] !== undefined && kinds[0] !== kinds[1]
      const lower = rankOf(imported) < rankOf(file)
      if (siblings || !(sameFolder || lower)) forbidden.push(`${file} -> ${imported}`)
    }
  }
  return forbidden
}

/** One cycle of imports, or undefined. */
export function findCycle(edges: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>()
  const visit = (file: string, trail: readonly string[]): readonly string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const imported of edges.get(file) ?? []) {
      const cycle = visit(imported, [...trail, file])
      if (cycle !== undefined) return cycle
    }
    done.add(file)
    return undefined
  }
  for (const file of edges.keys()) {
    const cycle = visit(file, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}

describe('architecture', () => {
  it('finds files and gives each folder a rank', () => {
    expect(files.length).toBeGreaterThan(20)
    expect(files.filter((file) => Number.isNaN(rankOf(file)))).toEqual([])
  })

  it('imports only from the own folder or a lower rank, and never between kinds of source', () => {
    expect(forbiddenImports(graph)).toEqual([])
  })

  it('has no cycle', () => {
    expect(findCycle(graph)).toBeUndefined()
  })

  it('imports only files that are there', () => {
    const missing = [...graph].flatMap(([file, imports]) =>
      imports.filter((imported) => !graph.has(imported)).map((imported) => `${file} -> ${imported}`),
    )
    expect(missing).toEqual([])
  })

  it('would notice a forbidden import and a cycle', () => {
    expect(
      forbiddenImports(
        new Map([
          ['net/a.ts', ['engine/b.ts', 'state/c.ts', 'util/d.ts']],
          ['sources/http/a.ts', ['sources/file/b.ts', 'sources/source.ts']],
        ]),
      ),
    ).toEqual(['net/a.ts -> engine/b.ts', 'net/a.ts -> state/c.ts', 'sources/http/a.ts -> sources/file/b.ts'])
    expect(
      findCycle(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['a']],
        ]),
      ),
    ).toEqual(['a', 'b', 'c', 'a'])
  })
})
