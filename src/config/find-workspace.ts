import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { QuerentError } from '../errors/querent-error.js'

const workspaceFileName = 'querent.yaml'

export interface FindOptions {
  /** `--config`. */
  readonly configFlag?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

export interface FoundWorkspace {
  /** Absolute. */
  readonly path: string
  /** true: the person named it, by flag or `QUERENT_CONFIG`. false: found; `loadWorkspace` asks for trust where it must. */
  readonly named: boolean
}

/** `--config`, else `$QUERENT_CONFIG`, else the nearest `querent.yaml` upward. Rejects with `config.not_found`. */
export async function findWorkspace(options: FindOptions): Promise<FoundWorkspace> {
  const fromEnvironment = options.env['QUERENT_CONFIG']
  if (options.configFlag !== undefined) return await named(options.configFlag, '--config', options.cwd)
  if (fromEnvironment !== undefined && fromEnvironment !== '') {
    return await named(fromEnvironment, 'QUERENT_CONFIG', options.cwd)
  }
  for (let folder = resolve(options.cwd); ; folder = dirname(folder)) {
    const path = join(folder, workspaceFileName)
    if (await isFile(path)) return { path, named: false }
    if (dirname(folder) === folder) break
  }
  throw new QuerentError('config.not_found', {
    message: `There is no ${workspaceFileName} in ${options.cwd} or above it.`,
  })
}

/** A folder stands for the workspace file in it. */
async function named(name: string, by: string, cwd: string): Promise<FoundWorkspace> {
  const path = resolve(cwd, name)
  if (await isFile(path)) return { path, named: true }
  const inside = join(path, workspaceFileName)
  if (await isFile(inside)) return { path: inside, named: true }
  throw new QuerentError('config.not_found', { message: `There is no workspace file ${path}, which ${by} names.` })
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
