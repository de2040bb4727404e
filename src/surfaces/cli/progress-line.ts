import stringWidth from 'string-width'
import type { Progress } from '../../workspace/workspace.js'
import type { Output } from './output.js'
import { fitWidth } from './render/fit-width.js'
import { terminalText } from './render/terminal-text.js'

const firstAfterMs = 500
const everyMs = 250

export interface ProgressLine {
  update(progress: Progress): void
  clear(): void
}

/** One line on a terminal's stderr that says how far a long query is; silent elsewhere and for short ones. */
export function progressLine({ err }: Output): ProgressLine {
  if (err.isTTY !== true) return { update: () => undefined, clear: () => undefined }
  const startMs = performance.now()
  let latest: Progress | undefined
  let shown = false
  const show = (): void => {
    const elapsedMs = performance.now() - startMs
    if (elapsedMs < firstAfterMs) return
    shown = true
    err.write(`\r\u001b[K${fitWidth(lineText(latest, elapsedMs), (err.columns ?? 80) - 1, stringWidth)}`)
  }
  const timer = setInterval(show, everyMs)
  timer.unref()
  return {
    update(progress) {
      latest = progress
    },
    clear() {
      clearInterval(timer)
      if (shown) err.write('\r\u001b[K')
    },
  }
}

function lineText(progress: Progress | undefined, elapsedMs: number): string {
  const seconds = `${Math.floor(elapsedMs / 1000)} s`
  if (progress === undefined) return `running, ${seconds}`
  const { message, requests, rows } = progress
  return `${terminalText(message)}: ${requests} requests, ${rows} rows, ${seconds}`
}
