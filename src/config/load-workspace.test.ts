import fc from 'fast-check'
import { chmodSync, symlinkSync } from 'node:fs'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { TempFolder } from '../../tests/support/temp-folder.js'
import { QuerentError } from '../errors/querent-error.js'
import { Secret } from '../util/secret.js'
import { duration } from './duration.js'
import { loadWorkspace, loadWorkspaceObject, type LoadOptions } from './load-workspace.js'
import type { LoadedWorkspace } from './loaded-workspace.js'
import { safety } from './safety.js'
import { secretString } from './secret-string.js'
import { sourceCommon, tableCommon } from './source-common.js'

const fileKind = z.strictObject({
  ...sourceCommon,
  kind: z.literal('file'),
  config: z.strictObject({}).optional(),
  tables: z.array(
    z.strictObject({
      ...tableCommon,
      path: z.union([z.string(), z.array(z.string())]),
      format: z.enum(['csv', 'json', 'parquet']).optional(),
    }),
  ),
})
const httpKind = z.strictObject({
  ...sourceCommon,
  kind: z.literal('http'),
  config: z.strictObject({
    base_url: z.string(),
    token: secretString.optional(),
    headers: z.record(z.string(), secretString).optional(),
    retries: z.int().min(0).max(10).optional(),
    follow: z.boolean().optional(),
    extra: z.unknown().optional(),
    wait: duration.optional(),
    auth: z
      .union([
        z.strictObject({ type: z.literal('basic'), username: z.string(), password: secretString }),
        z.strictObject({ type: z.literal('header'), name: z.string(), value: secretString }),
      ])
      .optional(),
  }),
  tables: z
    .array(
      z.strictObject({
        ...tableCommon,
        endpoint: z.string(),
        params: z.array(z.looseObject({ name: z.string() })).optional(),
        response: z.looseObject({}).optional(),
        safety: safety.optional(),
      }),
    )
    .default([]),
})
const kinds = new Map<string, z.ZodType>([
  ['file', fileKind],
  ['http', httpKind],
])

const contractExample = `version: 1
name: sql-mode-demo
sources:
  - name: data
    kind: file
    tables:
      - name: accounts
        path: ./data/accounts.csv
        format: csv
      - name: orders
        path: ./data/orders.parquet
        format: parquet
  - name: github
    kind: http
    config:
      base_url: https://api.github.com
      token: \${secret:GITHUB_TOKEN}
    tables:
      - name: pulls
        endpoint: /repos/{owner}/{repo}/pulls
        params:
          - { name: owner, required: true }
          - { name: repo, required: true }
          - { name: state, default: open }
        response:
          path: $
          schema:
            - { name: number, type: bigint }
            - { name: user_login, type: varchar, source: $.user.login }
`

let folder: TempFolder
beforeEach(() => {
  folder = new TempFolder()
})
afterEach(() => {
  folder.remove()
})

function load(text: string, options: Partial<LoadOptions> = {}): Promise<LoadedWorkspace> {
  const path = folder.write('querent.yaml', text)
  return loadWorkspace({ path, kinds, env: {}, trusted: true, ...options })
}

async function failure(promise: Promise<unknown>): Promise<QuerentError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof QuerentError)) throw new Error('expected a QuerentError', { cause: error })
  return error
}

/** Findings as `line:column message | hint`. */
async function findings(text: string, options: Partial<LoadOptions> = {}): Promise<string[]> {
  const error = await failure(load(text, options))
  expect(error.code).toBe('config.invalid')
  return error.findings.map(
    ({ line, column, message, hint }) => `${line}:${column} ${message}${hint === undefined ? '' : ` | ${hint}`}`,
  )
}

const http = (config: string): string => `version: 1
sources:
  - name: api
    kind: http
    config:
      base_url: https://api.example.com
${config.replace(/^/gm, '      ')}
`

