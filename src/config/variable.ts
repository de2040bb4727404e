import { z } from 'zod'
import type { WorkspaceFile } from './workspace-file.js'
import type { Path } from './yaml-document.js'

const scalar = z.union([z.string(), z.number(), z.boolean()], {
  error: (issue) => (issue.input === undefined ? undefined : 'expected a text, a number, or true or false'),
})

const declaration = z.strictObject({
  type: z.enum(['string', 'number', 'integer', 'boolean']).default('string'),
  /** `secret`: the value is never printed, and may stand only where a secret may. */
  kind: z.enum(['value', 'secret']).default('value'),
  description: z.string().optional(),
  default: scalar.optional(),
  choices: z.array(scalar).min(1).optional(),
  /** Without a value, loading fails even if nothing uses it. */
  required: z.boolean().default(false),
})

/** `variables:`, by name. A bare value is short for `{ default: value }`. */
export const variablesConfig = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'expected a name of letters, digits and _' }),
  z.union([scalar.transform((value) => declaration.parse({ type: typeOf(value), default: value })), declaration]),
)

export type VariableDeclaration = z.output<typeof declaration>
export type VariableValue = string | number | boolean

/** A declared variable and where it stands. */
export interface Variable {
  readonly name: string
  readonly declaration: VariableDeclaration
  readonly file: WorkspaceFile
  readonly path: Path
}

/** The typed value of a text, or why it is not one. Never repeats the text. */
export function variableValue(
  variable: VariableDeclaration,
  text: string,
): { readonly value: VariableValue } | { readonly fault: string } {
  const value = convert(variable.type, text)
  if (value === undefined) return { fault: `its value is not ${nouns[variable.type]}` }
  const { choices } = variable
  if (choices !== undefined && !choices.some((choice) => String(choice) === String(value))) {
    const shown = variable.kind === 'secret' ? '' : `; choices: ${choices.join(', ')}`
    return { fault: `its value is not one of its choices${shown}` }
  }
  return { value }
}

const nouns = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
} as const

function convert(type: VariableDeclaration['type'], text: string): VariableValue | undefined {
  switch (type) {
    case 'string':
      return text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined
    case 'integer':
      return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined
    case 'number': {
      const value = text.trim() === '' ? Number.NaN : Number(text)
      return Number.isFinite(value) ? value : undefined
    }
  }
}

function typeOf(value: VariableValue): VariableDeclaration['type'] {
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return 'string'
}
