import path from 'node:path'
import type { Introspection, SourceContext } from '../../src/sources/source-context.js'

/** What an open source is given, with generous limits. */
export function sourceContext(
  folder: string,
  introspection: Introspection,
  more: Partial<Pick<SourceContext, 'onChanged' | 'readWrite'>> = {},
): SourceContext {
  return {
    baseDir: folder,
    stateDir: path.join(folder, '.state'),
    introspection,
    limits: { maxBodyBytes: 64_000_000, maxPages: 100, maxRequests: 1_000, requestTimeoutMs: 10_000, concurrency: 4 },
    onChanged: more.onChanged ?? (() => undefined),
    readWrite: more.readWrite ?? false,
  }
}