describe('a valid file', () => {
  it('loads the form of the contract', async () => {
    const loaded = await load(contractExample, { env: { GITHUB_TOKEN: 'ghp_0123456789' } })
    expect(loaded.name).toBe('sql-mode-demo')
    expect(loaded.sources.map(({ name, kind, folder: base }) => [name, kind, base])).toEqual([
      ['data', 'file', folder.path],
      ['github', 'http', folder.path],
    ])
    expect(loaded.limits).toMatchObject({ maxRows: 1024, maxChars: 50_000, timeoutMs: 30_000, waiting: 100 })
    expect(loaded.limits.result).toMatchObject({ maxRows: 100_000, maxBytes: 64_000_000 })
    expect(loaded.audit).toMatchObject({ sql: 'full', required: true, path: undefined })
    const { token } = (loaded.sources[1]?.config as z.output<typeof httpKind>).config
    expect(token?.reveal()).toBe('ghp_0123456789')
    expect(loaded.redact('Bearer ghp_0123456789!')).toBe('Bearer ***!')
  })

  it('never prints a secret, whichever way the workspace is printed', async () => {
    const text = http(
      'token: ${secret:T}\nheaders: { X: "a ${env:T} b" }\nauth: { type: basic, username: u, password: literal-pass }',
    )
    const loaded = await load(text, { env: { T: 'top-secret-value' } })
    const printed = [JSON.stringify(loaded), inspect(loaded, { depth: 20, showHidden: true }), String(loaded.secrets)]
    for (const one of printed) {
      expect(one).not.toContain('top-secret-value')
      expect(one).not.toContain('literal-pass')
    }
    expect(loaded.secrets.map((secret) => secret.reveal()).sort()).toEqual([
      'a top-secret-value b',
      'literal-pass',
      'top-secret-value',
    ])
  })

  it('accepts an editor line, anchors, merge keys and comments', async () => {
    const loaded = await load(`# yaml-language-server: $schema=./querent.schema.json
version: 1
limits: { rows: &cap 50, timeout: 5m, result: { bytes: 1MiB } }
sources:
  - &one
    name: a
    kind: file
    tables: [{ name: t, path: x.csv }]
  - <<: *one
    name: b
`)
    expect(loaded.sources.map((source) => source.name)).toEqual(['a', 'b'])
    expect(loaded.limits).toMatchObject({ maxRows: 50, timeoutMs: 300_000, result: { maxBytes: 1_048_576 } })
  })

  it('reads texts that stand for numbers and truth values where a schema asks for them', async () => {
    const loaded = await load(http('retries: ${env:N}\nfollow: ${env:F:-false}\nwait: ${env:W}'), {
      env: { N: '3', W: '5s' },
    })
    expect((loaded.sources[0]?.config as z.output<typeof httpKind>).config).toMatchObject({
      retries: 3,
      follow: false,
      wait: 5000,
    })
  })

  it('takes an object in place of a file, whose faults have no line', async () => {
    const loaded = await loadWorkspaceObject({
      config: { version: 1, name: 'x', sources: [{ name: 'd', kind: 'file', tables: [{ name: 't', path: 'a.csv' }] }] },
      folder: folder.path,
      kinds,
      env: {},
    })
    expect([loaded.path, loaded.folder, loaded.sources.length]).toEqual([undefined, folder.path, 1])
    const error = await failure(
      loadWorkspaceObject({ config: { version: 1, nam: 'x' }, folder: folder.path, kinds, env: {} }),
    )
    expect(error.findings).toMatchObject([{ message: 'unknown key "nam"' }])
    expect(error.findings[0]).not.toHaveProperty('line')
  })
})

