import { Secret } from '../util/secret.js'

/** Every secret inside a value, however deep. */
export function* secretsIn(value: unknown): Generator<Secret> {
  if (value instanceof Secret) yield value
  else if (Array.isArray(value) || value instanceof Map || value instanceof Set)
    for (const item of value) yield* secretsIn(item)
  else if (typeof value === 'object' && value !== null) yield* secretsIn(Object.values(value))
}
