// Writes schema/querent.schema.json from the zod schemas in dist/. With --check: only says whether it is up to date.
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { URL } from 'node:url'
import { workspaceJsonSchema } from '../dist/config/json-schema.js'
import { builtinSchemas } from '../dist/sources/builtin.js'

const target = new URL('../schema/querent.schema.json', import.meta.url)
const text = `${JSON.stringify(workspaceJsonSchema(builtinSchemas), null, 2)}\n`

if (process.argv.includes('--check')) {
  const shipped = await readFile(target, 'utf8').catch(() => '')
  if (shipped !== text) {
    process.stderr.write('schema/querent.schema.json is stale: run `npm run schema`.\n')
    process.exitCode = 1
  }
} else {
  await writeFile(target, text)
}
