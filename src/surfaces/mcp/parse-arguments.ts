import type { z } from 'zod'
import { QuerentError } from '../../errors/querent-error.js'
import { nearest } from '../../util/nearest.js'

/**
 * Arguments that a schema accepts, or `server.invalid_arguments` naming the fault, the nearest valid name and all
 * valid names.
 * @param subject how the message names the thing called, such as `query`.
 */
export function parseArguments<Schema extends z.ZodObject>(
  schema: Schema,
  value: unknown,
  subject: string,
): z.infer<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const names = Object.keys(schema.shape)
  const problem = parsed.error.issues.map((issue) => describeIssue(issue, names)).join('; ')
  const valid = names.length === 0 ? 'no arguments' : Object.entries(schema.shape).map(describeArgument).join(', ')
  throw new QuerentError('server.invalid_arguments', { subject, problem, valid })
}

function describeIssue(issue: z.core.$ZodIssue, names: readonly string[]): string {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
    return issue.keys.map((key) => describeUnknown(key, names)).join('; ')
  }
  const path = issue.path.map(String).join('.')
  return path === '' ? lowerFirst(issue.message) : `${path}: ${lowerFirst(issue.message)}`
}

function describeUnknown(key: string, names: readonly string[]): string {
  const [near] = nearest(key, names, 1)
  const shown = key.length > 60 ? `${key.slice(0, 60)}…` : key
  return near === undefined ? `there is no ${shown}` : `there is no ${shown}, did you mean ${near}`
}

function describeArgument([name, schema]: [string, z.core.$ZodType]): string {
  return schema._zod.optin === 'optional' ? `${name}?` : name
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
