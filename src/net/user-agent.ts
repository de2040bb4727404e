import { readFileSync } from 'node:fs'

/** `querent/<version>`: how Querent names itself to every source. */
export const userAgent = `querent/${readVersion()}`

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return isManifest && typeof manifest.version === 'string' ? manifest.version : '0.0.0'
}
