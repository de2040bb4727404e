import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TestWorkspace } from '../../../../tests/support/query-workspace.js'
import type { OutputStream } from '../output.js'
import { runShell } from './run-shell.js'

const yaml = `version: 1
name: shell
sources:
  - name: sales
    kind: file
    tables:
      - { name: orders, path: ./orders.csv }
`

/** A terminal of 80 columns: what is typed goes in, what is shown comes out. */
class Terminal {
  readonly input = Object.assign(new PassThrough(), { isTTY: true })
  readonly screen: OutputStream & PassThrough = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
  #shown = ''
  #seenLength = 0
  #wake: () => void = () => undefined

  constructor() {
    this.screen.on('data', (piece) => {
      this.#shown += String(piece)
      this.#wake()
    })
  }

  type(keys: string): void {
    this.input.write(keys)
  }

  /** Waits for what is shown after the last match. */
  async shows(pattern: RegExp): Promise<string> {
    for (;;) {
      const fresh = this.#shown.slice(this.#seenLength)
      const match = pattern.exec(fresh)
      if (match !== null) {
        this.#seenLength += match.index + match[0].length
        return fresh
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}

let made: TestWorkspace
let terminal: Terminal
let left: Promise<number>
let stop: AbortController
let stateBefore: string | undefined

beforeEach(async () => {
  made = new TestWorkspace()
  stateBefore = process.env['QUERENT_STATE_DIR']
  process.env['QUERENT_STATE_DIR'] = made.env['QUERENT_STATE_DIR']
  made.folder.write('orders.csv', 'order_id,amount\n1,10\n2,20\n')
  const workspace = await made.open(yaml)
  terminal = new Terminal()
  stop = new AbortController()
  const output = { out: terminal.screen, err: terminal.screen }
  left = runShell(workspace, { input: terminal.input, signal: stop.signal }, output)
  await terminal.shows(/querent> /)
})

afterEach(async () => {
  stop.abort()
  await left
  await made.close()
  if (stateBefore === undefined) delete process.env['QUERENT_STATE_DIR']
  else process.env['QUERENT_STATE_DIR'] = stateBefore
})

describe('the prompt', () => {
  it('completes tables and columns with Tab', async () => {
    terminal.type('SELECT order_')
    terminal.type('\t')
    await terminal.shows(/order_id/)
    terminal.type(' FROM sales.')
    terminal.type('\t')
    await terminal.shows(/sales\.orders/)
    terminal.type(';\r')
    await terminal.shows(/│ +2 │/)
  })

  it('takes statements of several lines, and dot commands', async () => {
    terminal.type('SELECT sum(amount) AS total\r')
    await terminal.shows(/\.\.\.> /)
    terminal.type('FROM sales.orders;\r')
    await terminal.shows(/│ +30 │/)
    terminal.type('.timer on\r')
    await terminal.shows(/querent> /)
    terminal.type('SELECT 1;\r')
    await terminal.shows(/\d\.\d{3} s/)
    terminal.type('.explain FROM sales.orders\r')
    await terminal.shows(/read in place/)
    terminal.type('.timr\r')
    await terminal.shows(/Did you mean \.timer/)
  })

  it('cancels what runs on Ctrl-C, and stays', async () => {
    terminal.type('SELECT count(*) FROM range(1000000000000);\r')
    await terminal.shows(/running, \d s/)
    terminal.type('\u0003')
    await terminal.shows(/limit\.cancelled/)
    terminal.type('SELECT 6 * 7 AS n;\r')
    await terminal.shows(/│ +42 │/)
  })

  it('drops what is typed on Ctrl-C while nothing runs', async () => {
    terminal.type('SELECT 1 +\r')
    await terminal.shows(/\.\.\.> /)
    terminal.type('nonsense\u0003')
    await terminal.shows(/\^C\n[^>]*querent> /)
    terminal.type('SELECT 5 AS n;\r')
    await terminal.shows(/│ +5 │/)
  })

  it('leaves on Ctrl-D, and remembers what was typed', async () => {
    terminal.type('SELECT 7;\r')
    await terminal.shows(/│ +7 │/)
    terminal.type('\u0004')
    expect(await left).toBe(0)
    const again = new Terminal()
    const output = { out: again.screen, err: again.screen }
    const second = runShell(made.workspace, { input: again.input, signal: stop.signal }, output)
    await again.shows(/querent> /)
    again.type('\u001b[A')
    await again.shows(/SELECT 7;/)
    again.type('\u0003\u0004')
    expect(await second).toBe(0)
  })

  it('shortens wide cells to the terminal, and says so', async () => {
    terminal.type("SELECT repeat('x', 300) AS wide, 1 AS n;\r")
    await terminal.shows(/x… │ +1 │/)
    await terminal.shows(/1 cell is shortened/)
  })
})
