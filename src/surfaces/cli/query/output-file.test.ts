import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { copyFileWhole, writeFileWhole } from './output-file.js'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'querent-output-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

it('replaces a file, keeps its mode, and follows a link to it', async () => {
  const real = join(folder, 'real.csv')
  writeFileSync(real, 'old')
  chmodSync(real, 0o640)
  symlinkSync(real, join(folder, 'link.csv'))
  await writeFileWhole(join(folder, 'link.csv'), ['a', 'b'])
  expect(readFileSync(real, 'utf8')).toBe('ab')
  expect(statSync(real).mode & 0o777).toBe(0o640)
  expect(readdirSync(folder).sort()).toEqual(['link.csv', 'real.csv'])
})

it('leaves the old file and nothing else when the rows break off', async () => {
  const file = join(folder, 'x.csv')
  writeFileSync(file, 'old')
  function* broken(): Generator<string> {
    yield 'half'
    throw new TypeError('no more')
  }
  await expect(writeFileWhole(file, broken())).rejects.toMatchObject({ code: 'file.unwritable' })
  expect(readFileSync(file, 'utf8')).toBe('old')
  expect(readdirSync(folder)).toEqual(['x.csv'])
})

it('writes to a device as it stands', async () => {
  await writeFileWhole('/dev/null', ['a'])
  expect(statSync('/dev/null').isFile()).toBe(false)
})

it('copies a private file as a new one', async () => {
  const from = join(folder, 'private')
  writeFileSync(from, 'x', { mode: 0o600 })
  writeFileSync(join(folder, 'new'), '')
  await copyFileWhole(from, join(folder, 'copy'))
  expect(readFileSync(join(folder, 'copy'), 'utf8')).toBe('x')
  expect(statSync(join(folder, 'copy')).mode).toBe(statSync(join(folder, 'new')).mode)
})
