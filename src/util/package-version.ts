import { createRequire } from 'node:module'

/** Version of the package, as its package.json says. */
export function packageVersion(): string {
  const { version } = createRequire(import.meta.url)('../../package.json') as { readonly version: string }
  return version
}
