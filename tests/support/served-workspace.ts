import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { TempFolder } from './temp-folder.js'

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

export interface HttpAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export interface AuditLine {
  readonly event: string
  readonly queryId: string
  readonly outcome?: string
  readonly code?: string
}

/** `querent serve --http` as a process of its own, with the callers alice and bob. */
export class ServedWorkspace {
  readonly folder = new TempFolder()
  #server: ChildProcess | undefined
  #url = ''

  /** `config`: the workspace file without its server part. */
  async start(config: Readonly<Record<string, unknown>>): Promise<void> {
    const tokens = ['alice', 'bob'].map((name) => ({ name, token: `\${env:TOKEN_${name.toUpperCase()}}` }))
    const file = this.folder.write('querent.yaml', JSON.stringify({ version: 1, ...config, server: { tokens } }))
    const server = spawn(process.execPath, [cli, 'serve', '--http', '0', '--config', file], {
      env: {
        PATH: process.env['PATH'],
        HOME: this.folder.path,
        QUERENT_STATE_DIR: `${this.folder.path}/state`,
        TOKEN_ALICE: tokenOf('alice'),
        TOKEN_BOB: tokenOf('bob'),
      },
    })
    this.#server = server
    let said = ''
    const found = new Promise<string>((resolve, reject) => {
      const listen = (chunk: Buffer): void => {
        said += chunk.toString()
        const url = / at (http:\S+)/.exec(said)?.[1]
        if (url !== undefined) resolve(url)
      }
      server.stderr.on('data', listen)
      server.stdout.on('data', listen)
      server.once('exit', () => {
        reject(new TypeError(`the server ended: ${said}`))
      })
    })
    this.#url = await found
  }

  get server(): ChildProcess {
    if (this.#server === undefined) throw new TypeError('start the server first')
    return this.#server
  }

  /** The server's process and all that it started. */
  family(): readonly number[] {
    const pairs = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
    const family = [this.server.pid ?? 0]
    for (const member of family) {
      for (const [child, parent] of pairs) if (parent === member && child !== undefined) family.push(child)
    }
    return family
  }

  async request(
    method: string,
    route: string,
    options: { readonly caller?: string; readonly body?: unknown; readonly signal?: AbortSignal } = {},
  ): Promise<HttpAnswer> {
    const { caller = 'alice', body, signal } = options
    const response = await fetch(this.#url + route, {
      method,
      headers: { authorization: `Bearer ${tokenOf(caller)}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    return { status: response.status, body: (await response.json()) as HttpAnswer['body'] }
  }

  query(
    sql: string,
    options: { readonly caller?: string; readonly signal?: AbortSignal; readonly timeoutMs?: number } = {},
  ): Promise<HttpAnswer> {
    const { timeoutMs, ...rest } = options
    const body = timeoutMs === undefined ? { sql } : { sql, timeoutMs }
    return this.request('POST', '/v1/query', { ...rest, body })
  }

  /** The records of the audit log. */
  audit(): readonly AuditLine[] {
    const state = path.join(this.folder.path, 'state')
    const files = readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.jsonl'))
    const lines = files.flatMap((file) => readFileSync(path.join(state, file), 'utf8').split('\n'))
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as AuditLine)
  }

  /** Queries of the audit log that have a start and no end. */
  unfinished(): readonly string[] {
    const records = this.audit()
    const finished = new Set(records.filter(({ event }) => event === 'finished').map(({ queryId }) => queryId))
    return records
      .filter(({ event, queryId }) => event === 'started' && !finished.has(queryId))
      .map(({ queryId }) => queryId)
  }

  async stop(): Promise<void> {
    const { server } = this
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGKILL')
      await once(server, 'exit')
    }
    this.folder.remove()
  }
}

function tokenOf(caller: string): string {
  return `${caller}-0123456789abcdef0123456789abcdef`
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
