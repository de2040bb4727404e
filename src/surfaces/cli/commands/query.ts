import { copyFile, rename, rm, writeFile } from 'node:fs/promises'
import { text as readStream } from 'node:stream/consumers'
import { QuerentError } from '../../../errors/querent-error.js'
import { localCaller } from '../../../model/caller.js'
import type { CallContext, QueryParams, QueryResult, Workspace } from '../../../workspace/workspace.js'
import { write, say, type Output } from '../output.js'
import { progressLine } from '../progress-line.js'
import { renderRows, textFormats, type TextFormat } from '../render/rows.js'
import { usage } from '../workspace-arguments.js'

export const queryFormats = [...textFormats, 'parquet'] as const
export type QueryFormat = (typeof queryFormats)[number]

export interface QueryCommandOptions {
  readonly format: QueryFormat
  /** File to write instead of stdout. */
  readonly outputFile?: string
  readonly params: Readonly<Record<string, unknown>>
  readonly maxRows?: number
  readonly timeoutMs?: number
  readonly signal: AbortSignal
}

/** Runs one statement and prints its rows. Everything that is not data goes to stderr. */
export async function runQueryCommand(
  workspace: Workspace,
  sql: string,
  options: QueryCommandOptions,
  output: Output,
): Promise<void> {
  const progress = progressLine(output)
  const context: CallContext = {
    caller: localCaller,
    surface: 'cli',
    session: 'cli',
    signal: options.signal,
    onProgress: (update) => {
      progress.update(update)
    },
  }
  const wholeFile = options.format === 'parquet'
  if (wholeFile && options.outputFile === undefined) throw usage('--format parquet needs -o FILE.')
  const result = await workspace
    .query({ sql, ...requestOf(options), ...(wholeFile ? { keep: true } : {}) }, context)
    .finally(() => {
      progress.clear()
    })
  if (wholeFile) await writeParquet(workspace, result, options.outputFile ?? '', context)
  else await printRows(result, options, output)
  await sayFacts(result, options, output)
}

function requestOf(options: QueryCommandOptions): { params?: QueryParams; maxRows?: number; timeoutMs?: number } {
  return {
    ...(Object.keys(options.params).length === 0 ? {} : { params: options.params }),
    ...(options.maxRows === undefined ? {} : { maxRows: options.maxRows }),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  }
}

async function printRows(result: QueryResult, options: QueryCommandOptions, output: Output): Promise<void> {
  const rendered = renderRows(result, options.format as TextFormat, output)
  if (options.outputFile === undefined) await write(output.out, rendered)
  else await writeWhole(options.outputFile, (draft) => writeFile(draft, rendered))
}

async function writeParquet(
  workspace: Workspace,
  result: QueryResult,
  file: string,
  context: CallContext,
): Promise<void> {
  if (result.result === undefined) throw new QuerentError('internal.unexpected', { message: 'the result was not kept' })
  const page = await workspace.fetchResult({ result: result.result, format: 'parquet' }, context)
  const exported = page.file?.path
  if (exported === undefined) throw new QuerentError('internal.unexpected', { message: 'the result was not exported' })
  await writeWhole(file, (draft) => copyFile(exported, draft))
}

/** A file is there whole or not at all. */
async function writeWhole(file: string, make: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${file}.${process.pid}.part`
  try {
    await make(draft)
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new QuerentError('file.unwritable', { path: file, reason }, { cause: error })
  }
}

async function sayFacts(result: QueryResult, options: QueryCommandOptions, output: Output): Promise<void> {
  if (result.warning !== undefined) await say(output, `warning: ${result.warning}`)
  if (result.truncated === true && options.format !== 'parquet') {
    const total = result.totalRows === undefined ? 'more' : String(result.totalRows)
    await say(
      output,
      `warning: cut to ${result.rowCount} of ${total} rows; raise --max-rows or --max-chars, or add a LIMIT`,
    )
  }
  if (options.format === 'table' && output.err.isTTY === true) {
    await say(output, `${result.rowCount} rows in ${(result.elapsedMs / 1000).toFixed(2)} s`)
  }
}

/** `-` is standard input. */
export async function readSql(argument: string): Promise<string> {
  return argument === '-' ? readStream(process.stdin) : argument
}

/** `k=v` pairs; a value that is a JSON number, boolean or null is one, everything else is text. */
export function parseParams(pairs: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw usage(`--param takes name=value, not ${pair}.`)
      return [pair.slice(0, at), paramValue(pair.slice(at + 1))]
    }),
  )
}

function paramValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  if (/^-?(0|[1-9]\d*)$/.test(text)) return BigInt(text)
  return /^-?(0|[1-9]\d*)\.\d+$/.test(text) ? Number(text) : text
}
