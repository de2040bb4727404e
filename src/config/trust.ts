import { createHash, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { QuerentError } from '../errors/querent-error.js'
import { stateFolder } from '../util/state-folder.js'
import { FaultList } from './fault-list.js'
import { readIncludes } from './include.js'
import { readFailure, readRegularFile } from './regular-file.js'
import { trustNeeds, type TrustNeed } from './trust-needs.js'
import { readWorkspaceFile, type WorkspaceFile } from './workspace-file.js'

/** What a person is asked to accept: exactly these files with exactly this content. */
export interface TrustSubject {
  /** Real path of the workspace file. */
  readonly path: string
  /** Hash over the workspace file and its includes: their paths and their bytes. */
  readonly fingerprint: string
}

export interface TrustInspection extends TrustSubject {
  readonly files: readonly string[]
  /** Empty: the workspace needs no trust. */
  readonly needs: readonly TrustNeed[]
}

type Env = Readonly<Record<string, string | undefined>>

const record = z.strictObject({ path: z.string(), fingerprint: z.string(), at: z.string() })
const maxRecordBytes = 100_000

/** Reads a workspace file and its includes and says what accepting it would allow. Rejects with `config.unreadable`. */
export async function inspectTrust(path: string): Promise<TrustInspection> {
  const main = await readWorkspaceFile(path)
  const { files } = await readIncludes(main, new FaultList())
  return { ...trustSubject(files), files: files.map((file) => file.path), needs: await trustNeeds(files) }
}

export function trustSubject(files: readonly [WorkspaceFile, ...WorkspaceFile[]]): TrustSubject {
  const hash = createHash('sha256')
  for (const { realPath, digest } of files) hash.update(JSON.stringify([realPath, digest]))
  return { path: files[0].realPath, fingerprint: hash.digest('hex') }
}

/** Whether exactly this content was accepted. A record that cannot be read counts for nothing. */
export async function isTrusted(subject: TrustSubject, env: Env): Promise<boolean> {
  try {
    const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW
    const { bytes, ownerId, mode } = await readRegularFile(recordPath(subject, env), maxRecordBytes, noFollow)
    const isForeign = ownerId !== undefined && (ownerId !== process.getuid?.() || (mode & 0o022) !== 0)
    if (isForeign) return false
    const kept = record.parse(JSON.parse(bytes.toString('utf8')))
    return kept.path === subject.path && kept.fingerprint === subject.fingerprint
  } catch {
    return false
  }
}

/** Records that this content is accepted, in place of what was accepted for this file before. */
export async function trust(subject: TrustSubject, env: Env): Promise<void> {
  const folder = trustFolder(env)
  const target = recordPath(subject, env)
  const draft = `${target}.${randomBytes(6).toString('hex')}`
  const text = JSON.stringify({ path: subject.path, fingerprint: subject.fingerprint, at: new Date().toISOString() })
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await chmod(folder, 0o700)
    await writeFile(draft, `${text}\n`, { mode: 0o600, flag: 'wx' })
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw new QuerentError(
      'config.trust_unwritable',
      { path: subject.path, folder, reason: readFailure(error) },
      { cause: error },
    )
  }
}

function trustFolder(env: Env): string {
  return join(stateFolder(env), 'trust')
}

function recordPath(subject: TrustSubject, env: Env): string {
  const name = createHash('sha256').update(subject.path).digest('hex')
  return join(trustFolder(env), `${name}.json`)
}