describe('faults', () => {
  it('reports all of them at once, with places, hints and the nearest valid key', async () => {
    const found = await findings(`version: 1
nmae: x
limits:
  rows: many
  timeot: 30s
  timeout: soon
sources:
  - name: data
    kind: file
    tables:
      - name: t
        path: 7
        format: cvs
      - path: b.csv
  - name: data
    kind: htp
  - kind: file
    tables: {}
semantic: {}
`)
    expect(found).toEqual([
      '2:1 unknown key "nmae" | Did you mean "name"? Valid keys: version, name, description, include, variables, secrets, files, sources, limits, audit, server, policy, cache.',
      '4:9 expected a number, not a text',
      expect.stringMatching(/^5:3 unknown key "timeot" \| Did you mean "timeout"\? Valid keys: rows, /) as string,
      '6:12 expected a time such as 500ms, 30s, 5m, 2h, 7d, or a whole number of milliseconds',
      '12:15 expected a text, or a list, not a number',
      '13:17 expected one of csv, json, parquet | Did you mean "csv"?',
      '14:9 "name" is missing',
      '15:11 source "data" is already defined in querent.yaml:8 | Names are compared without regard to case.',
      '16:11 this version of Querent has no source of kind "htp" | Did you mean "http"? Kinds of this version: file, http.',
      '17:5 "name" is missing | Give each source a name: tables are called name.table.',
      '18:13 expected a list, not a mapping (key: value)',
      '19:1 this version of Querent does not have "semantic" here yet | Remove it.',
    ])
  })

  it('puts every place into the message, and the count', async () => {
    const error = await failure(load('version: 2\nname: 3\n'))
    expect(error.message).toBe(
      'The workspace has 2 faults:\nquerent.yaml:1:10: this version of Querent reads files of version: 1\nquerent.yaml:2:7: expected a text, not a number',
    )
    const one = await failure(load('name: x\n'))
    expect([one.message, one.errorType]).toEqual(['querent.yaml:1:1: "version" is missing: 1.', 'ConfigException'])
  })

  it.each([
    ['version: 1\nversion: 1\n', '2:1 this key is given twice'],
    ['version: 1\nlimits:\n\trows: 3\n', '3:1 a tab is used for indentation'],
    ['version: 1\nname: "x\n', ' a quote, bracket, colon or comma is missing here'],
    ['version: 1\nname: *nothing\n', '2:7 nothing before this line is marked &nothing'],
    ['version: 1\n__proto__: {}\n', '2:1 "__proto__" is not allowed as a key'],
    ['version: 1\n---\nversion: 1\n', ' the file holds a second document'],
    ['version: 1\nname: !!js/function x\n', '2:7 tags (!name) are not used in this file'],
    ['', '1:1 the file is empty'],
    ['- a\n', '1:1 expected a mapping (key: value)'],
    ['version: 1\nlimits:\n', '2:8 expected a mapping (key: value), not an empty value'],
  ])('names the place of %j', async (text, expected) => {
    expect((await findings(text)).join('\n')).toContain(expected)
  })

  it('never ignores what a later version will read', async () => {
    const found = await findings(
      'version: 1\npacks: []\ncode: {}\ncache: { ttl: 1h }\npolicy: { deny: [] }\nsources: [{ name: a, from: ./a.yaml }, { name: b, kind: file, tables: [], raw_table: true }]\n',
    )
    expect(found).toEqual([
      '2:1 this version of Querent does not have "packs" here yet | Remove it.',
      '3:1 this version of Querent does not have "code" here yet | Remove it.',
      '4:10 this version of Querent has nothing to set here, such as "ttl" | Remove it.',
      '5:11 this version of Querent has nothing to set here, such as "deny" | Remove it.',
      '6:28 this version of Querent does not have "from" yet | Put the source into a file of its own and list it under include.',
      '6:75 this version of Querent does not have "raw_table" here yet | Remove it.',
    ])
  })

  it('never repeats the text around a fault of the YAML', async () => {
    for (const text of [
      'a: "sk-live-1234\n',
      'a: sk-live-1234: b\n',
      'a: @sk-live-1234\n',
      'a: [sk-live-1234\n',
      '? {sk-live-1234: 1}\n: 2\n',
    ]) {
      expect(JSON.stringify(await findings(text))).not.toContain('sk-live')
    }
  })

  it('refuses a file that grows through its aliases, or nests without end', async () => {
    const bomb = ['version: 1', 'a0: &a0 [x,x,x,x,x,x,x,x,x,x]']
    for (let n = 1; n < 12; n++)
      bomb.push(
        `a${n}: &a${n} [${Array<string>(10)
          .fill(`*a${n - 1}`)
          .join(',')}]`,
      )
    expect((await findings(bomb.join('\n'))).join()).toContain('beyond all measure')
    expect((await findings(`a: ${'['.repeat(500)}`)).length).toBeGreaterThan(0)
    expect((await findings(`a: ${'['.repeat(200)}${']'.repeat(200)}`)).join()).toContain('nested deeper')
    expect((await findings(`a: ${'['.repeat(100_000)}${']'.repeat(100_000)}`)).join()).toMatch(/nested/)
    expect((await findings('a: &a [*a]\n')).join()).toContain('inside the value that it names')
  })

  it('says of a union what the alternative that was meant lacks', async () => {
    expect(await findings(http('auth: { type: basic, username: u, pasword: p }'))).toEqual([
      '7:13 "password" is missing',
      '7:41 unknown key "pasword" | Did you mean "password"? Valid keys: type, username, password.',
    ])
    expect(await findings(http('auth: { type: bsic }'))).toEqual([
      '7:21 expected one of basic, header | Did you mean "basic"?',
    ])
    expect(await findings(http('auth: yes please'))).toEqual(['7:13 expected a mapping (key: value), not a text'])
  })

  it.each(['main', 'Temp', 'SYSTEM', 'memory', 'scratch', 'metrics', 'files', 'information_schema', 'pg_catalog'])(
    'refuses the reserved name %s with the reason',
    async (name) => {
      const found = await findings(`version: 1\nsources:\n  - name: ${name}\n    kind: file\n    tables: []\n`)
      expect(found).toHaveLength(1)
      expect(found[0]).toMatch(new RegExp(`^3:11 the name "${name}" is reserved: .+ \\| Give the source another name`))
    },
  )

  it('refuses names that SQL would have to quote, and two tables of one name', async () => {
    const found = await findings(`version: 1
sources:
  - name: my-data
    kind: file
    tables: []
  - name: b
    kind: file
    tables: [{ name: T, path: x }, { name: t, path: y }]
`)
    expect(found).toEqual([
      '3:11 expected a name of letters, digits and _ that does not begin with a digit',
      '8:44 another table of this source has this name (line 8)',
    ])
  })

  it('refuses a file that is missing, a folder, too large, or not UTF-8', async () => {
    const at = (name: string): Promise<QuerentError> =>
      failure(loadWorkspace({ path: `${folder.path}/${name}`, kinds, env: {}, trusted: true }))
    folder.write('latin.yaml', Buffer.from([0x61, 0x3a, 0xe9, 0x0a]))
    folder.write('big.yaml', Buffer.alloc(9_000_000, 0x20))
    expect((await at('none.yaml')).message).toContain('it does not exist')
    expect((await at('.')).message).toContain('it is not a file')
    expect((await at('latin.yaml')).message).toContain('not UTF-8')
    expect((await at('big.yaml')).message).toContain('larger than')
  })
})

