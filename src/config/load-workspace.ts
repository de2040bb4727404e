import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { z } from 'zod'
import { QuerentError } from '../errors/querent-error.js'
import { redactor } from '../util/redactor.js'
import { checkPart } from './checked-part.js'
import { ensureTrusted, ensureTrustedPaths } from './ensure-trusted.js'
import { Environment } from './environment.js'
import { FaultList } from './fault-list.js'
import { expandHome, filePattern } from './file-pattern.js'
import { readIncludes, type WorkspaceFiles } from './include.js'
import { interpolate } from './interpolate.js'
import type { LoadedWorkspace } from './loaded-workspace.js'
import { secretsIn } from './secrets-in.js'
import { readSources } from './source-entries.js'
import { readWorkspaceFile, type WorkspaceFile, workspaceFileOf } from './workspace-file.js'
import { includedSchema, workspaceKeys, workspaceSchema } from './workspace-schema.js'
import { type WorkspaceScope, workspaceScope } from './workspace-scope.js'

type Env = Readonly<Record<string, string | undefined>>

export interface LoadOptions {
  /** The workspace file. */
  readonly path: string
  /** Schemas of the kinds of source, each for the whole entry under `sources:`. */
  readonly kinds: ReadonlyMap<string, z.ZodType>
  readonly env: Env
  /**
   * true: a person named this file. false: it was found; its owner is checked, and what it may not do unasked needs a
   * record of trust for exactly its content.
   */
  readonly trusted: boolean
  /** Values of variables given from outside. */
  readonly variables?: Readonly<Record<string, string>>
}

export interface LoadObjectOptions extends Omit<LoadOptions, 'path' | 'trusted'> {
  /** The same form as the file. */
  readonly config: unknown
  /** Folder that relative paths count from. */
  readonly folder: string
  /** Reserved source names that are right here. */
  readonly ownNames?: readonly string[]
  readonly notices?: readonly string[]
}

/**
 * Reads and checks a workspace file with all that it includes. Rejects with `config.invalid` and every fault at once,
 * `config.unreadable`, `config.untrusted` or `config.foreign_owner`.
 */
export async function loadWorkspace(options: LoadOptions): Promise<LoadedWorkspace> {
  const main = await readWorkspaceFile(options.path)
  return { ...(await load(main, { ...options, ownNames: [] })), reload: () => loadWorkspace(options) }
}

/** The same for a workspace given as an object by a program; it is trusted as the program is, and reads no `.env`. */
export async function loadWorkspaceObject(options: LoadObjectOptions): Promise<LoadedWorkspace> {
  const main = workspaceFileOf(options.config, await realpath(options.folder))
  const loaded = await load(main, { ownNames: [], ...options, trusted: true })
  const notices = [...(options.notices ?? []), ...loaded.notices]
  return { ...loaded, path: undefined, notices, reload: () => loadWorkspaceObject(options) }
}

interface LoadContext extends Omit<LoadOptions, 'path'> {
  readonly ownNames: readonly string[]
}

async function load(main: WorkspaceFile, context: LoadContext): Promise<Omit<LoadedWorkspace, 'reload'>> {
  const faults = new FaultList()
  const read = await readIncludes(main, faults)
  const accepted = context.trusted || (await ensureTrusted(read.files, context.env))
  // What nobody accepted has shown that it does not read the environment; it is also given none.
  const environment = new Environment(accepted ? context.env : {})
  if (accepted && !main.isObject) await environment.readDotEnv(main.folder)
  const scope = await workspaceScope({ files: read.files, environment, given: context.variables ?? {}, faults })
  const loaded = await check({ main, read, scope, environment, faults, context })
  if (!accepted) await ensureTrustedPaths(loaded.sources, main)
  return loaded
}

interface CheckOptions {
  readonly main: WorkspaceFile
  readonly read: WorkspaceFiles
  readonly scope: WorkspaceScope
  readonly environment: Environment
  readonly faults: FaultList
  readonly context: LoadContext
}

async function check(options: CheckOptions): Promise<Omit<LoadedWorkspace, 'reload'>> {
  const { main, read, environment, faults, context } = options
  const { scope, replacements, secretPlaces } = options.scope
  const { root, roots } = await checkFiles(options)
  const sources = await readSources(read.files, { ...context, scope, replacements, faults })
  const secrets = [...replacements.values()].flatMap((one) => [...one.secrets.values()].map((entry) => entry.secret))
  for (const secret of secretsIn([root?.server, ...sources.map((source) => source.config)])) secrets.push(secret)
  const redact = redactor(secrets)
  faults.throwIfAny(main.folder, redact)
  if (root === undefined)
    throw new QuerentError('internal.unexpected', { message: 'a workspace without faults was not read' })

  const own = read.files.filter((file) => !file.isObject).flatMap((file) => [file.path, file.realPath])
  const watched = [...new Set([...own, ...environment.filesRead.keys()])]
  return {
    path: main.path,
    folder: main.folder,
    name: root.name ?? basename(main.folder),
    description: root.description,
    sources,
    limits: root.limits,
    audit: { ...root.audit, path: absolute(root.audit.path, main.folder) },
    server: root.server,
    files: { roots, never: [...new Set([...watched, ...secretPlaces])] },
    secrets: [...new Set(secrets)],
    redact,
    notices: read.notices,
    watch: { files: watched, patterns: read.patterns },
    revision: revisionOf(read, environment),
  }
}

/** The sections of each file, sources aside. */
async function checkFiles({ main, scope: workspace, faults }: CheckOptions) {
  const { scope, prepared, replacements } = workspace
  const roots = []
  let root
  for (const [file, value] of prepared) {
    const own = replacements.get(file)
    if (own === undefined) continue
    const place = { file, path: [], replacements: own, faults }
    if (file !== main) {
      refuseMainKeys(file, value, faults)
      const part = checkPart(includedSchema, value, place)
      for (const text of part?.files.roots ?? []) roots.push(filePattern(text, file.folder))
      continue
    }
    const server = await interpolate(value['server'], ['server'], { file, scope, faults, replacements: own })
    root = checkPart(workspaceSchema, server === undefined ? value : { ...value, server }, place)
    for (const text of root?.files.roots ?? []) roots.push(filePattern(text, file.folder))
  }
  return { root, roots }
}

/** Keys that make one workspace: two files with them would contradict each other. */
function refuseMainKeys(file: WorkspaceFile, value: Record<string, unknown>, faults: FaultList): void {
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(includedSchema.shape, key) || !workspaceKeys.includes(key)) continue
    const hint = 'Move it into the workspace file.'
    faults.at(
      file,
      [key],
      { message: `"${key}" stands only in the workspace file itself, not in an included one`, hint },
      'key',
    )
    Reflect.deleteProperty(value, key)
  }
}

function absolute(path: string | undefined, folder: string): string | undefined {
  return path === undefined ? undefined : resolve(folder, expandHome(path))
}

function revisionOf(read: WorkspaceFiles, environment: Environment): string {
  const hash = createHash('sha256')
  for (const { path, digest } of read.files) hash.update(JSON.stringify([path, digest]))
  for (const entry of environment.filesRead) hash.update(JSON.stringify(entry))
  return hash.digest('hex')
}
