/** Keys of a JSON Schema, one row each, nested ones by their path: `tables[].params[].name`. */
export function keysOf(schema, { prefix = '', skip = [] } = {}) {
  const rows = new Map()
  const refused = []
  walkObjects([{ schema, label: undefined }], prefix, { rows, refused, skip })
  return { rows: [...rows.values()], refused }
}

function walkObjects(variants, prefix, out) {
  const discriminator = discriminatorOf(variants)
  for (const { schema, label } of variants) {
    for (const [key, value] of Object.entries(schema.properties ?? {})) {
      const path = `${prefix}${key}`
      if (out.skip.includes(path)) continue
      if (isNever(value)) {
        if (!out.refused.includes(path)) out.refused.push(path)
        continue
      }
      if (key === discriminator) {
        addDiscriminator(variants, path, key, out)
        continue
      }
      addRow({ path, value, required: schema.required?.includes(key) === true, label }, out)
    }
  }
}

function addRow({ path, value: given, required, label }, out) {
  const value = withoutReference(given)
  const known = out.rows.get(path)
  const defaultText = defaultOf(value.default)
  if (known !== undefined) {
    if (label !== undefined) known.labels.push(label)
    if (defaultText !== undefined) known.defaults.push([label, defaultText])
    return
  }
  out.rows.set(path, {
    path,
    type: typeOf(value),
    required,
    labels: label === undefined ? [] : [label],
    defaults: defaultText === undefined ? [] : [[label, defaultText]],
    description: value.description,
  })
  walkInside(value, path, out)
}

function addDiscriminator(variants, path, key, out) {
  if (out.rows.has(path)) return
  const values = variants.map(({ schema }) => schema.properties[key].const)
  out.rows.set(path, {
    path,
    type: values.map((value) => `\`${value}\``).join(', '),
    required: true,
    labels: [],
    defaults: [],
    description: undefined,
  })
}

function walkInside(value, path, out) {
  if (value.items !== undefined) walkInside(value.items, `${path}[]`, out)
  else if (isObject(value)) walkObjects([{ schema: value, label: undefined }], `${path}.`, out)
  else {
    const objects = (value.oneOf ?? value.anyOf ?? []).filter(isObject)
    const key = discriminatorOf(objects.map((schema) => ({ schema })))
    const variants = objects.map((schema) => ({ schema, label: key && schema.properties[key].const }))
    if (variants.length > 0) walkObjects(variants, `${path}.`, out)
  }
  const values = value.additionalProperties
  if (typeof values === 'object' && (isObject(values) || values.anyOf !== undefined))
    walkInside(values, `${path}.<name>`, out)
}

/** The key whose constants tell the variants of a union apart. */
function discriminatorOf(variants) {
  if (variants.length < 2) return undefined
  const [first] = variants
  return Object.keys(first.schema.properties ?? {}).find((key) =>
    variants.every(({ schema }) => schema.properties?.[key]?.const !== undefined),
  )
}

function isNever(value) {
  return value.not !== undefined && Object.keys(value.not).length === 0
}

function isObject(value) {
  return value.type === 'object' && value.properties !== undefined
}

function defaultOf(value) {
  if (value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)) return undefined
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A type in words of the workspace file. */
function typeOf(value) {
  if (value.enum !== undefined) return value.enum.map((item) => `\`${item}\``).join(', ')
  if (value.const !== undefined) return `\`${value.const}\``
  const choices = value.anyOf ?? value.oneOf
  if (choices !== undefined) {
    const texts = choices.filter((choice) => !isReference(choice)).map(typeOf)
    return [...new Set(texts)].join(' or ')
  }
  if (Array.isArray(value.type)) return value.type.map((type) => words[type] ?? type).join(', ')
  if (value.type === 'array') return `list of ${typeOf(value.items)}`
  if (value.type === 'object' && value.properties === undefined) return 'mapping by name'
  if (value.pattern?.includes('ms|s|m|h|d')) return 'time such as `30s`'
  if (value.pattern?.includes('[KMGT]')) return 'size such as `64MB`'
  return words[value.type] ?? 'any'
}

const words = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: '`true`, `false`',
  object: 'mapping',
}

/** Where a reference may stand in place of a number, the number's own schema. */
function withoutReference(value) {
  const own = value.anyOf?.filter((choice) => !isReference(choice)) ?? []
  return own.length === 1 && own.length < value.anyOf.length ? own[0] : value
}

/** Inside `config` and `server` a `${…}` stands wherever a number may. */
function isReference(value) {
  return value.type === 'string' && value.pattern === '\\$\\{'
}
