import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { TempFolder } from '../../tests/support/temp-folder.js'
import { loadWorkspace } from './load-workspace.js'
import { watchWorkspace, type WorkspaceChange, type WorkspaceWatcher } from './watch-workspace.js'

const kinds = new Map<string, z.ZodType>([['any', z.looseObject({ name: z.string() })]])

let folder: TempFolder
let watcher: WorkspaceWatcher
let waiting: ((change: WorkspaceChange) => void)[]
let changes: WorkspaceChange[]
beforeEach(() => {
  folder = new TempFolder()
  waiting = []
  changes = []
})
afterEach(() => {
  watcher.close()
  folder.remove()
})

async function start(text: string): Promise<void> {
  const path = folder.write('querent.yaml', text)
  const loaded = await loadWorkspace({ path, kinds, env: {}, trusted: true })
  watcher = watchWorkspace(loaded, (change) => {
    const next = waiting.shift()
    if (next === undefined) changes.push(change)
    else next(change)
  })
}

function nextChange(): Promise<WorkspaceChange> {
  const ready = changes.shift()
  return ready === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(ready)
}

async function nextNames(): Promise<readonly string[]> {
  const change = await nextChange()
  if ('error' in change) throw change.error
  return change.workspace.sources.map((source) => source.name)
}

const sources = (...names: string[]): string =>
  `sources: [${names.map((name) => `{ name: ${name}, kind: any }`).join(', ')}]\n`

describe('watchWorkspace', () => {
  it('takes up a change in place and one by renaming, as editors do it', async () => {
    await start(`version: 1\n${sources('a')}`)
    folder.write('querent.yaml', `version: 1\n${sources('a', 'b')}`)
    expect(await nextNames()).toEqual(['a', 'b'])
    for (const name of ['c', 'd']) {
      const draft = folder.write('.draft', `version: 1\n${sources(name)}`)
      renameSync(draft, join(folder.path, 'querent.yaml'))
      expect(await nextNames()).toEqual([name])
    }
  })

  it('reports an invalid change, and goes on with the next valid one', async () => {
    await start(`version: 1\n${sources('a')}`)
    folder.write('querent.yaml', 'version: 1\nsorces: []\n')
    expect(await nextChange()).toMatchObject({ error: { code: 'config.invalid' } })
    folder.write('querent.yaml', `version: 1\n${sources('a')}`)
    expect(await nextNames()).toEqual(['a'])
  })

  it('sees a change that came between loading and watching', async () => {
    const path = folder.write('querent.yaml', `version: 1\n${sources('a')}`)
    const loaded = await loadWorkspace({ path, kinds, env: {}, trusted: true })
    writeFileSync(path, `version: 1\n${sources('z')}`)
    watcher = watchWorkspace(loaded, (change) => {
      const next = waiting.shift()
      if (next === undefined) changes.push(change)
      else next(change)
    })
    expect(await nextNames()).toEqual(['z'])
  })

  it('sees includes: changed, new by glob, and in new folders', async () => {
    folder.write('teams/a/q.yaml', sources('a'))
    await start(`version: 1\ninclude: ["teams/*/q.yaml"]\n`)
    folder.write('teams/a/q.yaml', sources('a', 'a2'))
    expect(await nextNames()).toEqual(['a', 'a2'])
    mkdirSync(join(folder.path, 'teams', 'b'))
    folder.write('teams/b/q.yaml', sources('b'))
    expect(await nextNames()).toEqual(['a', 'a2', 'b'])
  })

  it('sees what the workspace was made of beside YAML: .env and included texts', async () => {
    await start(`version: 1\nsources: [{ name: a, kind: any, config: { x: "\${env:X:-none}\${file:t.txt:-}" } }]\n`)
    folder.write('.env', 'X=from-dot-env\n')
    const change = await nextChange()
    expect(JSON.stringify('workspace' in change ? change.workspace.sources[0]?.config : change)).toContain(
      'from-dot-env',
    )
  })
})
