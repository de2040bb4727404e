import { z } from 'zod'
import { Secret } from '../util/secret.js'

const accepted = new WeakSet<Secret>()

/**
 * A field that may hold a secret: a text, or one with `${secret:NAME}`. Parses to a `Secret`, also where the file holds
 * the text itself. A schema that does not use this piece cannot receive a secret: loading refuses it there.
 */
export const secretString = z
  .custom<string | Secret>(isText, {
    error: (issue) => (issue.input === undefined ? undefined : 'expected a text that is not empty'),
  })
  .meta({ type: 'string', minLength: 1, description: 'A secret: write ${secret:NAME}.' })
  .transform(accept)

/** Whether a schema took this secret in a field made for it. */
export function isAccepted(secret: Secret): boolean {
  return accepted.has(secret)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' ? value !== '' : value instanceof Secret && value.reveal() !== ''
}

function accept(value: string | Secret): Secret {
  const secret = value instanceof Secret ? value : new Secret(value, 'a literal')
  accepted.add(secret)
  return secret
}
