import { duration } from '../../config/duration.js'
import { findWorkspace } from '../../config/find-workspace.js'
import { loadWorkspace } from '../../config/load-workspace.js'
import type { LoadedWorkspace } from '../../config/loaded-workspace.js'
import { workspaceFromArguments } from '../../config/workspace-from-arguments.js'
import { QuerentError } from '../../errors/querent-error.js'
import { builtinSchemas } from '../../sources/builtin.js'
import { openWorkspace, type OpenedWorkspace } from '../../workspace/open-workspace.js'
import { say, type Output } from './output.js'
import { terminalText } from './render/terminal-text.js'
import { usage } from './usage.js'
import type { AnswerFlags } from './workspace-flags.js'

export interface OpenCommandOptions {
  readonly flags: AnswerFlags
  /** Sources named on the command line instead of a workspace file. */
  readonly sources: readonly string[]
  /** SQL may name any file that the person can read. */
  readonly anyFile?: boolean
  /** A missing workspace file is no fault: the statement may need none. */
  readonly optional?: boolean
  /** Takes up changes of the workspace file. */
  readonly watch?: boolean
  /** Answers go to a person or a file, and no model's context: `maxRows` alone decides how much comes. */
  readonly forPeople?: boolean
  /** Rows that are kept of a result; the workspace's limit where absent. */
  readonly keptRows?: (loaded: LoadedWorkspace) => number
}

/** Characters of an answer for people: what one text of JavaScript holds, with room to spare. */
const maxCharsForPeople = 200_000_000

/** Opens what a command works on: the sources it names, or a workspace file. */
export async function openCommandWorkspace(options: OpenCommandOptions, output: Output): Promise<OpenedWorkspace> {
  const { flags } = options
  const timeoutMs = flags.queryTimeout === undefined ? undefined : durationMs(flags.queryTimeout)
  const loaded = await loadCommandWorkspace(options)
  const notify = (text: string): void => void say(output, terminalText(text))
  for (const notice of loaded.notices) await say(output, terminalText(notice))
  const maxChars =
    flags.maxChars ?? (options.forPeople === true && flags.maxRows !== undefined ? maxCharsForPeople : undefined)
  return openWorkspace(withKeptRows(loaded, options.keptRows), {
    readWrite: flags.readWrite === true,
    anyFile: options.anyFile === true,
    watch: options.watch === true,
    onNotice: notify,
    ...(flags.initSql === undefined ? {} : { initSql: flags.initSql }),
    caps: {
      ...(flags.maxRows === undefined ? {} : { maxRows: flags.maxRows }),
      ...(maxChars === undefined ? {} : { maxChars }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
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
    const isMissing = error instanceof QuerentError && error.code === 'config.not_found'
    const isNamed = flags.config !== undefined || (env['QUERENT_CONFIG'] ?? '') !== ''
    if (optional !== true || !isMissing || isNamed) throw error
    return workspaceFromArguments({ args: [], cwd, kinds, env })
  }
}

function withKeptRows(loaded: LoadedWorkspace, keptRows: OpenCommandOptions['keptRows']): LoadedWorkspace {
  if (keptRows === undefined) return loaded
  const { limits } = loaded
  // Bytes are left to the room that the state folder gives.
  const result = { ...limits.result, maxRows: keptRows(loaded), maxBytes: limits.tempBytes }
  return { ...loaded, limits: { ...limits, result } }
}

function durationMs(text: string): number {
  const parsed = duration.safeParse(text)
  if (!parsed.success || parsed.data <= 0) throw usage(`${text} is not a time; write 500ms, 30s or 5m.`)
  return parsed.data
}
