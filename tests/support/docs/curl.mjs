// A stand-in for curl with the flags that the docs use, so that the docs' tests need no program beside Node.
import process from 'node:process'
import { parseArgs } from 'node:util'
import { fetch } from 'undici'

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    include: { type: 'boolean', short: 'i' },
    request: { type: 'string', short: 'X' },
    header: { type: 'string', short: 'H', multiple: true },
    data: { type: 'string', short: 'd' },
  },
})
const headers = Object.fromEntries(
  (values.header ?? []).map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
)
const method = values.request ?? (values.data === undefined ? 'GET' : 'POST')
const response = await fetch(positionals[0], { method, headers, ...(values.data && { body: values.data }) })
if (values.include) {
  process.stdout.write(`HTTP/1.1 ${response.status} ${response.statusText}\n`)
  for (const name of ['content-type', 'www-authenticate', 'retry-after']) {
    if (response.headers.has(name)) process.stdout.write(`${name}: ${response.headers.get(name)}\n`)
  }
  process.stdout.write('\n')
}
process.stdout.write(`${(await response.text()).trimEnd()}\n`)
