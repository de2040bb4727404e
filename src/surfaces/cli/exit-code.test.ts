import { expect, it } from 'vitest'
import { QuerentError } from '../../errors/querent-error.js'
import type { ErrorCode } from '../../errors/catalogue.js'
import { exitCodeOf } from './exit-code.js'

it.each<[ErrorCode, number]>([
  ['sql.syntax', 1],
  ['limit.requests', 1],
  ['file.bad_csv', 1],
  ['file.unwritable', 1],
  ['engine.disk_full', 1],
  ['state.audit_unwritable', 1],
  ['internal.unexpected', 1],
  ['config.invalid', 2],
  ['config.usage', 2],
  ['server.listen_failed', 2],
  ['server.token_required', 2],
  ['engine.init_sql', 2],
  ['policy.statement', 3],
  ['net.blocked_address', 3],
  ['file.outside', 3],
  ['net.connect', 4],
  ['source.unauthorized', 4],
  ['source.server_error', 4],
  ['file.not_found', 4],
  ['engine.database_locked', 4],
  ['limit.timeout', 5],
  ['limit.cancelled', 5],
  ['net.timeout', 5],
])('%s ends with %i', (code, expected) => {
  expect(exitCodeOf(new QuerentError(code))).toBe(expected)
})
