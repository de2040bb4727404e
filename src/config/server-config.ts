import { z } from 'zod'
import { secretString } from './secret-string.js'

const host = z.string().regex(/^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+)$/, {
  error: 'expected a host name or an address, without a port or a scheme',
})
const allowedHost = z.string().regex(/^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?$/, {
  error: 'expected a host name or an address with or without a port, such as querent.example.com:8443',
})
const origin = z.string().regex(/^https?:\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?$/, {
  error: 'expected an origin such as https://app.example.com, without a path',
})

const token = z.strictObject({
  /** Names the caller in the audit log. */
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$/, { error: 'expected a name of letters, digits, and _ . @ -' })
    .refine((name) => name !== 'local', { error: 'the name "local" is taken by callers on this machine' }),
  token: secretString.refine((token) => token.reveal().length >= 16, {
    error: 'expected at least 16 random characters, such as the output of: openssl rand -base64 32',
  }),
  roles: z.array(z.string().min(1)).default([]),
  claims: z.record(z.string(), z.string()).default({}),
})

/** `server:`, for `querent serve --http`. */
export const serverConfig = z.strictObject({
  /** Where to listen; loopback by default. */
  host: host.default('127.0.0.1'),
  port: z.int().min(0).max(65_535).optional(),
  /** Callers, each with a bearer token of its own. */
  tokens: z
    .array(token)
    .default([])
    .superRefine((tokens, context) => {
      const names = new Set<string>()
      const values = new Set<string>()
      for (const [index, entry] of tokens.entries()) {
        if (names.has(entry.name)) {
          context.addIssue({ code: 'custom', path: [index, 'name'], message: 'another token has this name' })
        }
        if (values.has(entry.token.reveal())) {
          context.addIssue({ code: 'custom', path: [index, 'token'], message: 'another caller has the same token' })
        }
        names.add(entry.name)
        values.add(entry.token.reveal())
      }
    }),
  /** `Host` headers that are accepted beside the address itself. */
  allowed_hosts: z.array(allowedHost).default([]),
  /** `Origin` headers that are accepted beside the server's own. */
  allowed_origins: z.array(origin).default([]),
  /** Serves `/metrics`. */
  metrics: z.boolean().default(false),
})

export type ServerConfig = z.output<typeof serverConfig>