describe('references', () => {
  const value = async (text: string, options: Partial<LoadOptions> = {}): Promise<unknown> => {
    const loaded = await load(http(`extra: ${JSON.stringify(text)}`), options)
    return (loaded.sources[0]?.config as z.output<typeof httpKind>).config.extra
  }

  it('are replaced by the environment, files and variables', async () => {
    folder.write('motd.txt', 'hello\nworld\n')
    const env = { A: 'x', EMPTY: '' }
    expect(await value('${env:A}-${env:A}', { env })).toBe('x-x')
    expect(await value('${env:B:-fall back}', { env })).toBe('fall back')
    expect(await value('${env:EMPTY:-fall}', { env })).toBe('fall')
    expect(await value('[${env:EMPTY}]', { env })).toBe('[]')
    expect(await value('$${env:A} $${', { env })).toBe('${env:A} ${')
    expect(await value('${file:motd.txt}')).toBe('hello\nworld')
  })

  it('name what is missing and never what was found', async () => {
    const env = { LONG: 'v'.repeat(30), EMPTY: '' }
    const found = await findings(
      http(
        'extra: ["${env:B}", "${env:EMPTY:?set it in CI}", "${secret:TOKEN}", "${var:region}", "${file:none.txt}", "${GITHUB}", "${env:B", "${env:LONG}"]',
      ),
      { env },
    )
    expect(found).toEqual([
      '7:15 environment variable B is not set | Set B, or write ${env:B:-default}.',
      '7:27 environment variable EMPTY has no value: set it in CI',
      '7:57 secret TOKEN was not found (looked in: environment variable TOKEN; keyring (service querent): needs the npm package @napi-rs/keyring, which is not installed beside Querent) | Set environment variable TOKEN, or list where it is kept under "secrets".',
      '7:76 variable region is not declared | Declare it under "variables".',
      '7:93 file none.txt cannot be read: it does not exist',
      '7:113 "${…}" here is not a known reference | Write ${env:NAME}, ${secret:NAME}, ${var:NAME} or ${file:PATH}; $${ is a literal ${.',
      '7:126 "${" without a closing "}" | Write ${env:NAME}, ${secret:NAME}, ${var:NAME} or ${file:PATH}; $${ is a literal ${.',
    ])
  })

  it('are refused outside config, variables, server and secrets, and in names', async () => {
    const found = await findings(
      `version: 1
name: \${env:HOME}
description: ok $\${env:HOME}
sources:
  - name: api
    kind: http
    description: \${env:HOME}
    config: { base_url: x, auth: { type: header, name: "\${env:HOME}", value: v } }
    tables: [{ name: t, endpoint: "/\${var:x}" }]
  - name: f
    kind: file
    tables: [{ name: t, path: "\${env:HOME}/x.csv" }]
server: { tokens: [{ name: "\${env:HOME}", token: t }] }
`,
      { env: { HOME: 'joe' } },
    )
    const places = found.filter((one) => one.includes('"${…}" is not replaced here')).map((one) => one.split(' ')[0])
    expect(places).toEqual(['2:7', '7:18', '8:56', '9:35', '12:31', '13:28'])
  })

  it('leave other texts with ${ alone where nothing is replaced', async () => {
    const loaded = await load(`version: 1
description: price \${x} and $\${env:A}
sources: []
`)
    expect(loaded.description).toBe('price ${x} and ${env:A}')
  })

  it('to secrets stand only in fields made for them, also where a schema takes anything', async () => {
    const env = { T: 'value-of-t' }
    for (const config of ['extra: ${secret:T}', 'extra: { deep: ["x ${secret:T}"] }', 'retries: ${secret:T}']) {
      const found = await findings(http(config), { env })
      expect(found).toHaveLength(1)
      expect(found[0]).toContain('a secret may not stand here')
      expect(found[0]).not.toContain('value-of-t')
    }
    const url = await findings(
      'version: 1\nsources: [{ name: a, kind: http, config: { base_url: "https://${secret:T}" } }]\n',
      { env },
    )
    expect(url.join()).toContain('2:54 a secret may not stand here')
  })

  it('to one secret for two callers is said to be that', async () => {
    const tokens = ['a', 'b'].map((name) => `{ name: ${name}, token: "\${secret:T}" }`).join(', ')
    const env = { T: 'value-of-t-that-is-long' }
    const found = await findings(`version: 1\nserver: { tokens: [${tokens}] }\n`, { env })
    expect(found.join()).toContain('another caller has the same token')
    const short = await findings(`version: 1\nserver: { tokens: [${tokens}] }\n`, { env: { T: 'short' } })
    expect(short.join()).toContain('at least 16 random characters')
  })

  it('to files stay in the folder, also through links, unless secrets lists the path', async () => {
    const outside = new TempFolder()
    outside.write('key', 'the-key-outside\n')
    symlinkSync(`${outside.path}/key`, `${folder.path}/link`)
    for (const path of ['../x', `${outside.path}/key`, 'link', '~/.ssh/id_rsa']) {
      const found = await findings(http(`token: "\${file:${path}}"`))
      expect(found.join()).toMatch(/lies outside the folder|cannot be read/)
    }
    const listed = `secrets: [{ kind: file, path: ${outside.path} }]\n`
    const loaded = await load(http(`token: "\${file:${outside.path}/key}"`) + listed)
    expect(loaded.secrets.map((secret) => secret.reveal())).toEqual(['the-key-outside'])
    expect((await findings(http(`extra: "\${file:${outside.path}/key}"`) + listed)).join()).toContain(
      'a secret may not stand',
    )
    outside.remove()
  })
})

