import { Option, type Command } from 'commander'
import { findWorkspace } from '../../config/find-workspace.js'
import { loadWorkspace } from '../../config/load-workspace.js'
import type { LoadedWorkspace } from '../../config/loaded-workspace.js'
import { duration } from '../../config/duration.js'
import { workspaceFromArguments } from '../../config/workspace-from-arguments.js'
import { QuerentError } from '../../errors/querent-error.js'
import { builtinSchemas } from '../../sources/builtin.js'
import { openWorkspace } from '../../workspace/open-workspace.js'
import type { OpenedWorkspace } from '../../workspace/open-workspace.js'
import { say, type Output } from './output.js'
import { terminalText } from './render/terminal-text.js'

/** Options that every command with a workspace takes. */
export interface WorkspaceFlags {
  readonly config?: string
  readonly readWrite?: boolean
  readonly readOnly?: boolean
  readonly maxRows?: number
  readonly maxChars?: number
  readonly queryTimeout?: number
}

export function addWorkspaceFlags(command: Command): Command {
  return command
    .option('-c, --config <file>', 'workspace file; else $QUERENT_CONFIG, else the nearest querent.yaml upward')
    .addOption(new Option('--read-write', 'open DuckDB databases for writing').conflicts('readOnly'))
    .option('--read-only', 'open everything for reading only (the default)')
    .option('--max-rows <n>', 'rows of an answer at most', wholeNumber)
    .option('--max-chars <n>', 'characters of an answer at most', wholeNumber)
    .option('--query-timeout <time>', 'time of a query at most, such as 30s', timeText)
}

export interface OpenCommandOptions {
  readonly flags: WorkspaceFlags
  /** Sources named on the command line instead of a workspace file. */
  readonly sources: readonly string[]
  /** SQL may name any file that the person can read. */
  readonly anyFile: boolean
  /** A missing workspace file is no fault: the statement may need none. */
  readonly optional?: boolean
  readonly watch?: boolean
  readonly output: Output
}

/** Opens what a command works on: the sources it names, or a workspace file. */
export async function openCommandWorkspace(options: OpenCommandOptions): Promise<OpenedWorkspace> {
  const { flags, output } = options
  const loaded = await loadCommandWorkspace(options)
  const notify = (text: string): void => void say(output, terminalText(text))
  loaded.notices.forEach(notify)
  return openWorkspace(loaded, {
    readWrite: flags.readWrite === true,
    anyFile: options.anyFile,
    watch: options.watch === true,
    onNotice: notify,
    caps: {
      ...(flags.maxRows === undefined ? {} : { maxRows: flags.maxRows }),
      ...(flags.maxChars === undefined ? {} : { maxChars: flags.maxChars }),
      ...(flags.queryTimeout === undefined ? {} : { timeoutMs: flags.queryTimeout }),
    },
  })
}

async function loadCommandWorkspace({ flags, sources, optional }: OpenCommandOptions): Promise<LoadedWorkspace> {
  const { env } = process
  const cwd = process.cwd()
  const kinds = builtinSchemas
  if (sources.length > 0) {
    if (flags.config !== undefined) throw usage('--config and sources named directly exclude each other.')
    return workspaceFromArguments({ args: sources, cwd, kinds, env })
  }
  try {
    const found = await findWorkspace({ configFlag: flags.config, env, cwd })
    return await loadWorkspace({ path: found.path, kinds, env, trusted: found.named })
  } catch (error) {
    const isMissing = error instanceof QuerentError && error.code === 'config.not_found' && flags.config === undefined
    if (optional !== true || !isMissing) throw error
    return workspaceFromArguments({ args: [], cwd, kinds, env })
  }
}

export function usage(message: string): QuerentError {
  return new QuerentError('config.usage', { message })
}

export function wholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1) throw usage(`${text} is not a whole number from 1 up.`)
  return value
}

function timeText(text: string): number {
  const parsed = duration.safeParse(text)
  if (!parsed.success || parsed.data <= 0) throw usage(`${text} is not a time; write 500ms, 30s or 5m.`)
  return parsed.data
}
