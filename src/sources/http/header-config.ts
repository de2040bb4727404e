import { z } from 'zod'
import { secretString } from '../../config/secret-string.js'

const reservedHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'proxy-authorization',
])

/** The name of a header that a workspace file may set. */
export const headerName = z.string().superRefine((name, context) => {
  const fault = headerNameFault(name)
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
})

/** A value that goes into a header as it is. */
export const headerValue = secretString.refine((secret) => !/[^\t\x20-\x7e\x80-\xff]/.test(secret.reveal()), {
  error: 'a header cannot carry line breaks, control characters or characters beyond Latin-1',
})

export const headers = z.record(z.string(), headerValue).superRefine((given, context) => {
  for (const name of Object.keys(given)) {
    const fault = headerNameFault(name)
    if (fault !== undefined) context.addIssue({ code: 'custom', path: [name], message: fault })
  }
})

function headerNameFault(name: string): string | undefined {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) return 'expected the name of a header'
  return reservedHeaders.has(name.toLowerCase()) ? 'this header is set by Querent itself' : undefined
}
