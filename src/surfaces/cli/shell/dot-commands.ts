import { explanationLines } from '../../../workspace/explanation-text.js'
import { QuerentError } from '../../../errors/querent-error.js'
import type { CallContext, Workspace } from '../../../workspace/workspace.js'
import { nearest } from '../../../util/nearest.js'
import { renderDescription, renderTables } from '../catalog/catalog-text.js'
import { widthOf, write, type Output } from '../output.js'
import { terminalText } from '../render/terminal-text.js'

/** What a dot command may touch. */
export interface DotCommandContext {
  readonly workspace: Workspace
  readonly output: Output
  readonly call: CallContext
  readonly setTimer: (on: boolean) => void
}

interface DotCommand {
  readonly usage: string
  readonly does: string
  readonly run: (argument: string, context: DotCommandContext) => Promise<void>
}

const commands: Readonly<Record<string, DotCommand>> = {
  '.tables': {
    usage: '.tables [words]',
    does: 'tables, ranked by the words',
    run: async (argument, { workspace, output, call }) => {
      const page = await workspace.tables(argument === '' ? {} : { query: argument }, call)
      await write(output.out, renderTables(page, widthOf(output)))
      if (page.tables.length < page.total) await write(output.out, `${page.tables.length} of ${page.total} tables\n`)
      for (const { source, error } of page.unavailable) {
        await write(output.err, `warning: ${terminalText(`${source}: ${error}`)}\n`)
      }
    },
  },
  '.describe': {
    usage: '.describe <table>',
    does: 'columns, types and how each may be filtered',
    run: async (argument, { workspace, output, call }) => {
      if (argument === '') throw misused('.describe takes the name of a table.')
      const table = await workspace.describe({ table: argument.replace(/;$/, '') }, call)
      await write(output.out, renderDescription(table, widthOf(output)))
    },
  },
  '.explain': {
    usage: '.explain <sql>',
    does: 'what would be asked of whom; makes no request',
    run: async (argument, { workspace, output, call }) => {
      if (argument === '') throw misused('.explain takes a statement.')
      const explanation = await workspace.explain({ sql: argument }, call)
      await write(
        output.out,
        explanationLines(explanation).map((line) => `${terminalText(line)}\n`),
      )
    },
  },
  '.timer': {
    usage: '.timer on|off',
    does: 'time of each statement',
    run: (argument, { setTimer }) => {
      if (argument !== 'on' && argument !== 'off') throw misused('.timer takes on or off.')
      setTimer(argument === 'on')
      return Promise.resolve()
    },
  },
  '.help': { usage: '.help', does: 'this list', run: (_, { output }) => write(output.out, helpText()) },
  '.quit': { usage: '.quit', does: 'leave; so does Ctrl-D', run: () => Promise.resolve() },
}

export const dotCommandNames: readonly string[] = Object.keys(commands)

export function isQuit(line: string): boolean {
  return /^\.(quit|exit)$/.test(line.trim())
}

/** Runs a line that starts with a dot. Rejects with `config.usage` for one that is not known, naming the near ones. */
export async function runDotCommand(line: string, context: DotCommandContext): Promise<void> {
  const [, name = '', argument = ''] = /^(\S+)\s*(.*)$/s.exec(line.trim()) ?? []
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    const near = nearest(name, dotCommandNames)
    throw misused(`There is no ${name}.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''}`)
  }
  await command.run(argument.trim(), context)
}

function misused(message: string): QuerentError {
  return new QuerentError('config.usage', { message }, { hint: '.help lists the commands.' })
}

function helpText(): string {
  const lines = Object.values(commands).map(({ usage: form, does }) => `${form.padEnd(20)}${does}\n`)
  return `${lines.join('')}A statement ends with a semicolon and may span lines. Ctrl-C cancels what runs.\n`
}
