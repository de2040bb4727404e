/**
 * Runs a generator for each item, at most `width` at once, and yields what they give as it comes; a generator goes on
 * when its value has been taken. When the consumer stops or one fails, all are ended.
 */
export async function* inParallel<Item, Value>(
  items: Iterable<Item>,
  width: number,
  start: (item: Item) => AsyncGenerator<Value>,
): AsyncGenerator<Value> {
  const queue = items[Symbol.iterator]()
  const open = new Map<AsyncGenerator<Value>, Promise<Turn<Value>>>()
  const advance = (generator: AsyncGenerator<Value>): void => {
    const turn = generator.next().then((result) => ({ generator, result }))
    turn.catch(() => undefined)
    open.set(generator, turn)
  }
  try {
    for (;;) {
      while (open.size < width) {
        const item = queue.next()
        if (item.done === true) break
        advance(start(item.value))
      }
      if (open.size === 0) return
      const { generator, result } = await Promise.race(open.values())
      if (result.done === true) open.delete(generator)
      else {
        yield result.value
        advance(generator)
      }
    }
  } finally {
    // Not awaited: a generator that waits for its request ends only when the caller aborts it.
    for (const generator of open.keys()) generator.return(undefined).catch(() => undefined)
  }
}

interface Turn<Value> {
  readonly generator: AsyncGenerator<Value>
  readonly result: IteratorResult<Value, unknown>
}
