import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { TempFolder } from '../../tests/support/temp-folder.js'
import { QuerentError } from '../errors/querent-error.js'
import { findWorkspace } from './find-workspace.js'
import { loadWorkspace } from './load-workspace.js'
import { inspectTrust, isTrusted, trust } from './trust.js'

const kinds = new Map<string, z.ZodType>([['any', z.looseObject({ name: z.string() })]])

let folder: TempFolder
let state: TempFolder
let env: Record<string, string>
beforeEach(() => {
  folder = new TempFolder()
  state = new TempFolder()
  env = { QUERENT_STATE_DIR: join(state.path, 'q'), SECRET_OF_USER: 'hush-hush' }
})
afterEach(() => {
  folder.remove()
  state.remove()
})

const source = (rest: string): string => `version: 1\nsources: [{ name: a, kind: any, ${rest} }]\n`

async function needs(text: string): Promise<string[]> {
  const inspection = await inspectTrust(folder.write('querent.yaml', text))
  return inspection.needs.map((need) => `${need.line}:${need.column} ${need.message}`)
}

/** Loads as found; the code of the error, or `loaded`. */
async function found(): Promise<string> {
  const path = join(folder.path, 'querent.yaml')
  return await loadWorkspace({ path, kinds, env, trusted: false }).then(
    () => 'loaded',
    (error: unknown) => (error instanceof QuerentError ? error.code : String(error)),
  )
}

describe('what needs trust', () => {
  it('is nothing in a file that stays in its folder', async () => {
    mkdirSync(join(folder.path, 'data'))
    const text = source(
      'description: "/etc/passwd", config: { base_url: "https://x/y" }, tables: [{ path: "./data/*.csv", endpoint: "/repos/{owner}", response: { path: $.data } }, { path: data/../x }]',
    )
    expect(await needs(text)).toEqual([])
    expect(await found()).toBe('loaded')
  })

  it.each([
    ['config: { token: "${env:HOME}" }', '2:50 reads the environment variable HOME'],
    ['config: { token: "x ${secret:T:-y}" }', '2:50 reads the secret T'],
    ['config: { command: [sh, -c, x] }', '2:52 starts a process'],
    ['tables: [{ path: /etc/passwd }]', '2:50 names /etc/passwd, outside its folder'],
    ['tables: [{ path: [a.csv, ../b.csv] }]', '2:58 names ../b.csv, outside its folder'],
    ['tables: [{ path: "~/x.csv" }]', '2:50 names ~/x.csv, outside its folder'],
    ['tables: [{ path: "a/../../b/*.csv" }]', '2:50 names a/../../b/*.csv, outside its folder'],
    ['config: { url: "file:///etc/passwd" }', '2:48 names file:///etc/passwd, outside its folder'],
    ['config: { root: "file:///etc/passwd" }', '2:49 names file:///etc/passwd, outside its folder'],
    ['tables: [{ path: "C:\\\\x.csv" }]', '2:50 names C:\\x.csv, outside its folder'],
    ['tables: [{ path: link/x.csv }]', '2:50 names link/x.csv, outside its folder'],
    ['config: { token: "${file:../x}" }', undefined],
  ])('is found in %s', async (rest, expected) => {
    symlinkSync(state.path, join(folder.path, 'link'))
    expect(await needs(source(rest))).toEqual(expected === undefined ? [] : [expected])
  })

  it('is found in every section that may name a file, and in includes', async () => {
    state.write('inc.yaml', 'sources: []\n')
    const text = `version: 1
include: [${state.path}/inc.yaml]
files: { roots: [../*.csv] }
audit: { path: /var/log/q.jsonl }
secrets: [{ kind: file, path: ~/s.yaml }]
variables: { p: { kind: secret }, q: /etc }
`
    const messages = (await needs(text)).map((need) => need.replace(/^\S+ /, ''))
    expect(messages.sort()).toEqual(
      [
        `includes ${state.path}/inc.yaml`,
        `names ${state.path}/inc.yaml, outside its folder`,
        'names ../*.csv, outside its folder',
        'names /var/log/q.jsonl, outside its folder',
        'names ~/s.yaml, outside its folder',
        'names /etc, outside its folder',
        'reads a secret of this machine',
      ].sort(),
    )
  })
})

