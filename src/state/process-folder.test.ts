import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openProcessFolder } from './process-folder.js'
import { registerProcess } from './process-registry.js'
import { stateDir } from './state-dir.js'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'querent-state-'))
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

it('makes a folder for this process, removes it, and removes what dead processes left', () => {
  const state = stateDir({ workspace: '/w', env: { QUERENT_STATE_DIR: root } })
  const processes = registerProcess(state)
  const dead = join(state.path, 'engine', '1-0123456789abcdef')
  mkdirSync(dead, { recursive: true, mode: 0o700 })
  writeFileSync(join(dead, 'spill'), 'x')
  const folder = openProcessFolder(state, processes, 'engine')
  expect(existsSync(dead)).toBe(false)
  expect(existsSync(folder.path)).toBe(true)
  const second = openProcessFolder(state, processes, 'engine')
  expect(second.path).toBe(folder.path)
  folder.close()
  expect(existsSync(folder.path)).toBe(false)
  processes.close()
})
