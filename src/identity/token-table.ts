import { createHash, timingSafeEqual } from 'node:crypto'
import { QuerentError } from '../errors/querent-error.js'
import { localCaller, type Caller } from '../model/caller.js'
import type { Secret } from '../util/secret.js'

/** One entry of `server.tokens`. */
export interface NamedToken {
  /** The caller's id. */
  readonly name: string
  readonly token: Secret
  readonly roles?: readonly string[]
  readonly claims?: Readonly<Record<string, string>>
}

/** Says who sends a bearer token. Holds hashes only. */
export interface TokenTable {
  /** Number of tokens. */
  readonly size: number
  /** The caller of an `Authorization` header; undefined for no header, another scheme, or a token that is none of ours. */
  callerFromAuthorization(header: string | undefined): Caller | undefined
}

/** 16 characters of base64 are 96 bits: too many to try. */
const minTokenLength = 16
const longestHeader = 8192
/** RFC 6750: the characters of a bearer token. */
const bearer = /^bearer +([\w.~+/-]+=*) *$/i
const tokenForm = /^[\w.~+/-]+=*$/

/** Throws `config.invalid` for a token that is too short or cannot be sent, and for names or tokens that occur twice. */
export function createTokenTable(tokens: readonly NamedToken[]): TokenTable {
  const names = new Set<string>()
  const entries: { readonly hash: Buffer; readonly caller: Caller }[] = []
  for (const { name, token, roles = [], claims = {} } of tokens) {
    checkToken(name, token)
    const hash = hashOf(token.reveal())
    if (name === localCaller.id) throw invalid(`A token is named ${name}.`, 'This name is for callers on this machine.')
    if (names.has(name)) throw invalid(`Two tokens are named ${name}.`, 'Give each token a name of its own.')
    const twin = entries.find((entry) => entry.hash.equals(hash))
    if (twin !== undefined) {
      throw invalid(`${name} and ${twin.caller.id} have the same token.`, 'Give each caller a token of its own.')
    }
    names.add(name)
    entries.push({ hash, caller: { id: name, roles: [...roles], claims: { ...claims } } })
  }
  return {
    size: entries.length,
    callerFromAuthorization(header) {
      const token = header === undefined || header.length > longestHeader ? undefined : bearer.exec(header)?.[1]
      if (token === undefined) return undefined
      const hash = hashOf(token)
      let caller: Caller | undefined
      // Every entry is compared: neither the match nor its place shows in the time.
      for (const entry of entries) if (timingSafeEqual(entry.hash, hash)) caller = entry.caller
      return caller
    },
  }
}

function checkToken(name: string, token: Secret): void {
  const text = token.reveal()
  if (text.length < minTokenLength) {
    throw invalid(
      `The token of ${name} has ${text.length} characters.`,
      `Use at least ${minTokenLength} random characters, such as the output of: openssl rand -base64 32`,
    )
  }
  if (!tokenForm.test(text)) {
    throw invalid(
      `The token of ${name} has characters that a bearer token cannot have.`,
      'Use letters, digits and - . _ ~ + / with = at the end only.',
    )
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function invalid(message: string, hint: string): QuerentError {
  return new QuerentError('config.invalid', { message, hint })
}
