import { z } from 'zod'

/** A key of the format that is not obeyed yet: refused by name, never ignored. */
export const notYet = z.never({ error: 'this key is not supported yet' }).optional()
