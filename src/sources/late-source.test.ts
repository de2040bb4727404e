import { describe, expect, it } from 'vitest'
import { QuerentError } from '../errors/querent-error.js'
import { localCaller } from '../model/caller.js'
import type { Table } from '../model/table.js'
import { LateSource } from './late-source.js'
import type { Source } from './source.js'

const table: Table = {
  name: { source: 'late', table: 't' },
  columns: [{ name: 'a', type: 'BIGINT' }],
} as unknown as Table
const request = { table, columns: ['a'], filters: [], otherConditions: [] }
const { signal } = new AbortController()

/** A source of one table, and what was done to it. */
function opener(): { readonly calls: string[]; readonly open: () => Promise<Source> } {
  const calls: string[] = []
  const source: Source = {
    name: 'late',
    listTables: () => Promise.resolve([table]),
    describeTables: () => Promise.resolve([table]),
    planScan: () => ({ table: table.name, residual: [], requests: { estimate: 0, max: 0 }, preview: [] }),
    async *scan() {
      yield await Promise.resolve({ kind: 'rows', rows: [[1]] } as never)
    },
    check: () => Promise.resolve(),
    close() {
      calls.push('close')
      return Promise.resolve()
    },
  }
  return {
    calls,
    open() {
      calls.push('open')
      return Promise.resolve(source)
    },
  }
}

describe('LateSource', () => {
  it('opens at the first use, and once', async () => {
    const { calls, open } = opener()
    const source = new LateSource('late', open)
    expect(calls).toEqual([])
    await Promise.all([source.listTables(signal), source.describeTables([table.name], { signal })])
    expect(calls).toEqual(['open'])
    const plan = source.planScan(request)
    const batches: unknown[] = []
    const meter = { request: () => undefined, received: () => undefined }
    for await (const batch of source.scan(plan, { signal, caller: localCaller, meter })) batches.push(batch)
    expect(batches).toHaveLength(1)
    expect(await source.writeTarget()).toBeUndefined()
    await source.close()
    expect(calls).toEqual(['open', 'close'])
  })

  it('is not opened to be closed, nor after it', async () => {
    const { calls, open } = opener()
    const source = new LateSource('late', open)
    await source.close()
    await expect(source.listTables(signal)).rejects.toThrow(QuerentError)
    expect(calls).toEqual([])
  })

  it('fails every call with the reason where it cannot be opened', async () => {
    const reason = new QuerentError('internal.unexpected', { message: 'the folder is gone' })
    const source = new LateSource('late', () => Promise.reject(reason))
    await expect(source.listTables(signal)).rejects.toBe(reason)
    await expect(source.describeTables([table.name], { signal })).rejects.toBe(reason)
    await expect(source.check(signal)).rejects.toBe(reason)
    expect(() => source.planScan(request)).toThrow(/before it was described/)
    await source.close()
  })
})
