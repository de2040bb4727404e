import type { z } from 'zod'
import { duckdbKind } from './duckdb/duckdb-kind.js'
import { fileKind } from './file/file-kind.js'
import { httpKind } from './http/http-kind.js'
import type { Source, SourceKind } from './source.js'
import type { SourceContext } from './source-context.js'

/** A kind whose configuration has been checked by its schema. */
export interface BuiltinKind {
  readonly kind: string
  readonly configSchema: z.ZodType
  /** @param config what `configSchema` made of the entry. */
  open(config: unknown, context: SourceContext): Promise<Source>
}

/** The kinds of source, by what `kind:` names them. A new kind is one line here. */
export const builtinKinds: ReadonlyMap<string, BuiltinKind> = new Map(
  [builtin(fileKind), builtin(duckdbKind), builtin(httpKind)].map((kind) => [kind.kind, kind]),
)

/** Schemas by kind, as loading a workspace file asks for them. */
export const builtinSchemas: ReadonlyMap<string, z.ZodType> = new Map(
  [...builtinKinds.values()].map((kind) => [kind.kind, kind.configSchema]),
)

function builtin<Config>(kind: SourceKind<Config>): BuiltinKind {
  return {
    kind: kind.kind,
    configSchema: kind.configSchema,
    open: (config, context) => kind.open(config as Config, context),
  }
}
