import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { QuerentError } from '../errors/querent-error.js'
import type { Caller } from '../model/caller.js'
import { HandleTable, type HandleLimits, type Lease } from './handle-table.js'
import { openHandles, type Handles, type HandlesOptions } from './handles.js'
import { registerProcess, type ProcessRegistry } from './process-registry.js'
import { stateDir, type StateDir } from './state-dir.js'

const limits: HandleLimits = {
  maxCount: 3,
  maxBytes: 1000,
  maxTotalCount: 5,
  maxTotalBytes: 1500,
  idleMs: 100,
  maxAgeMs: 1000,
}
const ann: Caller = { id: 'ann', roles: [], claims: {} }
const bob: Caller = { id: 'bob', roles: [], claims: {} }

let base: string
let state: StateDir
let processes: ProcessRegistry
let now: number
let opened: Handles[]

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'querent-handles-'))
  state = stateDir({ workspace: '/w', env: { QUERENT_STATE_DIR: base } })
  processes = registerProcess(state)
  now = 1_000_000
  opened = []
})

afterEach(() => {
  for (const handles of opened) handles.close()
  processes.close()
  rmSync(base, { recursive: true, force: true })
})

function open(options: Partial<HandlesOptions> = {}): Handles {
  const handles = openHandles({ state, processes, results: limits, scratch: limits, nowMs: () => now, ...options })
  opened.push(handles)
  return handles
}

/** Keeps a result of `bytes` whose file exists, and answers its id and path. */
function keep(handles: Handles, caller: Caller, bytes: number): { readonly id: string; readonly path: string } {
  const pending = handles.results.begin(caller)
  writeFileSync(pending.path, 'x')
  writeFileSync(`${pending.path}.wal`, 'x')
  expect(pending.keep({ columns: ['a'], columnTypes: ['INTEGER'], rows: 1, bytes, complete: true })).toBe(true)
  return pending
}

function messageOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof QuerentError && error.code === 'state.not_found') return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

describe('results', () => {
  test('come back to their owner and to nobody else, with one text for all others', () => {
    const handles = open()
    const { id, path } = keep(handles, ann, 10)
    const lease = handles.results.use(ann, id)
    expect(lease.value).toMatchObject({ id, path, columns: ['a'], rows: 1, complete: true })
    lease.release()
    const never = `r_${'A'.repeat(22)}`
    expect(id).toHaveLength(never.length)
    expect(messageOf(() => handles.results.use(bob, id))).toBe(`There is no result ${id}.`)
    expect(messageOf(() => handles.results.use(bob, never))).toBe(`There is no result ${never}.`)
  })

  test.each([
    ['an empty id', ''],
    ['a path', '../../etc/passwd'],
    ['control characters', 'r_\u001b[2J'],
    ['a megabyte', 'x'.repeat(1_000_000)],
    ['a name of JavaScript', '__proto__'],
  ])('%s finds nothing, and is not repeated at length', (_, id) => {
    expect(messageOf(() => open().results.use(ann, id))).toMatch(/^[\w .]{1,100}$/)
  })

  test('lie in a folder of their caller, closed to others', () => {
    const handles = open()
    const mine = keep(handles, ann, 1).path
    const theirs = keep(handles, bob, 1).path
    expect(dirname(mine)).toBe(handles.callerDir(ann))
    expect(dirname(mine)).not.toBe(dirname(theirs))
    expect(mine).not.toContain('ann')
    expect(statSync(dirname(mine)).mode & 0o777).toBe(0o700)
    expect(statSync(mine).mode & 0o777).toBe(0o600)
  })

  test('go with their files when they were not used for long enough', () => {
    const handles = open()
    const { id, path } = keep(handles, ann, 10)
    writeFileSync(handles.results.exportPath(handles.results.use(ann, id).value, 'csv'), 'x')
    now += 99
    const kept = keep(handles, ann, 10)
    now += 50
    handles.results.use(ann, kept.id).release()
    // The first one is still held by the use above.
    expect(existsSync(path)).toBe(true)
    now += 99
    handles.results.use(ann, kept.id).release()
    expect(existsSync(kept.path)).toBe(true)
    now += 100
    expect(() => handles.results.use(ann, kept.id)).toThrow(QuerentError)
    expect(existsSync(kept.path)).toBe(false)
    expect(existsSync(`${kept.path}.wal`)).toBe(false)
  })

  test('go at their greatest age, though they are used; what is held stays until it is let go', () => {
    const handles = open()
    const { id, path } = keep(handles, ann, 10)
    const lease = handles.results.use(ann, id)
    now += 1000
    expect(() => handles.results.use(ann, id)).toThrow(QuerentError)
    expect(existsSync(path)).toBe(true)
    lease.release()
    lease.release()
    expect(existsSync(path)).toBe(false)
  })

  test('unused for longest go first when there are too many', () => {
    const handles = open()
    const [a, b, c] = [keep(handles, ann, 1), keep(handles, ann, 1), keep(handles, ann, 1)]
    handles.results.use(ann, a.id).release()
    keep(handles, ann, 1)
    expect([a, b, c].map(({ path }) => existsSync(path))).toEqual([true, false, true])
    expect(keep(handles, bob, 1).path).toSatisfy(existsSync)
  })

  test('make room by bytes, and one that is too large is not kept', () => {
    const handles = open()
    const small = keep(handles, ann, 600)
    keep(handles, bob, 400)
    const large = keep(handles, ann, 900)
    expect(existsSync(small.path)).toBe(false)
    const huge = handles.results.begin(ann)
    writeFileSync(huge.path, 'x')
    expect(huge.keep({ columns: [], columnTypes: [], rows: 0, bytes: 1001, complete: true })).toBe(false)
    expect(existsSync(huge.path)).toBe(false)
    expect(() => handles.results.use(ann, huge.id)).toThrow(QuerentError)
    expect(existsSync(large.path)).toBe(false)
  })

  test('never lose what is in use, and say what room that leaves', () => {
    const handles = open()
    const { id, path } = keep(handles, ann, 700)
    const lease = handles.results.use(ann, id)
    const next = handles.results.begin(ann)
    expect(next.maxBytes).toBe(300)
    expect(next.keep({ columns: [], columnTypes: [], rows: 0, bytes: 301, complete: true })).toBe(false)
    expect(existsSync(path)).toBe(true)
    expect(handles.results.addExport(lease.value, 300)).toBe(true)
    expect(handles.results.addExport(lease.value, 1)).toBe(false)
    lease.release()
  })

  test('a discarded one leaves nothing', () => {
    const handles = open()
    const pending = handles.results.begin(ann)
    writeFileSync(pending.path, 'x')
    pending.discard()
    expect(existsSync(pending.path)).toBe(false)
  })
})

