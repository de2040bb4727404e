import type { SourceKind } from '../source.js'
import { httpConfig, type HttpConfig } from './http-config.js'

/** REST APIs: each endpoint is a table, its parameters are columns. */
export const httpKind: SourceKind<HttpConfig> = {
  kind: 'http',
  configSchema: httpConfig,
  async open(config, context) {
    const { HttpSource } = await import('./http-source.js')
    return HttpSource.open(config, context)
  },
}
