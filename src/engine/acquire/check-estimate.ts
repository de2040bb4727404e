import { QuerentError } from '../../errors/querent-error.js'
import { formatTableName } from '../../model/table-name.js'
import type { RemoteRead } from './remote-read.js'

/** Throws `limit.estimate` for reads that will pass the limit for certain: nothing is asked in vain. */
export function checkEstimate(reads: readonly RemoteRead[], maxRequests: number): void {
  const estimate = reads.reduce((sum, read) => sum + read.plan.requests.estimate, 0)
  if (estimate <= maxRequests) return
  const [most] = [...reads].sort((a, b) => b.plan.requests.estimate - a.plan.requests.estimate)
  const table = most === undefined ? '' : formatTableName(most.request.table.name)
  throw new QuerentError('limit.estimate', { estimate, max: maxRequests, table })
}
