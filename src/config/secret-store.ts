import { constants } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { parse } from 'yaml'
import { z } from 'zod'
import type { Environment } from './environment.js'
import { expandHome } from './file-pattern.js'
import { isRecord } from './record.js'
import { readKeyring } from './keyring.js'
import { readFailure, readRegularFile } from './regular-file.js'

/** One entry of `secrets:`; they are asked in order and the first that knows a name answers. */
export const secretStoreConfig = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('env') }),
  z.strictObject({
    kind: z.literal('file'),
    /** A file of `NAME: value` or `NAME=value` lines, or a folder with one file for each name. */
    path: z.string().min(1),
    format: z.enum(['auto', 'yaml', 'dotenv']).default('auto'),
  }),
  z.strictObject({ kind: z.literal('keyring'), service: z.string().min(1).default('querent') }),
  z.strictObject({ kind: z.literal('auto') }),
])

export type SecretStoreConfig = z.output<typeof secretStoreConfig>

/** A place where secrets are kept. */
export interface SecretStore {
  /** A listed file or folder: `${file:}` may read it, too. */
  readonly path?: string
  /** The value, or in words where it was looked for in vain. */
  find(name: string): Promise<{ readonly value: string } | { readonly missing: string }>
}

export const defaultSecretStores: readonly SecretStoreConfig[] = [{ kind: 'auto' }]

const maxFileBytes = 1_000_000

export function secretStore(config: SecretStoreConfig, folder: string, environment: Environment): SecretStore {
  switch (config.kind) {
    case 'env':
      return { find: (name) => Promise.resolve(fromEnvironment(name, environment)) }
    case 'keyring':
      return { find: (name) => readKeyring(config.service, name) }
    case 'auto':
      return { find: (name) => findAnywhere(name, environment) }
    case 'file': {
      const path = resolve(folder, expandHome(config.path))
      return { path, find: (name) => findInFile(path, config.format, name, environment) }
    }
  }
}

function fromEnvironment(name: string, environment: Environment): { value: string } | { missing: string } {
  const value = environment.get(name)
  return value === undefined || value === '' ? { missing: `environment variable ${name}` } : { value }
}

async function findAnywhere(name: string, environment: Environment): Promise<{ value: string } | { missing: string }> {
  const found = fromEnvironment(name, environment)
  if ('value' in found) return found
  const kept = await readKeyring('querent', name)
  return 'value' in kept ? kept : { missing: `${found.missing}; ${kept.missing}` }
}

async function findInFile(
  path: string,
  format: 'auto' | 'yaml' | 'dotenv',
  name: string,
  environment: Environment,
): Promise<{ value: string } | { missing: string }> {
  try {
    const isFolder = (await stat(path)).isDirectory()
    const file = isFolder ? join(path, name) : path
    environment.noteRead(file)
    const { bytes, mode } = await readRegularFile(file, maxFileBytes, constants.O_RDONLY)
    environment.noteRead(file, bytes)
    if (isFolder) return { value: bytes.toString('utf8').replace(/\r?\n$/, '') }
    if (process.platform !== 'win32' && (mode & 0o004) !== 0) {
      return { missing: `${path}: refused, because every user of this machine may read it (chmod 600 mends that)` }
    }
    const value = entries(bytes.toString('utf8'), dialect(path, format))[name]
    return typeof value === 'string' && value !== '' ? { value } : { missing: `${path}: it has no entry ${name}` }
  } catch (error) {
    return { missing: `${path}: ${error instanceof NotEntries ? error.message : readFailure(error)}` }
  }
}

function dialect(path: string, format: 'auto' | 'yaml' | 'dotenv'): 'yaml' | 'dotenv' {
  if (format !== 'auto') return format
  return extname(path) === '.env' || /(^|[\\/])\.env(\.[^\\/]*)?$/.test(path) ? 'dotenv' : 'yaml'
}

class NotEntries extends Error {}

function entries(text: string, format: 'yaml' | 'dotenv'): Record<string, unknown> {
  if (format === 'dotenv') return { ...parseEnv(text) }
  let value: unknown
  try {
    // Texts stay as they are written: a PIN of 0123 is no number.
    value = parse(text, { schema: 'failsafe', logLevel: 'silent', prettyErrors: false })
  } catch {
    throw new NotEntries('it is not valid YAML')
  }
  if (!isRecord(value)) throw new NotEntries('it does not hold NAME: value lines')
  return value
}
