import { catalogErrors } from './catalogue/catalog.js'
import { configErrors } from './catalogue/config.js'
import { engineErrors } from './catalogue/engine.js'
import { fileErrors } from './catalogue/file.js'
import { internalErrors } from './catalogue/internal.js'
import { limitErrors } from './catalogue/limit.js'
import { netErrors } from './catalogue/net.js'
import { pipelineErrors } from './catalogue/pipeline.js'
import { policyErrors } from './catalogue/policy.js'
import { serverErrors } from './catalogue/server.js'
import { sourceErrors } from './catalogue/source.js'
import { sqlErrors } from './catalogue/sql.js'
import { stateErrors } from './catalogue/state.js'

export type { CatalogueEntry } from './catalogue/entry.js'
import type { CatalogueEntry } from './catalogue/entry.js'

/** Values put into a message. Never a secret. */
export type ErrorParams = Readonly<Record<string, string | number | boolean | undefined>>

const all = {
  ...sqlErrors,
  ...catalogErrors,
  ...pipelineErrors,
  ...policyErrors,
  ...limitErrors,
  ...sourceErrors,
  ...netErrors,
  ...fileErrors,
  ...engineErrors,
  ...stateErrors,
  ...serverErrors,
  ...configErrors,
  ...internalErrors,
}

export type ErrorCode = keyof typeof all

/** Every error Querent can answer, by code. docs/errors.md is generated from this table. */
export const catalogue: Readonly<Record<ErrorCode, CatalogueEntry>> = all

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(all, code)
}
