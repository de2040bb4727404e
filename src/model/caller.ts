/** Who asks. On stdio and the command line the caller is `local`; over HTTP each token names one. */
export interface Caller {
  readonly id: string
  readonly roles: readonly string[]
  readonly claims: Readonly<Record<string, string>>
}

export const localCaller: Caller = { id: 'local', roles: [], claims: {} }

/** The door a request came through, as the audit log names it. */
export type Surface = 'library' | 'cli' | 'mcp-stdio' | 'mcp-http' | 'http'