describe('scratch spaces', () => {
  const table = { name: 'T', columns: ['a'], columnTypes: ['INTEGER'], rows: 1 }

  test('a session has a space of its own, a handle names any of the caller', () => {
    const handles = open()
    expect(handles.scratch.use(ann, { session: 's1' })).toBeUndefined()
    expect(handles.scratch.use(ann, {})).toBeUndefined()
    const first = handles.scratch.open(ann, { session: 's1' })
    handles.scratch.saved(first.value, table, 10)
    expect(first.value.tables).toEqual([table])
    expect(handles.scratch.open(ann, { session: 's1' }).id).toBe(first.id)
    expect(handles.scratch.use(ann, { id: first.id })?.id).toBe(first.id)
    expect(handles.scratch.open(ann, { session: 's2' }).id).not.toBe(first.id)
    expect(handles.scratch.open(bob, { session: 's1' }).id).not.toBe(first.id)
    expect(handles.scratch.open(ann, {}).id).not.toBe(first.id)
    expect(messageOf(() => handles.scratch.open(bob, { id: first.id }))).toBe(`There is no scratch space ${first.id}.`)
  })

  test('a space goes where nothing was saved, so that failures leave nothing behind', () => {
    const handles = open()
    const opened = handles.scratch.open(ann, { session: 's1' })
    const held = handles.scratch.use(ann, { session: 's1' })
    writeFileSync(opened.value.path, 'x')
    opened.release()
    expect(existsSync(opened.value.path)).toBe(true)
    held?.release()
    expect(existsSync(opened.value.path)).toBe(false)
    expect(handles.scratch.use(ann, { session: 's1' })).toBeUndefined()
    const kept = handles.scratch.open(ann, { session: 's1' })
    handles.scratch.saved(kept.value, table, 10)
    kept.release()
    expect(handles.scratch.use(ann, { session: 's1' })?.id).toBe(kept.id)
  })

  test('a table saved again replaces the older one', () => {
    const handles = open()
    const space = handles.scratch.open(ann, {})
    handles.scratch.saved(space.value, table, 10)
    handles.scratch.saved(space.value, { ...table, name: 't', rows: 2 }, 400)
    expect(space.value.tables).toEqual([{ ...table, name: 't', rows: 2 }])
    expect(handles.scratch.maxBytes(space.value)).toBe(1000)
    const other = handles.scratch.open(ann, {})
    expect(handles.scratch.maxBytes(other.value)).toBe(600)
  })

  test('a session gets a new space when the old one has expired', () => {
    const handles = open()
    const first = handles.scratch.open(ann, { session: 's1' })
    writeFileSync(first.value.path, 'x')
    first.release()
    now += 100
    const second = handles.scratch.open(ann, { session: 's1' })
    expect(second.id).not.toBe(first.id)
    expect(existsSync(first.value.path)).toBe(false)
  })

  test('a session gets a new space when the old one went at its greatest age while it was held', () => {
    const handles = open()
    const first = handles.scratch.open(ann, { session: 's1' })
    now += 1000
    expect(handles.scratch.open(ann, { session: 's1' }).id).not.toBe(first.id)
    first.release()
    expect(handles.scratch.use(ann, { session: 's1' })).toBeDefined()
  })
})