describe('a found file', () => {
  it('needs trust once, and again after any change of it or an include', async () => {
    folder.write('inc.yaml', 'sources: []\n')
    const path = folder.write(
      'querent.yaml',
      source('config: { x: "${env:SECRET_OF_USER}" }') + 'include: [inc.yaml]\n',
    )
    expect(await found()).toBe('config.untrusted')
    await trust(await inspectTrust(path), env)
    expect(await found()).toBe('loaded')
    folder.write('inc.yaml', 'sources: [] # changed\n')
    expect(await found()).toBe('config.untrusted')
    await trust(await inspectTrust(path), env)
    folder.write('querent.yaml', source('config: { x: "${env:SECRET_OF_USER}!" }') + 'include: [inc.yaml]\n')
    expect(await found()).toBe('config.untrusted')
  })

  it('is named with its reasons, and reads nothing of the environment before it is trusted', async () => {
    folder.write('.env', 'FROM_DOT_ENV=1\n')
    const path = folder.write('querent.yaml', source('config: { x: "${var:v}" }') + 'variables: { v: plain }\n')
    env['QUERENT_VAR_v'] = 'from-environment'
    const loaded = await loadWorkspace({ path, kinds, env, trusted: false })
    expect(JSON.stringify(loaded.sources[0]?.config)).toContain('plain')
    expect(loaded.watch.files).not.toContain(join(folder.path, '.env'))
    folder.write('querent.yaml', source('config: { x: "${env:FROM_DOT_ENV:-a}" }'))
    const error: unknown = await loadWorkspace({ path, kinds, env, trusted: false }).catch((reason: unknown) => reason)
    expect(String(error)).toContain('It reads the environment variable FROM_DOT_ENV.')
  })

  it('cannot put a path together from pieces that look harmless', async () => {
    folder.write('querent.yaml', source('config: { x: "${var:a}${var:b}/x" }') + 'variables: { a: ., b: . }\n')
    expect(await found()).toBe('config.untrusted')
  })

  it.skipIf(process.getuid?.() !== 0)('belongs to the current user, or is refused', async () => {
    const path = folder.write('querent.yaml', source('x: 1'))
    expect(await found()).toBe('loaded')
    chownSync(path, 12_345, 12_345)
    expect(await found()).toBe('config.foreign_owner')
  })
})

describe('the record', () => {
  it('is private, and counts only as it was written', async () => {
    const subject = { path: '/x/querent.yaml', fingerprint: 'abc' }
    expect(await isTrusted(subject, env)).toBe(false)
    await trust(subject, env)
    expect(await isTrusted(subject, env)).toBe(true)
    expect(await isTrusted({ ...subject, path: '/y/querent.yaml' }, env)).toBe(false)
    expect(await isTrusted({ ...subject, fingerprint: 'abd' }, env)).toBe(false)
    const place = join(state.path, 'q', 'trust')
    const names = readdirSync(place)
    expect(names).toHaveLength(1)
    const file = join(place, names[0] ?? '')
    expect([statSync(file).mode & 0o777, statSync(place).mode & 0o777]).toEqual([0o600, 0o700])
    chmodSync(file, 0o666)
    expect(await isTrusted(subject, env)).toBe(false)
    chmodSync(file, 0o600)
    writeFileSync(file, '{"path":')
    expect(await isTrusted(subject, env)).toBe(false)
  })

  it('that cannot be written is an error', async () => {
    writeFileSync(join(state.path, 'q'), 'a file where the folder should be')
    await expect(trust({ path: '/x', fingerprint: 'y' }, env)).rejects.toMatchObject({
      code: 'config.trust_unwritable',
    })
  })
})

describe('findWorkspace', () => {
  it('prefers the flag, then the environment, then the nearest file upward', async () => {
    folder.write('querent.yaml', '')
    const other = folder.write('other.yaml', '')
    folder.write('named/querent.yaml', '')
    const cwd = join(folder.path, 'a', 'b')
    mkdirSync(cwd, { recursive: true })
    expect(await findWorkspace({ env: {}, cwd })).toEqual({ path: join(folder.path, 'querent.yaml'), named: false })
    expect(await findWorkspace({ env: { QUERENT_CONFIG: other }, cwd })).toEqual({ path: other, named: true })
    const configFlag = '../../named'
    expect(await findWorkspace({ configFlag, env: { QUERENT_CONFIG: other }, cwd })).toEqual({
      path: join(folder.path, 'named', 'querent.yaml'),
      named: true,
    })
    folder.write('a/querent.yaml', '')
    expect((await findWorkspace({ env: {}, cwd })).path).toBe(join(folder.path, 'a', 'querent.yaml'))
  })

  it('never falls back from a name that leads nowhere', async () => {
    folder.write('querent.yaml', '')
    for (const options of [{ configFlag: 'none.yaml', env: {} }, { env: { QUERENT_CONFIG: 'none.yaml' } }]) {
      await expect(findWorkspace({ ...options, cwd: folder.path })).rejects.toMatchObject({ code: 'config.not_found' })
    }
  })
})
