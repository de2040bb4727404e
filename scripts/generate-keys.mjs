// Fills the tables of keys in docs/ from the JSON Schema of the workspace file: between `<!-- keys: name -->` and
// `<!-- /keys -->`. With --check: only says whether they are up to date.
import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { URL } from 'node:url'
import prettier from 'prettier'
import { workspaceJsonSchema } from '../dist/config/json-schema.js'
import { workspaceSchema } from '../dist/config/workspace-schema.js'
import { builtinSchemas } from '../dist/sources/builtin.js'
import { keyTexts } from './key-texts.mjs'
import { keysOf } from './key-table.mjs'
import { writeOrCheck } from './write-or-check.mjs'

const schema = JSON.parse(JSON.stringify(workspaceJsonSchema(builtinSchemas)))
const { properties, definitions } = schema
const options = definitions.file_source.properties.tables.items.properties.options.anyOf
const sections = ['variables', 'secrets', 'files', 'sources', 'limits', 'audit', 'server', 'policy', 'cache']

const tables = {
  workspace: keysOf({
    ...schema,
    properties: { ...properties, ...Object.fromEntries(sections.map((name) => [name, { type: 'section' }])) },
  }),
  variables: keysOf({ properties: { variables: properties.variables } }),
  secrets: keysOf({ properties: { secrets: properties.secrets } }),
  files: keysOf(properties.files, { prefix: 'files.' }),
  limits: keysOf(properties.limits, { prefix: 'limits.' }),
  audit: keysOf(properties.audit, { prefix: 'audit.' }),
  server: keysOf(properties.server, { prefix: 'server.' }),
  file: keysOf(plain(definitions.file_source)),
  'file-csv': keysOf(options[0]),
  'file-json': keysOf(options[1]),
  'file-parquet': keysOf(options[2]),
  duckdb: keysOf(definitions.duckdb_source),
  http: keysOf(definitions.http_source),
}

const unused = new Set(
  Object.entries(keyTexts).flatMap(([name, texts]) => Object.keys(texts).map((path) => `${name}: ${path}`)),
)
const shown = new Set()

for (const page of [
  'workspace-file',
  'limits',
  'audit',
  'files-in-sql',
  'http-api',
  'sources/file',
  'sources/duckdb',
  'sources/http',
]) {
  const path = `docs/${page}.md`
  const text = await readFile(new URL(`../${path}`, import.meta.url), 'utf8')
  const filled = text.replaceAll(/(<!-- keys: ([\w-]+) -->)[\s\S]*?(<!-- \/keys -->)/g, (_, open, name, close) => {
    shown.add(name)
    return `${open}\n\n${tableText(name)}\n\n${close}`
  })
  const config = await prettier.resolveConfig(new URL(`../${path}`, import.meta.url))
  await writeOrCheck(path, await prettier.format(filled, { ...config, parser: 'markdown' }), 'npm run docs:keys')
}
for (const name of Object.keys(tables)) if (!shown.has(name)) throw new TypeError(`no page shows the keys of ${name}`)
if (unused.size > 0) throw new TypeError(`no such key, or it has a description of its own: ${[...unused].join(', ')}`)

/** `options` of a file's table have tables of their own. */
function plain(source) {
  const copy = JSON.parse(JSON.stringify(source))
  delete copy.properties.tables.items.properties.options.anyOf
  return copy
}

function tableText(name) {
  const { rows, refused } = tables[name]
  const lines = rows.map(
    (row) =>
      `| \`${row.path}\` | ${row.type === 'any' ? sectionType(row) : row.type} | ${defaultText(name, row)} | ${description(name, row)} |`,
  )
  const note =
    refused.length === 0
      ? ''
      : `\n\nRefused by name until they do something: ${refused.map((key) => `\`${key}\``).join(', ')}.`
  return `| Key | Value | Default | Meaning |\n| --- | --- | --- | --- |\n${lines.join('\n')}${note}`
}

function sectionType({ path }) {
  const { type } = properties[path] ?? {}
  return type === 'array' ? 'list' : type === 'object' ? 'mapping' : 'any'
}

function description(name, row) {
  const own = keyTexts[name]?.[row.path]
  unused.delete(`${name}: ${row.path}`)
  const text = own?.text ?? row.description
  if (text === undefined)
    throw new TypeError(`${name}: ${row.path} has no description: add one to its schema or to key-texts.mjs`)
  if (own?.text !== undefined && row.description !== undefined) unused.add(`${name}: ${row.path}`)
  const labels = row.labels.length === 0 ? '' : `With ${row.labels.map((label) => `\`${label}\``).join(', ')}: `
  return `${labels}${text}`.replaceAll('|', '\\|')
}

function defaultText(name, row) {
  if (row.required) return 'required'
  const own = keyTexts[name]?.[row.path]?.default
  if (own !== undefined) return checkedDefault(row.path, own)
  return row.defaults
    .map(([label, text]) =>
      label === undefined || row.defaults.length === 1 ? `\`${text}\`` : `\`${text}\` (${label})`,
    )
    .join(', ')
}

/** A default that the JSON Schema cannot carry: setting it must change nothing. A default in words is taken as it is. */
function checkedDefault(path, value) {
  if (value.includes(' ')) return value
  const set = path.split('.').reduceRight((inner, key) => ({ [key]: inner }), value)
  const parsed = [set, {}].map((part) => workspaceSchema.parse({ version: 1, ...part }))
  if (!isDeepStrictEqual(...parsed)) throw new TypeError(`${value} is not the default of ${path}`)
  return `\`${value}\``
}
