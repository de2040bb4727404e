import type { QuerentError } from '../../errors/querent-error.js'

/** What a process of the command line answers with. */
export const exitCodes = {
  ok: 0,
  /** The query or a tool failed. */
  failed: 1,
  /** The command line or the workspace file is wrong. */
  usage: 2,
  refused: 3,
  /** A source cannot be reached, or does not answer as it should: the same command may work later. */
  unreachable: 4,
  /** Timed out or cancelled. */
  stopped: 5,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** External faults that are no source's: this machine's disk and folders, and the content of a file that was read. */
const failedHere =
  /^(?:state\.|engine\.(?!database_locked)|file\.(?!unreadable|not_found|locked|motherduck_unavailable))/

export function exitCodeOf({ code, category }: Pick<QuerentError, 'code' | 'category'>): ExitCode {
  if (/^(?:config\.|engine\.init_sql$|server\.(?:listen_failed|token_required)$)/.test(code)) return exitCodes.usage
  switch (category) {
    case 'policy':
      return exitCodes.refused
    case 'external':
      return failedHere.test(code) ? exitCodes.failed : exitCodes.unreachable
    case 'timeout':
      return exitCodes.stopped
    case 'user':
    case 'limit':
    case 'internal':
      return exitCodes.failed
  }
}
