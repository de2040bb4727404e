import { QuerentError } from '../../errors/querent-error.js'

const firstDelayMs = 100
const longestDelayMs = 5_000
const patience = 5

/** Slows the start of a worker that dies before it has answered anything, and gives up for a while after five. */
export class RestartDelay {
  private failures = 0
  private reason = ''
  private notBefore = 0

  failed(reason: string): void {
    this.failures++
    this.reason = reason
    this.notBefore = Date.now() + Math.min(longestDelayMs, firstDelayMs * 2 ** (this.failures - 1))
  }

  succeeded(): void {
    this.failures = 0
    this.notBefore = 0
  }

  /** Resolves when a start may be tried. Rejects with engine.unavailable. */
  async wait(): Promise<void> {
    const waitMs = this.notBefore - Date.now()
    if (waitMs <= 0) return
    if (this.failures >= patience) throw new QuerentError('engine.unavailable', { reason: this.reason })
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}
