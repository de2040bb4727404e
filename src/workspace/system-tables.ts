import { MemorySource, type MemoryTable } from '../engine/catalog/memory-source.js'
import type { Source } from '../sources/source.js'
import type { AuditLog } from '../state/audit-log.js'

const maxRecords = 100_000

/** `system.audit`: a caller's own records, newest first. */
export function systemTables(audit: AuditLog): Source {
  const table: MemoryTable = {
    name: 'audit',
    description: 'Your own queries on this workspace, newest first.',
    columns: {
      started_at: 'TIMESTAMP',
      query_id: 'VARCHAR',
      caller: 'VARCHAR',
      session: 'VARCHAR',
      surface: 'VARCHAR',
      sql: 'VARCHAR',
      statement: 'VARCHAR',
      tables: 'VARCHAR[]',
      requests: 'BIGINT',
      rows: 'BIGINT',
      bytes: 'BIGINT',
      truncated: 'BOOLEAN',
      partial: 'BOOLEAN',
      elapsed_ms: 'DOUBLE',
      outcome: 'VARCHAR',
      code: 'VARCHAR',
    },
    async *rows(caller) {
      for await (const entry of audit.read({ caller: caller.id, limit: maxRecords })) {
        const end = entry.event === 'finished' ? entry : undefined
        yield {
          started_at: (end?.startedAt ?? entry.time).replace('T', ' ').replace('Z', ''),
          query_id: entry.queryId,
          caller: entry.caller,
          session: entry.session ?? null,
          surface: entry.surface,
          sql: entry.sql ?? null,
          statement: end?.statement ?? null,
          tables: end?.tables ?? null,
          requests: end?.requests ?? null,
          rows: end?.rows ?? null,
          bytes: end?.bytes ?? null,
          truncated: end?.truncated ?? null,
          partial: end?.partial ?? null,
          elapsed_ms: end?.elapsedMs ?? null,
          outcome: entry.outcome,
          code: end?.code ?? null,
        }
      }
    },
  }
  return new MemorySource('system', [table], { listed: true })
}
