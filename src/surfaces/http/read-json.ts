import type { IncomingMessage } from 'node:http'
import { isJsonContentType } from '@modelcontextprotocol/server'
import { QuerentError } from '../../errors/querent-error.js'

/** The largest request body. */
export const maxBodyBytes = 4 * 1024 * 1024

/** Read and thrown away of a larger body: a client that is still sending does not read the answer that refuses it. */
const maxDiscardedBytes = 64 * 1024 * 1024

/** The JSON of a request's body. Throws `server.content_type`, `server.body_too_large` or `server.invalid_json`. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!isJsonContentType(request.headers['content-type'] ?? null)) throw new QuerentError('server.content_type')
  const tooLarge = new QuerentError('server.body_too_large', { max: maxBodyBytes })
  if (Number(request.headers['content-length']) > maxDiscardedBytes) throw tooLarge
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length <= maxBodyBytes) chunks.push(chunk)
    else if (length <= maxDiscardedBytes) chunks.length = 0
    else throw tooLarge
  }
  if (length > maxBodyBytes) throw tooLarge
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown
  } catch (error) {
    throw new QuerentError('server.invalid_json', {}, { cause: error })
  }
}
