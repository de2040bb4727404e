import type { ProtocolServer } from './protocol-server.js'

/** Tells a client that what the lists show may have changed. A client that has left is not told. */
export function announceChange(server: ProtocolServer): void {
  if (server.transport === undefined) return
  server.sendToolListChanged().catch(() => undefined)
  server.sendPromptListChanged().catch(() => undefined)
  server.sendResourceListChanged().catch(() => undefined)
}
