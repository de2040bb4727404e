import { QuerentError } from '../../errors/querent-error.js'
import { createTokenTable, type NamedToken } from '../../identity/token-table.js'
import { localCaller, type Caller } from '../../model/caller.js'

/** Who sends a request, by its Authorization header. Throws `server.unauthorized`. */
export type Authenticate = (authorization: string | undefined) => Caller

/** Without tokens everyone is the local caller; with tokens, the one whose token is sent. */
export function authenticator(tokens: readonly NamedToken[]): Authenticate {
  if (tokens.length === 0) return () => localCaller
  const table = createTokenTable(tokens)
  return (authorization) => {
    const caller = table.callerFromAuthorization(authorization)
    if (caller === undefined) throw new QuerentError('server.unauthorized')
    return caller
  }
}