describe('several processes', () => {
  test('share the folder: leftovers of dead ones go, files of running ones stay', () => {
    const other = registerProcess(state)
    const theirs = keep(open({ processes: other }), ann, 1).path
    open()
    expect(existsSync(theirs)).toBe(true)
    other.close()
    open()
    expect(existsSync(theirs)).toBe(false)
  })

  test('agree on the salt', () => {
    expect(open().callerKey(ann)).toBe(open({ processes: registerProcess(state) }).callerKey(ann))
  })

  test('a process id that another process has now counts as dead', () => {
    const id = `${process.pid}-${'0'.repeat(16)}`
    const entry = { host: 'elsewhere', pid: process.pid, started: '1' }
    const path = join(state.folder('processes'), id)
    writeFileSync(path, JSON.stringify(entry))
    expect(processes.isAlive(id)).toBe(true)
    writeFileSync(path, JSON.stringify({ ...entry, host: '' }))
    expect(processes.isAlive('1-../../salt')).toBe(false)
    mkdirSync(join(state.path, 'callers', 'x', id), { recursive: true })
    rmSync(path)
    open()
    expect(readdirSync(join(state.path, 'callers', 'x'))).toEqual([])
  })

  test('closing leaves no file of this process', () => {
    const handles = open()
    const { path } = keep(handles, ann, 1)
    handles.close()
    expect(existsSync(dirname(path))).toBe(false)
  })
})

describe('HandleTable', () => {
  type Step =
    | { readonly act: 'add'; readonly owner: number; readonly bytes: number }
    | { readonly act: 'use' | 'release' | 'change'; readonly pick: number; readonly bytes: number }
    | { readonly act: 'wait'; readonly ms: number }

  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ act: fc.constant('add' as const), owner: fc.nat(2), bytes: fc.nat(700) }),
    fc.record({ act: fc.constantFrom('use', 'release', 'change'), pick: fc.nat(20), bytes: fc.nat(700) }),
    fc.record({ act: fc.constant('wait' as const), ms: fc.nat(150) }),
  )

  test('bounds hold for all that is not in use, and nothing goes twice or while it is held', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let clock = 0
        const gone = new Set<string>()
        const table = new HandleTable<{ readonly id: string; readonly bytes: number }>({
          thing: 'thing',
          prefix: 't',
          limits,
          nowMs: () => clock,
          onRemoved: ({ id }) => {
            expect(gone.has(id)).toBe(false)
            expect(held.some((lease) => lease.id === id)).toBe(false)
            gone.add(id)
          },
        })
        const known: { readonly id: string; readonly owner: string }[] = []
        let held: Lease<{ readonly id: string; readonly bytes: number }>[] = []
        for (const next of steps) {
          if (next.act === 'wait') clock += next.ms
          else if (next.act === 'add') {
            const lease = table.add(`o${next.owner}`, (id) => ({ id, bytes: 0 }))
            known.push({ id: lease.id, owner: `o${next.owner}` })
            held.push(lease)
            table.change(lease.id, (value) => ({ ...value, bytes: Math.min(next.bytes, table.room(lease.id)) }))
          } else if (next.act === 'release') {
            const lease = held[next.pick % Math.max(1, held.length)]
            held = held.filter((other) => other !== lease)
            lease?.release()
          } else {
            const entry = known[next.pick % Math.max(1, known.length)]
            if (entry === undefined) continue
            try {
              const lease = table.use(entry.owner, entry.id)
              expect(gone.has(entry.id)).toBe(false)
              if (next.act === 'use') held.push(lease)
              else {
                table.change(lease.id, (value) => ({ ...value, bytes: Math.min(next.bytes, table.room(lease.id)) }))
                lease.release()
              }
            } catch (error) {
              if (!(error instanceof QuerentError)) throw error
            }
          }
        }
        for (const lease of held.splice(0)) lease.release()
        // One more entry of each owner makes the bounds hold for everything.
        for (const owner of ['o0', 'o1', 'o2']) table.add(owner, (id) => ({ id, bytes: 0 })).release()
        const left = known.filter(({ id }) => !gone.has(id))
        for (const owner of ['o0', 'o1', 'o2']) {
          expect(left.filter((entry) => entry.owner === owner).length).toBeLessThanOrEqual(limits.maxCount)
        }
        expect(left.length).toBeLessThanOrEqual(limits.maxTotalCount)
        clock += limits.maxAgeMs
        table.removeExpired()
        expect(known.every(({ id }) => gone.has(id))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
