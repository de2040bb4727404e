import { Option, type Command } from 'commander'
import { wholeNumber } from './usage.js'

/** Where the sources come from; every command with a workspace takes it. */
export interface ConfigFlags {
  readonly config?: string
}

/** How a command's queries run. */
export interface QueryFlags extends ConfigFlags {
  readonly queryTimeout?: string
  readonly initSql?: string
}

/** What answers may be, and whether statements may write. */
export interface AnswerFlags extends QueryFlags {
  readonly readWrite?: boolean
  readonly readOnly?: boolean
  readonly maxRows?: number
  readonly maxChars?: number
}

export const sourcesArgument = ['[sources...]', 'files and databases to use instead of a workspace file'] as const

export function addConfigFlag(command: Command): Command {
  return command.option(
    '-c, --config <file>',
    'workspace file; else $QUERENT_CONFIG, else the nearest querent.yaml upward',
  )
}

export function addQueryFlags(command: Command): Command {
  return addConfigFlag(command)
    .option('--query-timeout <time>', 'time of a query at most, such as 500ms, 30s or 5m')
    .option('--init-sql <sql>', 'statements of yours that each DuckDB instance runs first, such as SET or LOAD')
}

export function addAnswerFlags(command: Command): Command {
  return addQueryFlags(command)
    .option('--max-rows <n>', 'rows of an answer at most; 1024 unless the workspace says otherwise', wholeNumber)
    .option(
      '--max-chars <n>',
      'characters of an answer at most; 50000 unless the workspace says otherwise',
      wholeNumber,
    )
    .addOption(new Option('--read-write', 'open DuckDB databases for writing').conflicts('readOnly'))
    .addOption(new Option('--read-only', 'open everything for reading only (the default)').conflicts('readWrite'))
}
