import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { QuerentError } from '../errors/querent-error.js'
import { stateDir } from './state-dir.js'

let base: string

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'querent-state-'))
})

afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

function dirOf(root: string, workspace = '/w/querent.yaml') {
  return stateDir({ workspace, env: { QUERENT_STATE_DIR: root } })
}

function codeOf(act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (!(error instanceof QuerentError)) throw error
    expect(error.message + (error.hint ?? '')).not.toContain(base)
    return error.code
  }
}

describe('stateDir', () => {
  test('makes nothing before it is asked', () => {
    dirOf(join(base, 'state'))
    expect(readdirSync(base)).toEqual([])
  })

  test('makes folders of mode 0700 whatever the umask', () => {
    const before = process.umask(0)
    try {
      const state = dirOf(join(base, 'deep', 'state'))
      const folder = state.folder('callers', 'a')
      expect(folder.startsWith(state.path)).toBe(true)
      for (const path of [folder, state.path, join(base, 'deep', 'state')]) {
        expect(lstatSync(path).mode & 0o777).toBe(0o700)
      }
    } finally {
      process.umask(before)
    }
  })

  test('two workspaces have two folders, one workspace always the same', () => {
    expect(dirOf(base, '/a').path).toBe(dirOf(base, '/a').path)
    expect(dirOf(base, '/a').path).not.toBe(dirOf(base, '/b').path)
  })

  test('closes its own folder where it stands open to readers', () => {
    const state = dirOf(base)
    chmodSync(state.folder('x'), 0o755)
    expect(lstatSync(state.folder('x')).mode & 0o777).toBe(0o700)
  })

  test.each([0o777, 0o770, 0o702])('refuses a root of mode %o', (mode) => {
    const root = join(base, 'open')
    mkdirSync(root)
    chmodSync(root, mode)
    expect(codeOf(() => dirOf(root).folder())).toBe('state.unsafe_folder')
  })

  test('takes a root that others can read', () => {
    chmodSync(base, 0o755)
    expect(codeOf(() => dirOf(base).folder())).toBeUndefined()
  })

  test('refuses a root that everyone could replace', () => {
    chmodSync(base, 0o777)
    expect(codeOf(() => dirOf(join(base, 'state')).folder())).toBe('state.unsafe_folder')
  })

  test('refuses links and files in the place of its folders', () => {
    const state = dirOf(base)
    state.folder()
    mkdirSync(join(base, 'elsewhere'))
    symlinkSync(join(base, 'elsewhere'), join(state.path, 'linked'))
    expect(codeOf(() => state.folder('linked'))).toBe('state.unsafe_folder')
    writeFileSync(join(state.path, 'file'), '')
    expect(codeOf(() => state.folder('file'))).toBe('state.unwritable')
  })

  test.runIf(process.getuid?.() === 0)('refuses a folder of another user', async () => {
    const { chownSync } = await import('node:fs')
    chownSync(base, 65_534, 65_534)
    expect(codeOf(() => dirOf(base).folder())).toBe('state.unsafe_folder')
  })

  test('says why a folder cannot be made', () => {
    writeFileSync(join(base, 'file'), '')
    expect(codeOf(() => dirOf(join(base, 'file', 'state')).folder())).toBe('state.unwritable')
  })
})
