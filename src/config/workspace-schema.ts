import { z } from 'zod'
import { auditConfig } from './audit-config.js'
import { limitsConfig } from './limits.js'
import { secretStoreConfig } from './secret-store.js'
import { serverConfig } from './server-config.js'
import { variablesConfig } from './variable.js'

const version = z.literal(1, {
  error: (issue) => (issue.input === undefined ? undefined : 'this version of Querent reads files of version: 1'),
})
const pattern = z.string().min(1)
const shared = {
  /** Files whose sources, variables and secrets are added to these. */
  include: z.array(pattern).default([]),
  variables: variablesConfig.default({}),
  secrets: z.array(secretStoreConfig).optional(),
  /** Files that statements may name by their path. */
  files: z.strictObject({ roots: z.array(pattern).default([]) }).prefault({}),
  /** Each is checked by the schema of its kind. */
  sources: z.array(z.unknown()).default([]),
}

/** The workspace file without its sources' own keys. */
export const workspaceSchema = z.strictObject({
  version,
  name: z
    .string()
    .max(200)
    .min(1)
    .refine((name) => !/\p{Cc}/u.test(name), { error: 'expected a name without control characters' })
    .optional(),
  description: z.string().optional(),
  ...shared,
  limits: limitsConfig.prefault({}),
  audit: auditConfig.prefault({}),
  server: serverConfig.prefault({}),
  // The built-in rules always hold; there is nothing to set in these two yet, so that nothing set is ignored.
  policy: z.strictObject({}).prefault({}),
  cache: z.strictObject({}).prefault({}),
})

/** A file that another one includes. */
export const includedSchema = z.strictObject({ version: version.optional(), ...shared })

/** Keys of the whole file: an included file may not have those that are missing in `includedSchema`. */
export const workspaceKeys: readonly string[] = Object.keys(workspaceSchema.shape)
