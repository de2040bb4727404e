import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { HostPolicy } from './host-policy.js'
import { blockedAddress, guardedLookup, isPublicAddress } from './ssrf.js'

export interface ConnectorOptions {
  readonly policy: HostPolicy
  readonly connectTimeoutMs: number
  /** Resolves names; the system's resolver by default. */
  readonly lookup?: LookupFunction
}

/**
 * Opens the sockets of one source. Every connection passes here, whatever led to it: hosts that the workspace names are
 * dialled as named, all others only at public addresses. Literal addresses never reach a lookup and are judged here.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const { policy, connectTimeoutMs: timeout, lookup } = options
  const open = buildConnector({ timeout, ...(lookup === undefined ? {} : { lookup }) })
  const guarded = buildConnector({ timeout, lookup: guardedLookup(lookup) })
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '')
    if (policy.trustOfHost(host, target.port) === 'named') {
      open(target, callback)
    } else if (isIP(host) !== 0 && !isPublicAddress(host)) {
      callback(blockedAddress(host), null)
    } else guarded(target, callback)
  }
}
