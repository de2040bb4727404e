import type { QuerentError } from '../../errors/querent-error.js'

/** What a process of the command line answers with; see docs/cli.md. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  unreachable: 4,
  stopped: 5,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export function exitCodeOf(error: QuerentError): ExitCode {
  if (error.code.startsWith('config.')) return exitCodes.usage
  switch (error.category) {
    case 'policy':
      return exitCodes.refused
    case 'external':
      return exitCodes.unreachable
    case 'timeout':
      return exitCodes.stopped
    case 'user':
    case 'limit':
    case 'internal':
      return exitCodes.failed
  }
}
