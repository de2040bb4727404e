import { QuerentError } from '../../errors/querent-error.js'

/** A signal that Ctrl-C and a polite kill abort once; the second one ends the process as usual. */
export function interruptible(): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController()
  const stop = (): void => {
    release()
    controller.abort(new QuerentError('limit.cancelled'))
  }
  const release = (): void => {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return { signal: controller.signal, release }
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else {
      signal.addEventListener(
        'abort',
        () => {
          resolve()
        },
        { once: true },
      )
    }
  })
}
