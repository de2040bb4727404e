/** A counting semaphore: at most `size` holders, others wait in order and may give up by their signal. */
export class Slots {
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor(size: number) {
    this.#free = size
  }

  /** Resolves with a function that gives the slot back, once. Rejects with the signal's reason. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#free > 0) this.#free--
    else await this.#wait(signal)
    let held = true
    return () => {
      if (held) this.#give()
      held = false
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const granted = (): void => {
        signal.removeEventListener('abort', aborted)
        resolve()
      }
      const aborted = (): void => {
        this.#waiting.delete(granted)
        reject(signal.reason as Error)
      }
      this.#waiting.add(granted)
      signal.addEventListener('abort', aborted, { once: true })
    })
  }

  #give(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#free++
    else {
      this.#waiting.delete(next)
      next()
    }
  }
}