describe('secrets', () => {
  const token = (loaded: LoadedWorkspace): string | undefined =>
    (loaded.sources[0]?.config as z.output<typeof httpKind>).config.token?.reveal()

  it('come from files of lines, YAML or folders, in the order of the list', async () => {
    const path = folder.write('s/secrets.yaml', 'PIN: 0123\nOTHER: x\n')
    chmodSync(path, 0o600)
    chmodSync(folder.write('s/prod.env', 'DOT="a b"\n# c\n'), 0o600)
    folder.write('mounted/MOUNTED', 'from-a-folder\n')
    const list =
      'secrets: [{ kind: file, path: s/secrets.yaml }, { kind: file, path: ./s/prod.env }, { kind: file, path: mounted }, { kind: env }]\n'
    expect(token(await load(http('token: ${secret:PIN}') + list))).toBe('0123')
    expect(token(await load(http('token: ${secret:DOT}') + list))).toBe('a b')
    expect(token(await load(http('token: ${secret:MOUNTED}') + list))).toBe('from-a-folder')
    expect(token(await load(http('token: ${secret:E}') + list, { env: { E: 'env' } }))).toBe('env')
  })

  it('are not read from a file that everybody may read', async () => {
    chmodSync(folder.write('secrets.yaml', 'A: b\n'), 0o644)
    const found = await findings(http('token: ${secret:A}') + 'secrets: [{ kind: file, path: secrets.yaml }]\n')
    expect(found.join()).toContain('every user of this machine may read it')
  })

  it('of the keyring say what is missing', async () => {
    const found = await findings(http('token: ${secret:A}') + 'secrets: [{ kind: keyring, service: acme }]\n', {
      env: { A: 'x' },
    })
    expect(found.join()).toContain('keyring (service acme): needs the npm package @napi-rs/keyring')
  })

  it('may not be used to say where secrets are kept', async () => {
    const found = await findings('version: 1\nsecrets: [{ kind: file, path: "${secret:P}" }]\n', { env: { P: 'x' } })
    expect(found).toEqual(['2:31 a secret may not be used to say where secrets are kept'])
  })

  it('come from .env beside a trusted file, which stays out of the process environment', async () => {
    folder.write('.env', 'FROM_DOT_ENV=dot-env-value\n')
    const loaded = await load(http('token: ${secret:FROM_DOT_ENV}'))
    expect(token(loaded)).toBe('dot-env-value')
    expect(process.env['FROM_DOT_ENV']).toBeUndefined()
    expect(loaded.files.never).toContain(`${folder.path}/.env`)
  })
})

