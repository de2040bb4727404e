import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { expect } from 'vitest'
import { connectServer } from './connect-server.js'
import { matches, withoutVolatile } from './compare-output.js'
import type { PageFolder } from './page-folder.js'

interface Step {
  readonly command: string
  readonly shown: string
}

interface Server {
  readonly process: ChildProcess
  /** `127.0.0.1:8080`, as the page names it. */
  readonly written: string
  readonly actual: string
}

/** Runs a page's commands one after the other, as a reader would in one terminal. Servers run until the page ends. */
export class ShellSession {
  readonly #folder: PageFolder
  readonly #env: Record<string, string>
  readonly #servers: Server[] = []
  #cwd: string
  #lastCode = 0

  constructor(folder: PageFolder) {
    this.#folder = folder
    this.#env = { ...folder.env }
    this.#cwd = folder.shop
  }

  /** A `sh` block: commands alone, each of which must succeed. */
  async runScript(text: string): Promise<void> {
    for (const command of joinContinued(text)) {
      const { output, code } = await this.#run(command)
      expect({ command, code, output: code === 0 ? '' : output }).toEqual({ command, code: 0, output: '' })
    }
  }

  /** A `console` block: `$ command`, `> more of it`, and what it prints on both streams. Answers the block as it is. */
  async runConsole(text: string): Promise<string> {
    const parts: string[] = []
    for (const { command, shown } of stepsOf(text)) {
      const { output } = await this.#run(command)
      const printed = matches(shown, output) ? shown : withoutVolatile(output)
      parts.push(`$ ${command.replaceAll('\n', '\n> ')}`, ...(printed.trim() === '' ? [] : [printed.trim()]))
    }
    return parts.join('\n')
  }

  async #run(written: string): Promise<{ readonly output: string; readonly code: number }> {
    const command = this.#fromPage(written)
    const folder = /^cd (\S+)$/.exec(command)?.[1]
    if (folder !== undefined) {
      this.#cwd = resolve(folder.startsWith('examples/') ? this.#folder.clone : this.#cwd, folder)
      return { output: '', code: 0 }
    }
    const variable = /^export ([A-Z_]+)=(\S+)$/.exec(command)
    if (variable !== null) {
      this.#env[variable[1] ?? ''] = variable[2] ?? ''
      return { output: '', code: 0 }
    }
    if (/^querent serve\b(?!.* --help)/.test(command)) return this.#serve(command)
    return this.#shell(command)
  }

  async #serve(command: string): Promise<{ readonly output: string; readonly code: number }> {
    const port = /--http (?:([\d.]+):)?(\d+)$/.exec(command)
    if (port === null) {
      await connectServer({ command: 'sh', args: ['-c', command], env: this.#env, cwd: this.#cwd })
      return { output: '', code: 0 }
    }
    const child = this.#spawn(`exec ${command.replace(/\d+$/, '0')}`)
    let output = ''
    for await (const chunk of child.stderr ?? []) {
      output += String(chunk)
      if (output.includes('Ctrl-C')) break
    }
    const actual = /http:\/\/([\d.]+:\d+) /.exec(output)?.[1]
    if (actual === undefined) return { output, code: child.exitCode ?? 1 }
    const written = `127.0.0.1:${port[2] ?? ''}`
    this.#servers.push({ process: child, written, actual: actual.replace('0.0.0.0', '127.0.0.1') })
    return { output: this.#toPage(output), code: 0 }
  }

  async #shell(command: string): Promise<{ readonly output: string; readonly code: number }> {
    // One stream for both, so that lines come in their order.
    const child = this.#spawn(`exec 2>&1\n(exit ${this.#lastCode})\n${command}`)
    let output = ''
    const take = (chunk: unknown): void => {
      output += String(chunk)
    }
    child.stdout?.on('data', take)
    child.stderr?.on('data', take)
    const [code] = (await once(child, 'close')) as [number | null]
    this.#lastCode = code ?? 1
    return { output: this.#toPage(output), code: this.#lastCode }
  }

  #spawn(script: string): ChildProcess {
    return spawn('sh', ['-c', script], {
      cwd: this.#cwd,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  #fromPage(text: string): string {
    return this.#servers.reduce(
      (command, { written, actual }) => command.replaceAll(written, actual),
      this.#folder.fromPage(text),
    )
  }

  #toPage(text: string): string {
    return this.#servers.reduce(
      (output, { written, actual }) => output.replaceAll(actual, written),
      this.#folder.toPage(text),
    )
  }

  /** Stops the servers as Ctrl-C would; each must end well. */
  async close(): Promise<void> {
    for (const { process: child } of this.#servers.splice(0)) {
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      expect((await ended)[0]).toBe(0)
    }
  }
}

function joinContinued(text: string): readonly string[] {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

function stepsOf(text: string): readonly Step[] {
  const steps: { command: string; shown: string }[] = []
  for (const line of text.split('\n')) {
    const last = steps.at(-1)
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), shown: '' })
    else if (last === undefined) throw new TypeError('a console block begins with "$ command"')
    else if (line.startsWith('> ') && last.shown === '') last.command += `\n${line.slice(2)}`
    else last.shown += `${line}\n`
  }
  return steps
}
