import type { Progress } from '../../workspace/workspace.js'
import type { Output } from './output.js'
import { terminalText } from './render/terminal-text.js'

const firstAfterMs = 400
const everyMs = 150

/** One line on a terminal's stderr that says how far a long query is; silent elsewhere and for short ones. */
export function progressLine(output: Output): { update(progress: Progress): void; clear(): void } {
  if (output.err.isTTY !== true) return { update: () => undefined, clear: () => undefined }
  const startMs = performance.now()
  let shownMs = 0
  let shown = false
  return {
    update({ message, requests, rows }) {
      const nowMs = performance.now()
      if (nowMs - startMs < firstAfterMs || nowMs - shownMs < everyMs) return
      shownMs = nowMs
      shown = true
      output.err.write(`\r\u001b[K${terminalText(message)}: ${requests} requests, ${rows} rows`)
    },
    clear() {
      if (shown) output.err.write('\r\u001b[K')
    },
  }
}