describe('variables', () => {
  const text = (variables: string, config: string): string =>
    http(config) + `variables:\n${variables.replace(/^/gm, '  ')}\n`
  const config = (loaded: LoadedWorkspace): z.output<typeof httpKind>['config'] =>
    (loaded.sources[0]?.config as z.output<typeof httpKind>).config

  it('are typed, have defaults, and take values from outside', async () => {
    const declared = 'n: { type: integer, default: 4 }\nregion: eu\nurl: { default: "https://${var:region}.x" }'
    const used = 'retries: ${var:n}\nextra: ${var:url}'
    expect(config(await load(text(declared, used)))).toMatchObject({ retries: 4, extra: 'https://eu.x' })
    expect(config(await load(text(declared, used), { env: { QUERENT_VAR_region: 'us' } }))).toMatchObject({
      extra: 'https://us.x',
    })
    expect(config(await load(text(declared, used), { variables: { n: '7' } }))).toMatchObject({ retries: 7 })
  })

  it('report missing, mistyped and circular values without repeating them', async () => {
    const found = await findings(
      text(
        'a: { required: true }\nb: { type: number }\nc: { choices: [eu, us] }\nd: { default: "${var:e}" }\ne: { default: "${var:d}" }\nf: { kind: secret, choices: [good-secret] }',
        'extra: ["${var:b}", "${var:c}", "${var:d}"]\ntoken: ${var:f}',
      ),
      { env: { QUERENT_VAR_b: 'twelve', QUERENT_VAR_c: 'asia', QUERENT_VAR_f: 'hidden-one' } },
    )
    expect(found).toEqual([
      '7:15 variable b: its value is not a number',
      '7:27 variable c: its value is not one of its choices; choices: eu, us',
      '7:39 variable d is defined by itself',
      '8:14 variable f: its value is not one of its choices',
      '10:3 variable a has no value | Set QUERENT_VAR_a, or give it a default.',
    ])
  })

  it('of kind secret are secrets', async () => {
    const declared = 'pass: { kind: secret }'
    expect(config(await load(text(declared, 'token: ${var:pass}'), { env: { pass: 'pw-1234' } })).token).toBeInstanceOf(
      Secret,
    )
    expect((await findings(text(declared, 'extra: ${var:pass}'), { env: { pass: 'pw-1234' } })).join()).toContain(
      'a secret may not stand here',
    )
  })
})

