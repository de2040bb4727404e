import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'

export type BodyOutcome =
  | { readonly kind: 'whole'; readonly body: Buffer }
  /** There is more than `maxBytes`; the rest was not read. */
  | { readonly kind: 'cut'; readonly body: Buffer }
  | { readonly kind: 'unknownEncoding'; readonly encoding: string }

export interface ReadBodyOptions {
  /** Value of Content-Encoding. */
  readonly encoding: string | undefined
  /** Of the decoded body. */
  readonly maxBytes: number
  /** Called with the size of each decoded piece; what it throws ends the reading. */
  readonly onBytes: (bytes: number) => void
}

const chunkSize = 64 * 1_024

/** Reads and decodes a body, counting what comes out of the decoder: a small body may unpack to a large one. */
export async function readBody(body: Readable, options: ReadBodyOptions): Promise<BodyOutcome> {
  const encodings = parseEncodings(options.encoding)
  const unknown = encodings.length > 2 ? encodings.join(', ') : encodings.find((encoding) => !isKnown(encoding))
  if (unknown !== undefined) {
    body.on('error', () => undefined).destroy()
    return { kind: 'unknownEncoding', encoding: unknown }
  }
  let decoded: AsyncIterable<Buffer> = body
  for (const encoding of encodings.reverse()) decoded = decode(decoded, encoding)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of decoded) {
    options.onBytes(chunk.length)
    size += chunk.length
    chunks.push(chunk)
    if (size > options.maxBytes) return { kind: 'cut', body: Buffer.concat(chunks).subarray(0, options.maxBytes) }
  }
  return { kind: 'whole', body: Buffer.concat(chunks, size) }
}

function parseEncodings(value: string | undefined): string[] {
  const names = (value ?? '').split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '' && name !== 'identity')
}

function isKnown(encoding: string): boolean {
  return ['gzip', 'x-gzip', 'br', 'deflate'].includes(encoding)
}

async function* decode(input: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const source = input[Symbol.asyncIterator]()
  const first = await source.next()
  if (first.done === true) return
  const decoder = createDecoder(encoding, first.value)
  // The iterator below reports the failure; the callback only keeps it from being unhandled.
  pipeline(resume(first.value, source), decoder, () => undefined)
  yield* decoder as AsyncIterable<Buffer>
}

async function* resume(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

/** `deflate` means zlib's format, but some servers send it bare: zlib's header says which. */
function createDecoder(encoding: string, first: Buffer): Transform {
  if (encoding === 'br') return createBrotliDecompress({ chunkSize })
  if (encoding !== 'deflate') return createGunzip({ chunkSize })
  return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize })
}
