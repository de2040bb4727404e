/** Waits for shared work until this caller's signal aborts; the work goes on for others. Rejects with the signal's reason. */
export async function waitFor<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted()
  let aborted: () => void = () => undefined
  const end = new Promise<never>((_, reject) => {
    aborted = () => {
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', aborted, { once: true })
  })
  try {
    return await Promise.race([work, end])
  } finally {
    signal.removeEventListener('abort', aborted)
  }
}