describe('includes', () => {
  it('are read by path and glob, and their paths count from where they stand', async () => {
    folder.write(
      'teams/a/querent.yaml',
      'version: 1\nsources: [{ name: a, kind: file, tables: [{ name: t, path: ./x.csv }] }]\nfiles: { roots: ["./in/*.csv"] }\n',
    )
    folder.write('teams/b/querent.yaml', 'include: [more.yaml]\nsources: []\n')
    folder.write(
      'teams/b/more.yaml',
      'sources: [{ name: b, kind: file, tables: [{ name: t, path: ./x.csv }] }]\nvariables: { v: 1 }\n',
    )
    const loaded = await load(
      'version: 1\ninclude: ["teams/*/querent.yaml", "*.yaml", "none/*.yaml"]\nfiles: { roots: [data] }\n',
    )
    expect(
      loaded.sources.map(({ name, folder: base, place }) => [name, base.slice(folder.path.length), place]),
    ).toEqual([
      ['a', '/teams/a', 'querent.yaml:2'],
      ['b', '/teams/b', 'more.yaml:1'],
    ])
    expect(loaded.files.roots).toEqual([
      { folder: `${folder.path}/data` },
      { folder: `${folder.path}/teams/a/in`, glob: '*.csv' },
    ])
    expect(loaded.notices).toEqual(['include: none/*.yaml matches no file'])
  })

  it('report circles, missing files, duplicates with both places, and faults by their own file', async () => {
    folder.write('a.yaml', 'include: [b.yaml]\nsources: [{ name: x, kind: file, tables: [] }]\n')
    folder.write(
      'b.yaml',
      'include: [a.yaml]\nlimits: {}\nsorces: []\nsources: [{ name: X, kind: file, tables: [] }]\n',
    )
    folder.write('c.yaml', 'sources: [\n')
    const error = await failure(load('version: 1\ninclude: [a.yaml, none.yaml, c.yaml]\n'))
    const lines = error.findings.map(
      ({ file, line, message }) =>
        `${file.slice(folder.path.length + 1)}:${line} ${message.replaceAll(folder.path, '')}`,
    )
    expect(lines).toEqual([
      'b.yaml:1 files include each other in a circle: /a.yaml → /b.yaml → /a.yaml',
      'b.yaml:2 "limits" stands only in the workspace file itself, not in an included one',
      'b.yaml:3 unknown key "sorces"',
      'b.yaml:4 source "X" is already defined in a.yaml:2',
      expect.stringMatching(/^c.yaml:\d /) as string,
      'querent.yaml:2 cannot include: Cannot read the workspace file /none.yaml: it does not exist',
    ])
  })

  it('are read once, however often they are named', async () => {
    folder.write('a.yaml', 'include: [c.yaml]\n')
    folder.write('b.yaml', 'include: [c.yaml]\n')
    folder.write('c.yaml', 'sources: [{ name: c, kind: file, tables: [] }]\n')
    expect((await load('version: 1\ninclude: [a.yaml, b.yaml, c.yaml, c.yaml]\n')).sources).toHaveLength(1)
  })
})

describe('any text', () => {
  it('loads or is reported with places inside it, whatever was done to it', async () => {
    const lines = contractExample.split('\n')
    const bits = fc.constantFrom(
      '"',
      "'",
      '[',
      '{',
      '}',
      ': ',
      '- ',
      '\t',
      '${',
      '&a ',
      '*a',
      '<<: ',
      '!!x ',
      '|',
      '# ',
      '%',
      '\n',
      '\u0000',
      '?',
    )
    const path = `${folder.path}/any.yaml`
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(contractExample.length), fc.nat(5), bits), { minLength: 1, maxLength: 4 }),
        async (edits) => {
          let text = contractExample
          for (const [at, cut, bit] of edits) text = text.slice(0, at) + bit + text.slice(at + cut)
          folder.write('any.yaml', text)
          const env = { GITHUB_TOKEN: 'ghp_0123456789' }
          const error: unknown = await loadWorkspace({ path, kinds, env, trusted: true }).then(
            () => undefined,
            (reason: unknown) => reason,
          )
          if (error === undefined) return
          expect(error).toMatchObject({ code: 'config.invalid' })
          for (const { line = 0 } of (error as QuerentError).findings) {
            expect(line).toBeGreaterThan(0)
            expect(line).toBeLessThanOrEqual(lines.length + edits.length)
          }
          expect(JSON.stringify(error)).not.toContain('ghp_')
        },
      ),
      { numRuns: 300 },
    )
  })
})
