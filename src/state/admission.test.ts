import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { QuerentError } from '../errors/querent-error.js'
import { createAdmission, type Turn } from './admission.js'

/** Lets promises that are settled call back. */
async function settle(): Promise<void> {
  for (let round = 0; round < 5; round++) await Promise.resolve()
}

function codeOf(error: unknown): string | undefined {
  return error instanceof QuerentError ? error.code : undefined
}

describe('createAdmission', () => {
  test('runs so many, lets so many wait, and tells the rest to come back', async () => {
    const admission = createAdmission({ concurrent: 2, waiting: 1 })
    const first = await admission.enter('ann')
    await admission.enter('ann')
    const third = admission.enter('ann')
    const refused: unknown = await admission.enter('ann').catch((error: unknown) => error)
    expect(codeOf(refused)).toBe('server.busy')
    expect((refused as QuerentError).hint).toMatch(/^Try again in \d+ ms\.$/)
    expect([admission.running, admission.waiting]).toEqual([2, 1])
    first.release()
    first.release()
    await third
    expect([admission.running, admission.waiting]).toEqual([2, 0])
  })

  test('callers take turns, each in the order of its queries', async () => {
    const admission = createAdmission({ concurrent: 1, waiting: 100 })
    const order: string[] = []
    let current = await admission.enter('zoe')
    const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']
    const turns = names.map((name) =>
      admission.enter(name.charAt(0)).then((turn) => {
        order.push(name)
        current = turn
      }),
    )
    for (let round = 0; round < names.length; round++) {
      current.release()
      await settle()
    }
    await Promise.all(turns)
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  test('a caller who runs less comes first', async () => {
    const admission = createAdmission({ concurrent: 2, waiting: 100 })
    const one = await admission.enter('ann')
    await admission.enter('ann')
    const order: string[] = []
    void admission.enter('ann').then(() => order.push('ann'))
    void admission.enter('bob').then(() => order.push('bob'))
    one.release()
    await settle()
    expect(order).toEqual(['bob'])
  })

  test('one caller cannot fill the waiting room against another', async () => {
    const admission = createAdmission({ concurrent: 1, waiting: 4 })
    await admission.enter('ann')
    const outcomes: string[] = []
    const enter = (caller: string, name: string): void => {
      admission.enter(caller).then(
        () => outcomes.push(`${name} runs`),
        (error: unknown) => outcomes.push(`${name} ${String(codeOf(error))}`),
      )
    }
    for (const name of ['a1', 'a2', 'a3', 'a4']) enter('ann', name)
    for (const name of ['b1', 'b2', 'b3']) enter('bob', name)
    await settle()
    expect(outcomes.sort()).toEqual(['a3 server.busy', 'a4 server.busy', 'b3 server.busy'])
    expect(admission.waiting).toBe(4)
  })

  test('who stops waiting leaves no trace', async () => {
    const admission = createAdmission({ concurrent: 1, waiting: 10 })
    const turn = await admission.enter('ann')
    const stop = new AbortController()
    const reason = new QuerentError('limit.timeout', { timeoutMs: 1 })
    const stopped = admission.enter('bob', stop.signal).catch((error: unknown) => error)
    const next = admission.enter('bob')
    stop.abort(reason)
    expect(await stopped).toBe(reason)
    expect(admission.waiting).toBe(1)
    turn.release()
    await next
    expect(codeOf(await admission.enter('bob', AbortSignal.abort('gone')).catch((error: unknown) => error))).toBe(
      'limit.cancelled',
    )
    expect(admission.running).toBe(1)
  })

  test('an abort after the turn began changes nothing', async () => {
    const admission = createAdmission({ concurrent: 1, waiting: 10 })
    const stop = new AbortController()
    const first = await admission.enter('ann')
    const second = admission.enter('ann', stop.signal)
    first.release()
    stop.abort()
    const turn = await second
    expect(admission.running).toBe(1)
    turn.release()
    expect(admission.running).toBe(0)
  })

  test('the time to retry follows how long turns take', async () => {
    let now = 0
    const admission = createAdmission({ concurrent: 2, waiting: 0, nowMs: () => now })
    const first = await admission.enter('ann')
    now = 10_000
    first.release()
    await admission.enter('ann')
    await admission.enter('ann')
    const refused: unknown = await admission.enter('ann').catch((error: unknown) => error)
    expect((refused as QuerentError).hint).toBe('Try again in 5000 ms.')
  })

  type Step =
    { readonly act: 'enter'; readonly caller: number } | { readonly act: 'release' | 'abort'; readonly pick: number }

  const steps: fc.Arbitrary<readonly Step[]> = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.record({ act: fc.constant('enter' as const), caller: fc.nat(3) }) },
      { weight: 2, arbitrary: fc.record({ act: fc.constantFrom('release', 'abort'), pick: fc.nat(50) }) },
    ),
    { maxLength: 120 },
  )

  test('no turn is lost, no bound is passed, and no caller waits while one with more running is let in', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), fc.nat(6), async (sequence, concurrent, room) => {
        const admission = createAdmission({ concurrent, waiting: room })
        const running: { readonly caller: string; readonly turn: Turn }[] = []
        const waiting: { readonly caller: string; readonly stop: AbortController }[] = []
        let entered = 0
        let ended = 0
        const count = (list: readonly { readonly caller: string }[], caller: string): number =>
          list.filter((entry) => entry.caller === caller).length

        for (const step of sequence) {
          if (step.act === 'enter') {
            entered++
            const caller = `c${step.caller}`
            const entry = { caller, stop: new AbortController() }
            waiting.push(entry)
            admission.enter(caller, entry.stop.signal).then(
              (turn) => {
                waiting.splice(waiting.indexOf(entry), 1)
                for (const other of waiting) {
                  expect(count(running, caller)).toBeLessThanOrEqual(count(running, other.caller))
                }
                running.push({ caller, turn })
              },
              () => {
                waiting.splice(waiting.indexOf(entry), 1)
                ended++
              },
            )
          } else if (step.act === 'release') {
            const [entry] = running.splice(step.pick % Math.max(1, running.length), 1)
            if (entry !== undefined) ended++
            entry?.turn.release()
            entry?.turn.release()
          } else waiting[step.pick % Math.max(1, waiting.length)]?.stop.abort()
          await settle()
          expect(admission.running).toBe(running.length)
          expect(admission.waiting).toBe(waiting.length)
          expect(running.length).toBeLessThanOrEqual(concurrent)
          expect(waiting.length).toBeLessThanOrEqual(room)
          if (waiting.length > 0) expect(running.length).toBe(concurrent)
        }
        while (running.length > 0) {
          running.pop()?.turn.release()
          ended++
          await settle()
        }
        expect(ended).toBe(entered)
        expect([admission.running, admission.waiting]).toEqual([0, 0])
      }),
      { numRuns: 300 },
    )
  })
})
