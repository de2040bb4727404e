import { z } from 'zod'
import { byteSize } from './byte-size.js'

/** `audit:`. The log is kept by default. */
export const auditConfig = z.strictObject({
  /** A file; absent: in the state folder of the workspace. */
  path: z.string().min(1).optional(),
  /** How statements are recorded: whole, without their literals, or as a hash. */
  sql: z.enum(['full', 'literals', 'hash']).default('full'),
  /** A record that cannot be written fails the query. */
  required: z.boolean().default(true),
  /** A log that grows beyond this is put aside and a new one begun. */
  maxBytes: byteSize.refine((value) => value >= 10_000, { error: 'expected at least 10KB' }).default(100_000_000),
  /** Logs put aside that are kept. */
  maxFiles: z.int().min(1).max(1000).default(10),
})

export type AuditConfig = z.output<typeof auditConfig>
