import type { ServerContext } from '@modelcontextprotocol/server'
import type { Progress } from '../../workspace/workspace.js'

const minIntervalMs = 100

/** Sends progress to a client that asked for it, ten times a second at most; undefined when it did not ask. */
export function progressSender(protocol: ServerContext): ((progress: Progress) => void) | undefined {
  const progressToken = protocol.mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  let sentAtMs = Number.NEGATIVE_INFINITY
  let last = 0
  return ({ message, requests, rows }) => {
    const now = performance.now()
    const progress = requests + rows
    if (now - sentAtMs < minIntervalMs || progress <= last) return
    sentAtMs = now
    last = progress
    // A client that has left is noticed by its transport; there is nobody to tell here.
    protocol.mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => undefined)
  }
}
