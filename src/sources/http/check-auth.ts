import type { z } from 'zod'
import type { AuthConfig } from './auth-config.js'

/** What the checks read of a source's entry. */
interface SourceEntry {
  readonly config: {
    readonly base_url: string
    readonly token?: unknown
    readonly auth?: AuthConfig | undefined
    readonly headers?: Readonly<Record<string, unknown>> | undefined
  }
  readonly tables: readonly TableEntry[]
}

interface TableEntry {
  readonly endpoint?: string | undefined
  readonly method: string
  readonly headers?: Readonly<Record<string, unknown>> | undefined
  readonly requests?: readonly { readonly method: string }[] | undefined
  readonly params: readonly { readonly name: string; readonly in?: string | undefined }[]
}

/** Faults of a source's credentials that show only between its keys: two ways at once, or a table that would be asked without. */
export function checkAuth({ config, tables }: SourceEntry, context: z.RefinementCtx): void {
  const { token, auth, headers = {} } = config
  const fault = (path: readonly (string | number)[], message: string): void => {
    context.addIssue({ code: 'custom', path: [...path], message })
  }
  if (auth?.type === 'oauth2' && config.base_url.startsWith('https:') && !auth.token_url.startsWith('https:')) {
    fault(['config', 'auth', 'token_url'], 'the client secret would travel unencrypted: expected https://')
  }
  if (token !== undefined && auth !== undefined) fault(['config', 'auth'], 'token and auth exclude each other')
  const own = token === undefined ? headersOf(auth) : ['authorization']
  const key = token === undefined ? 'auth' : 'token'
  for (const name of Object.keys(headers).filter((header) => own.includes(header.toLowerCase()))) {
    fault(['config', key], `${key} and the header ${name.toLowerCase()} exclude each other`)
  }
  for (const [index, table] of tables.entries()) {
    for (const name of Object.keys(table.headers ?? {}).filter((header) => own.includes(header.toLowerCase()))) {
      if (auth !== undefined) fault(['tables', index, 'headers', name], 'auth sets this header')
    }
    for (const { name } of table.params.filter((param) => own.includes(param.name.toLowerCase()))) {
      const param = table.params.find((candidate) => candidate.name === name)
      if (param?.in === 'header') fault(['tables', index, 'params'], `the header ${name} is set by the credentials`)
    }
    if (auth?.type === 'custom') for (const message of customFaults(auth, table)) fault(['tables', index], message)
  }
}

function headersOf(auth: AuthConfig | undefined): readonly string[] {
  if (auth?.type === 'header') return auth.headers.map(({ name }) => name.toLowerCase())
  return auth?.type === 'basic' || auth?.type === 'oauth2' ? ['authorization'] : []
}

function customFaults(auth: Extract<AuthConfig, { readonly type: 'custom' }>, table: TableEntry): readonly string[] {
  const faults: string[] = []
  const names = new Set([...(auth.query ?? []), ...(auth.body ?? [])].map(({ name }) => name))
  for (const { name } of table.params) if (names.has(name)) faults.push(`the parameter ${name} is set by auth`)
  const methods = [
    ...(table.endpoint === undefined ? [] : [table.method]),
    ...(table.requests ?? []).map(({ method }) => method),
  ]
  if (auth.body !== undefined && methods.includes('GET')) {
    faults.push('auth puts credentials into the body, which a GET does not have: it would be asked anonymously')
  }
  return faults
}
