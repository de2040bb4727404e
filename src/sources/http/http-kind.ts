import type { SourceKind } from '../source.js'
import { httpConfig, type HttpConfig } from './http-config.js'
import { HttpSource } from './http-source.js'

/** REST APIs: each endpoint is a table, its parameters are columns. */
export const httpKind: SourceKind<HttpConfig> = {
  kind: 'http',
  configSchema: httpConfig,
  open: (config, context) => HttpSource.open(config, context),
}
