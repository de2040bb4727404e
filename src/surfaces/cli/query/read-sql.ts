import { maxSqlLength } from '../../../policy/limits.js'
import { QuerentError } from '../../../errors/querent-error.js'

/** The statement that an argument means; `-` is standard input. Throws `sql.too_long` before it is read to its end. */
export async function readSql(argument: string): Promise<string> {
  if (argument !== '-') return argument
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of process.stdin) {
    const buffer = Buffer.from(piece as Buffer)
    pieces.push(buffer)
    bytes += buffer.length
    if (bytes > maxBytes) throw new QuerentError('sql.too_long', { length: `more than ${maxBytes}`, max: maxSqlLength })
  }
  return new TextDecoder().decode(Buffer.concat(pieces))
}

/** The longest statement, every character of it in the widest form. */
const maxBytes = maxSqlLength * 4
