import { z } from 'zod'
import { secretString } from '../../config/secret-string.js'
import { headerName, headerValue } from './header-config.js'

const oneHeader = z
  .strictObject({ name: headerName, bearer: headerValue.optional(), value: headerValue.optional() })
  .refine(({ bearer, value }) => (bearer === undefined) !== (value === undefined), {
    error: 'give exactly one of bearer (sent as "Bearer …") and value (sent as it is)',
  })

const pair = z.strictObject({ name: z.string().min(1).max(128), value: secretString })

const tokenUrl = z.string().refine(
  (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return url !== undefined && ['https:', 'http:'].includes(url.protocol) && url.username === '' && url.hash === ''
  },
  { error: 'expected an address that begins with https:// or http://' },
)

const userName = secretString.refine((secret) => !secret.reveal().includes(':'), {
  error: 'a user name cannot hold a colon',
})

/** How a source is told who asks. */
export const auth = z
  .discriminatedUnion(
    'type',
    [
      z.strictObject({ type: z.literal('header'), headers: z.array(oneHeader).min(1) }),
      z.strictObject({ type: z.literal('basic'), username: userName, password: secretString.optional() }),
      z.strictObject({
        type: z.literal('custom'),
        query: z.array(pair).min(1).optional().describe('Query parameters.'),
        body: z.array(pair).min(1).optional().describe('Members of the body.'),
      }),
      z.strictObject({
        type: z.literal('oauth2'),
        token_url: tokenUrl,
        client_id: secretString,
        client_secret: secretString,
        scope: z.string().min(1).optional(),
        refresh_token: secretString.optional().describe('Asked with instead of the client credentials alone.'),
        client_auth: z
          .enum(['body', 'basic'])
          .default('body')
          .describe('Where the client credentials go in the request for a token.'),
        params: z.record(z.string().min(1), z.string()).optional().describe('Further fields, such as audience.'),
      }),
    ],
    { error: 'expected type: header, basic, custom or oauth2' },
  )
  .superRefine((given, context) => {
    if (given.type === 'header') {
      for (const [index, { name }] of given.headers.entries()) {
        const first = given.headers.findIndex((other) => other.name.toLowerCase() === name.toLowerCase())
        if (first === index) continue
        context.addIssue({ code: 'custom', path: ['headers', index, 'name'], message: `${name} is given twice` })
      }
    }
    if (given.type === 'custom' && given.query === undefined && given.body === undefined) {
      context.addIssue({ code: 'custom', message: 'give query or body: without them the calls would be anonymous' })
    }
    if (given.type === 'oauth2') {
      const own = ['grant_type', 'client_id', 'client_secret', 'scope', 'refresh_token']
      for (const name of Object.keys(given.params ?? {}).filter((key) => own.includes(key))) {
        context.addIssue({ code: 'custom', path: ['params', name], message: 'this field is set by auth itself' })
      }
    }
  })

export type AuthConfig = z.output<typeof auth>
