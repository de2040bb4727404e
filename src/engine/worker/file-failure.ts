import { basename } from 'node:path'
import { EngineFault } from './engine-fault.js'

const rowHint =
  'Mend the line, or set the options of the table that read it: null_padding, ignore_errors, types, nullstr.'

/** A CSV file that cannot be read, found while a query ran: with its name and line, without DuckDB's dump of settings. */
export function csvFault(message: string): EngineFault | undefined {
  const line = /^CSV Error on Line: (\d+)/m.exec(message)?.[1]
  const file = /^\s*file = (.*)$/m.exec(message)?.[1]
  if (line !== undefined && file !== undefined) {
    const reason = message
      .split('\n')
      .find((text) => /^(?:Error when|Could not|Expected|Invalid|Value with|Maximum line|Unterminated)/.test(text))
    const params = { path: basename(file), line: Number(line), reason: reason ?? 'it cannot be read', hint: rowHint }
    return new EngineFault('file.bad_row', params)
  }
  const sniffed = /Error when sniffing file "([^"]*)"/.exec(message)?.[1]
  if (sniffed === undefined) return undefined
  return new EngineFault('file.bad_csv', {
    path: basename(sniffed),
    reason: 'its delimiter, quotes and types cannot be found out',
  })
}
