import { open } from 'node:fs/promises'
import { extname } from 'node:path'

const byExtension: Readonly<Record<string, string>> = {
  '.duckdb': 'duckdb',
  '.ddb': 'duckdb',
  '.sqlite': 'sqlite',
  '.sqlite3': 'sqlite',
}

/** Kind of the source that opens a database file: by what it holds, else by its name. undefined: not a database. */
export async function databaseKind(path: string): Promise<string | undefined> {
  return (await kindOfContent(path)) ?? byExtension[extname(path).toLowerCase()]
}

async function kindOfContent(path: string): Promise<string | undefined> {
  if (!/\.(duckdb|ddb|db|db3|sqlite3?)$/i.test(path)) return undefined
  try {
    const file = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0)
      const head = buffer.subarray(0, bytesRead).toString('latin1')
      if (head.slice(8, 12) === 'DUCK') return 'duckdb'
      return head.startsWith('SQLite format 3') ? 'sqlite' : undefined
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  }
}
