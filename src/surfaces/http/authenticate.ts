import { createHash, timingSafeEqual } from 'node:crypto'
import { QuerentError } from '../../errors/querent-error.js'
import { localCaller, type Caller } from '../../model/caller.js'

/** A bearer token and the caller that it stands for. */
export interface NamedToken {
  readonly token: string
  readonly caller: Caller
}

/** Who sends a request, by its Authorization header. Throws `server.unauthorized`. */
export type Authenticate = (authorization: string | undefined) => Caller

/**
 * Without tokens everyone is the local caller. With tokens, the one whose digest is the same: all are compared, each in
 * constant time, so that the time taken tells nothing of them.
 */
export function authenticator(tokens: readonly NamedToken[]): Authenticate {
  if (tokens.length === 0) return () => localCaller
  const known = tokens.map(({ token, caller }) => ({ digest: digestOf(token), caller }))
  return (authorization) => {
    const sent = digestOf(/^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '')
    let found: Caller | undefined
    for (const { digest, caller } of known) if (timingSafeEqual(digest, sent)) found = caller
    if (found === undefined) throw new QuerentError('server.unauthorized')
    return found
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
