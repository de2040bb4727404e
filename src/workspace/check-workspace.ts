import { QuerentError } from '../errors/querent-error.js'
import { formatTableName } from '../model/table-name.js'
import type { Table } from '../model/table.js'
import type { Source } from '../sources/source.js'
import type { CheckFinding } from './workspace.js'

/** Probes a source: that it answers, that its tables can be described, and that its examples run. */
export async function checkSource(
  source: Source,
  options: {
    readonly signal: AbortSignal
    /** Statements that the workspace's author gave for the whole source. */
    readonly examples: readonly string[]
    readonly runExample: (sql: string) => Promise<string>
  },
): Promise<readonly CheckFinding[]> {
  const findings: CheckFinding[] = []
  const attempt = async <T>(
    subject: string,
    act: () => Promise<T>,
    say: (value: T) => string,
    facts: Pick<CheckFinding, 'example'> = {},
  ): Promise<T | undefined> => {
    try {
      const value = await act()
      findings.push({ severity: 'ok', subject, message: say(value), ...facts })
      return value
    } catch (error) {
      options.signal.throwIfAborted()
      const finding = { ...failed(subject, error), ...facts }
      const before = findings.at(-1)
      // A source that is down fails each probe the same way.
      if (before?.subject !== subject || before.message !== finding.message) findings.push(finding)
      return undefined
    }
  }
  const runExamples = async (subject: string, examples: readonly string[]): Promise<void> => {
    for (const [index, example] of examples.entries()) {
      await attempt(
        `${subject}, example ${index + 1}`,
        () => options.runExample(example),
        (text) => text,
        { example: true },
      )
    }
  }
  await attempt(
    source.name,
    () => source.check(options.signal),
    () => 'answers',
  )
  const summaries = await attempt(
    source.name,
    () => source.listTables(options.signal),
    ({ length }) => (length === 1 ? '1 table' : `${length} tables`),
  )
  for (const { name } of summaries ?? []) {
    const subject = formatTableName(name)
    const described = await attempt(
      subject,
      () => source.describeTables([name], options),
      ([table]) => shapeText(table),
    )
    await runExamples(subject, described?.[0]?.examples ?? [])
  }
  await runExamples(source.name, options.examples)
  return findings
}

function shapeText(table: Table | undefined): string {
  return table?.unknownShape === undefined
    ? countText(table?.columns.length ?? 0)
    : `columns unknown until ${table.unknownShape}`
}

function countText(columns: number): string {
  return columns === 1 ? '1 column' : `${columns} columns`
}

function failed(subject: string, error: unknown): CheckFinding {
  const known =
    error instanceof QuerentError ? error : new QuerentError('internal.unexpected', { message: 'the check failed' })
  const hint = known.hint === undefined || known.hint === '' ? {} : { hint: known.hint }
  return { severity: 'error', subject, message: known.message, code: known.code, ...hint }
}
