import { z } from 'zod'
import { workspaceSchema } from './workspace-schema.js'

type JsonObject = Record<string, unknown>

/** Editors know this draft best. */
const draft = 'http://json-schema.org/draft-07/schema#'

/**
 * JSON Schema of the workspace file, for editors: `kind` decides which keys a source has. References such as
 * `${env:PORT}` are texts, so inside `config` and `server` a text with `${` passes wherever a number or a boolean would.
 */
export function workspaceJsonSchema(kinds: ReadonlyMap<string, z.ZodType>): JsonObject {
  const file = toJsonSchema(workspaceSchema)
  const definitions: JsonObject = {}
  const cases: JsonObject[] = []
  for (const [kind, schema] of kinds) {
    const { properties, ...rest } = toJsonSchema(schema)
    const own = properties as JsonObject | undefined
    const withReferences = own?.['config'] === undefined ? own : { ...own, config: allowReferences(own['config']) }
    definitions[`${kind}_source`] = { ...rest, ...(withReferences === undefined ? {} : { properties: withReferences }) }
    cases.push({
      if: { properties: { kind: { const: kind } }, required: ['kind'] },
      then: { $ref: `#/definitions/${kind}_source` },
    })
  }
  const source = {
    type: 'object',
    properties: { name: { type: 'string' }, kind: { enum: [...kinds.keys()] } },
    required: ['name', 'kind'],
    allOf: cases,
  }
  const properties = file['properties'] as JsonObject
  return {
    $schema: draft,
    title: 'Querent workspace (querent.yaml)',
    ...file,
    properties: {
      ...properties,
      server: allowReferences(properties['server']),
      sources: { default: [], type: 'array', items: source },
    },
    definitions,
  }
}

function toJsonSchema(schema: z.ZodType): JsonObject {
  const json: JsonObject = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Zod says so for every whole number; it only makes messages longer.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    },
  })
  return Object.fromEntries(Object.entries(json).filter(([key]) => key !== '$schema' && key !== '~standard'))
}

const reference = { type: 'string', pattern: '\\$\\{' }

function allowReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(allowReferences)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === 'default' ? value : allowReferences(value)]),
  )
  const type = 'type' in schema ? schema.type : undefined
  return type === 'number' || type === 'integer' || type === 'boolean' ? { anyOf: [copy, reference] } : copy
}
