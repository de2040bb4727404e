import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TempFolder } from '../temp-folder.js'

export const root = fileURLToPath(new URL('../../..', import.meta.url))
export const cli = join(root, 'dist', 'cli.js')

/** What a reader of a page has at hand: a clone with the examples, a home, and the programs that the pages call. */
export class PageFolder {
  readonly #temp = new TempFolder()
  /** The clone. */
  readonly clone = join(this.#temp.path, 'querent')
  readonly shop = join(this.clone, 'examples', 'shop')
  readonly demo = join(this.clone, 'examples', 'demo')
  /** Where the stand-ins for programs of others write down how they were called. */
  readonly called = join(this.#temp.path, 'called')
  readonly env: Record<string, string>

  constructor() {
    for (const name of ['shop', 'demo']) {
      cpSync(join(root, 'examples', name), join(this.clone, 'examples', name), { recursive: true })
    }
    mkdirSync(join(this.clone, 'node_modules'))
    symlinkSync(root, join(this.clone, 'node_modules', 'querent'))
    const programs = join(this.#temp.path, 'bin')
    this.#writePrograms(programs)
    const home = join(this.#temp.path, 'home')
    mkdirSync(home)
    this.env = {
      PATH: `${programs}:${process.env['PATH'] ?? ''}`,
      HOME: home,
      XDG_STATE_HOME: join(home, 'state'),
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
    }
  }

  /** `querent` is the build; clients of others only note how they were called. */
  #writePrograms(folder: string): void {
    const querent = `exec '${process.execPath}' '${cli}' "$@"`
    mkdirSync(folder)
    mkdirSync(this.called)
    const programs = {
      querent,
      curl: `exec '${process.execPath}' '${join(root, 'tests', 'support', 'docs', 'curl.mjs')}' "$@"`,
      claude: `printf '%s\\n' "$@" > '${join(this.called, 'claude')}'`,
      codex: `printf '%s\\n' "$@" > '${join(this.called, 'codex')}'`,
    }
    for (const [name, script] of Object.entries(programs)) {
      writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
      chmodSync(join(folder, name), 0o755)
    }
  }

  /** Paths of this folder as pages write them: `/home/you/shop` and `/home/you`. */
  toPage(text: string): string {
    return text.replaceAll(this.shop, '/home/you/shop').replaceAll(this.clone, '/home/you/querent')
  }

  fromPage(text: string): string {
    return text.replaceAll('/home/you/shop', this.shop).replaceAll('/home/you/querent', this.clone)
  }

  remove(): void {
    this.#temp.remove()
  }
}
