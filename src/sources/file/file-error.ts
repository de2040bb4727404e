import { QuerentError } from '../../errors/querent-error.js'

/** How a real path is shown to the caller, such as relative to the workspace's folder. */
export type ShowPath = (path: string) => string

/**
 * DuckDB's message about a file as an error that names the file, and the line where there is one. Undefined for a
 * message that is about something else. The message's advice on DuckDB's own options and its dump of settings are left
 * out.
 */
export function fileErrorOf(message: string, show: ShowPath = (path) => path): QuerentError | undefined {
  return (
    csvErrorOf(message, show) ??
    jsonErrorOf(message, show) ??
    schemaErrorOf(message, show) ??
    brokenErrorOf(message, show)
  )
}

function csvErrorOf(message: string, show: ShowPath): QuerentError | undefined {
  const line = /CSV Error on Line: (\d+)/.exec(message)?.[1]
  const file = /^\s*file = (.*)$/m.exec(message)?.[1]
  if (line !== undefined && file !== undefined) {
    const reason = reasonOfRow(message)
    return new QuerentError('file.bad_row', { path: show(file), line, reason, hint: hintOfRow(reason) })
  }
  const sniffed = /Error when sniffing file "([^"]*)"/.exec(message)?.[1]
  if (sniffed === undefined) return undefined
  return new QuerentError('file.bad_csv', {
    path: show(sniffed),
    reason: 'its delimiter and quotes cannot be detected.',
  })
}

/** The sentence after the line itself, which may hold anything and is cut. */
function reasonOfRow(message: string): string {
  const lines = message.split('\n').map((text) => text.trim())
  const reason = lines.find((text) =>
    /^(?:Error when converting|Could not convert|Expected Number|Invalid unicode|Value with unterminated|Maximum line size|The CSV Parser|Unterminated|Line )/.test(
      text,
    ),
  )
  return cut(
    reason ?? lines.find((text) => text !== '' && !/CSV Error|Original Line/.test(text)) ?? 'it cannot be read',
  )
}

function hintOfRow(reason: string): string {
  if (reason.startsWith('Expected Number')) {
    return 'Mend the line, or set options null_padding, ignore_errors or strict_mode: false of the table.'
  }
  if (/unicode/i.test(reason)) return 'Set options.encoding of the table to latin-1 or utf-16.'
  if (/convert/i.test(reason))
    return 'Mend the value, set the type of the column (options.types), nullstr, or ignore_errors.'
  return 'Mend the line, or set quote, escape or ignore_errors under options of the table.'
}

function jsonErrorOf(message: string, show: ShowPath): QuerentError | undefined {
  const malformed = /Malformed JSON in file "([^"]*)", ([^]*?)(?:\n|$)/.exec(message)
  if (malformed?.[1] !== undefined) {
    const reason = cut((malformed[2] ?? '').replace(/\. Try auto-detecting.*$/, '.'))
    return new QuerentError('file.bad_json', { path: show(malformed[1]), reason, hint: jsonHint })
  }
  const transform = /JSON transform error in file "([^"]*)", in (?:line|record\/value|record) (\d+): ([^\n]*)/.exec(
    message,
  )
  if (transform?.[1] !== undefined) {
    const params = { path: show(transform[1]), line: transform[2] ?? '', reason: cut(transform[3] ?? '') }
    return new QuerentError('file.bad_row', {
      ...params,
      hint: 'Declare the column with a wider type, such as JSON or VARCHAR, or set options.sample_size: -1.',
    })
  }
  const large = /"maximum_object_size" of (\d+) bytes exceeded while reading file "([^"]*)"/.exec(message)
  if (large?.[2] === undefined) return undefined
  const reason = `one value is larger than ${large[1] ?? ''} bytes.`
  const hint = 'Set options.maximum_object_size of the table to a larger number of bytes.'
  return new QuerentError('file.bad_json', { path: show(large[2]), reason, hint })
}

const jsonHint = 'Mend the file, or set format: ndjson for one value a line, json for one array.'

function schemaErrorOf(message: string, show: ShowPath): QuerentError | undefined {
  const globbed = /Schema mismatch between globbed files[^]*?Current file: ([^\n]*)\n([^\n]*)/.exec(message)
  const missing = /Failed to read file "([^"]*)": schema mismatch in glob: (column "[^"]*")/.exec(message)
  const cast =
    /Error while reading file "([^"]*)": (failed to cast column "[^"]*" from type .+? to [A-Z][A-Z0-9_]*)/.exec(message)
  if (globbed?.[1] !== undefined) return mixed(globbed[1], globbed[2] ?? '', show)
  if (missing?.[1] !== undefined) return mixed(missing[1], `${missing[2] ?? ''} is missing`, show)
  return cast?.[1] === undefined ? undefined : mixed(cast[1], cast[2] ?? '', show)
}

function mixed(file: string, reason: string, show: ShowPath): QuerentError {
  return new QuerentError('file.mixed_schema', { path: show(file), reason: cut(reason.replace(/\.$/, '')) })
}

function brokenErrorOf(message: string, show: ShowPath): QuerentError | undefined {
  const gzip = /not a GZIP stream: ([^\n]*)/.exec(message)?.[1]
  if (gzip !== undefined) return new QuerentError('file.corrupt', { path: show(gzip), reason: 'it is not gzip data' })
  if (/Data corruption detected|Unknown frame descriptor|Src size is incorrect/.test(message)) {
    return new QuerentError('file.corrupt', {
      path: 'A compressed file of the query',
      reason: 'the zstd data is wrong',
    })
  }
  const magic = /No magic bytes found at end of file '([^']*)'/.exec(message)?.[1]
  if (magic !== undefined)
    return new QuerentError('file.bad_parquet', { path: show(magic), reason: 'its end is not that of one' })
  const small = /File '([^']*)' too small to be a Parquet file/.exec(message)?.[1]
  if (small !== undefined) return new QuerentError('file.bad_parquet', { path: show(small), reason: 'it is too short' })
  const failed = /Failed to read file "([^"]*)": ([^\n]*)/.exec(message)
  if (failed?.[1] !== undefined)
    return new QuerentError('file.corrupt', { path: show(failed[1]), reason: cut(failed[2] ?? '') })
  const gone = /(?:No files found that match the pattern|Cannot open file) "([^"]*)"(?:: ([^\n]*))?/.exec(message)
  if (gone?.[1] === undefined) return undefined
  const reason = gone[2] ?? 'No such file or directory'
  if (reason.startsWith('No such file')) return new QuerentError('file.not_found', { path: show(gone[1]) })
  return new QuerentError('file.unreadable', {
    path: show(gone[1]),
    reason: cut(reason),
    hint: 'Check the file and its rights.',
  })
}

const maxReasonCharacters = 300

/** One line without control characters, of bounded length: it may quote the data. */
function cut(text: string): string {
  const clean = text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return clean.length > maxReasonCharacters ? `${clean.slice(0, maxReasonCharacters)}…` : clean
}
