import { describe, expect, it } from 'vitest'
import { FileLocks } from './file-locks.js'
import { Task } from './tasks.js'

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('FileLocks', () => {
  it('shares with readers, excludes writers, in order of arrival', async () => {
    const locks = new FileLocks()
    const order: string[] = []
    const take = async (name: string, mode: 'shared' | 'exclusive'): Promise<() => void> => {
      const release = await locks.acquire('f', mode, new Task())
      order.push(name)
      return release
    }
    const first = await take('read 1', 'shared')
    const second = await take('read 2', 'shared')
    const writer = take('write', 'exclusive')
    const late = take('read 3', 'shared')
    await settled()
    expect(order).toEqual(['read 1', 'read 2'])
    first()
    first()
    await settled()
    expect(order).toEqual(['read 1', 'read 2'])
    second()
    ;(await writer)()
    await late
    expect(order).toEqual(['read 1', 'read 2', 'write', 'read 3'])
  })

  it('lets a waiter be interrupted, and those behind it go on', async () => {
    const locks = new FileLocks()
    await locks.acquire('f', 'shared', new Task())
    const task = new Task()
    const writer = locks.acquire('f', 'exclusive', task)
    const reader = locks.acquire('f', 'shared', new Task())
    task.interrupt()
    await expect(writer).rejects.toMatchObject({ code: 'engine.interrupted' })
    await reader
    task.end()
  })
})
