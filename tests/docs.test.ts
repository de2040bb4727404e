import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { matches } from './support/docs/compare-output.js'
import { startCalled, startConfigured, startToml } from './support/docs/client-configs.js'
import { readBlocks, replaceBlock, type DocBlock } from './support/docs/doc-blocks.js'
import { brokenLinks } from './support/docs/links.js'
import { loadYaml } from './support/docs/load-yaml.js'
import { PageFolder, root } from './support/docs/page-folder.js'
import { PageWorkspace } from './support/docs/page-workspace.js'
import { runProgramBlock, typeFaults, type ProgramBlock } from './support/docs/program-blocks.js'
import { ShellSession } from './support/docs/shell-session.js'
import { ToolCalls } from './support/docs/tool-calls.js'

/** QUERENT_UPDATE_DOCS=1 writes the outputs of the runs into the pages instead of comparing them. */
const rewrite = process.env['QUERENT_UPDATE_DOCS'] === '1'

const pages = ['README.md', 'CHANGELOG.md', ...docsBelow('docs')]

function docsBelow(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
    .sort()
}

/** Commands that are not run, with what is checked of each instead. */
const elsewhere: readonly (readonly [RegExp, (script: string) => void])[] = [
  // A fresh clone is what CI makes and runs.
  [/^npm ci && npm (?:run )?([\w:]+)$/, expectScript],
  [/^npm run ([\w:]+)$/, expectScript],
  // They need a server, and change the machine.
  [/^git clone \S+ querent$/, () => undefined],
  [/^npm install (?:-g )?\.$/, () => undefined],
]

function expectScript(script: string): void {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  expect(Object.keys(scripts)).toContain(script)
}

/** One page's blocks, run in order by one reader. */
class PageRun {
  readonly folder = new PageFolder()
  readonly #shell = new ShellSession(this.folder)
  readonly #page: string
  #workspace: Promise<PageWorkspace> | undefined
  #calls: Promise<ToolCalls> | undefined
  /** What the `ts` block above printed. */
  #printed: string | undefined

  constructor(page: string) {
    this.#page = page
  }

  /** The block's text as it should be: what it shows, with the outputs that its run gave. */
  async run(block: DocBlock): Promise<string> {
    const printed = this.#printed
    this.#printed = undefined
    const { language, text } = block
    switch (language) {
      case 'console':
        return this.#shell.runConsole(text)
      case 'json':
        return this.#runJson(text, block.note)
      case 'text':
        // The output of the program above it.
        return matches(text, printed ?? '') ? text : (printed ?? 'no program stands above').trim()
      case 'sh':
        await this.#runScript(text)
        return text
      case 'sql':
        await (await this.workspace()).runSql(text)
        return text
      case 'yaml':
        await loadYaml(text)
        return text
      case 'toml':
        await startToml(this.folder, text)
        return text
      case 'ts':
        this.#printed = await runProgramBlock(this.folder, programOf(this.#page, block))
        return text
      default:
        throw new TypeError(`nobody runs blocks of the language "${language}"`)
    }
  }

  async #runScript(text: string): Promise<void> {
    const rest: string[] = []
    for (const line of text.split('\n')) {
      const known = elsewhere.find(([pattern]) => pattern.test(line))
      if (known === undefined) rest.push(line)
      else known[1](known[0].exec(line)?.[1] ?? '')
    }
    await this.#shell.runScript(rest.join('\n'))
    for (const program of ['claude', 'codex']) {
      if (rest.some((line) => line.startsWith(`${program} `))) await startCalled(this.folder, program)
    }
  }

  /** Tool calls and answers by their notes, clients' configurations by their keys; nothing else. */
  async #runJson(text: string, note: string | undefined): Promise<string> {
    const value: unknown = JSON.parse(text)
    const tool = /^call: (\w+)$/.exec(note ?? '')?.[1]
    if (note === 'answer') {
      const answer = (await this.calls()).answerLike(value)
      return isDeepStrictEqual(answer, value) ? text : JSON.stringify(answer, undefined, 2)
    }
    if (tool === undefined) await startConfigured(this.folder, value)
    else await (await this.calls()).call(tool, value)
    return text
  }

  workspace(): Promise<PageWorkspace> {
    const name = /<!-- workspace: demo -->/.test(readFileSync(join(root, this.#page), 'utf8')) ? 'demo' : 'shop'
    return (this.#workspace ??= PageWorkspace.open(this.folder, name))
  }

  calls(): Promise<ToolCalls> {
    return (this.#calls ??= this.workspace().then(({ workspace }) => ToolCalls.open(workspace)))
  }

  async close(): Promise<void> {
    try {
      await this.#shell.close()
      await (await this.#calls)?.close()
      await (await this.#workspace)?.close()
    } finally {
      this.folder.remove()
    }
  }
}

function programOf(page: string, block: DocBlock): ProgramBlock {
  return { name: `${page.replaceAll(/\W/g, '-')}-${block.line}.ts`, text: block.text }
}

describe.each(pages)('%s', (page) => {
  const blocks = readBlocks(join(root, page))
  let run: PageRun

  beforeAll(() => {
    run = new PageRun(page)
  })
  afterAll(() => run.close())

  it('links to what is there', () => {
    expect(brokenLinks(join(root, page))).toEqual([])
  })

  for (const block of blocks) {
    it(`line ${block.line}: ${block.language}`, async () => {
      const text = await run.run(block)
      if (!rewrite) expect(text.trimEnd()).toBe(block.text.trimEnd())
      else if (text.trimEnd() !== block.text.trimEnd()) replaceBlock(join(root, page), block, text)
    })
  }
})

it('the programs of all pages fit the types of the package', () => {
  const programs = pages.flatMap((page) =>
    readBlocks(join(root, page))
      .filter(({ language }) => language === 'ts')
      .map((block) => programOf(page, block)),
  )
  expect(programs.length).toBeGreaterThan(0)
  expect(typeFaults(programs)).toEqual([])
})

it.each(['generate-errors.mjs', 'generate-keys.mjs'])('what scripts/%s writes is up to date', (script) => {
  execFileSync(process.execPath, [join(root, 'scripts', script), '--check'], { stdio: 'pipe' })
})

it('every page of docs/ is linked from README.md or docs/README.md', () => {
  const index = ['README.md', 'docs/README.md'].map((page) => readFileSync(join(root, page), 'utf8')).join('\n')
  const missing = docsBelow('docs').filter((page) => {
    const own = relative('docs', page)
    return own !== 'README.md' && !index.includes(`(${own})`) && !index.includes(`(${page})`)
  })
  expect(missing).toEqual([])
  expect(existsSync(join(root, 'LICENSE'))).toBe(true)
})
