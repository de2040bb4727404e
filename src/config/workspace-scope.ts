import { realpath } from 'node:fs/promises'
import { z } from 'zod'
import { checkPart } from './checked-part.js'
import type { Environment } from './environment.js'
import type { FaultList } from './fault-list.js'
import { newReplacements, type Replacements } from './interpolate.js'
import { ReferenceScope } from './reference-scope.js'
import { defaultSecretStores, secretStore, secretStoreConfig, type SecretStore } from './secret-store.js'
import { prepareFile } from './prepare-file.js'
import { readVariables } from './variable-declarations.js'
import type { WorkspaceFile } from './workspace-file.js'

export interface ScopeOptions {
  readonly files: readonly [WorkspaceFile, ...WorkspaceFile[]]
  readonly environment: Environment
  readonly given: Readonly<Record<string, string>>
  readonly faults: FaultList
}

/** What references stand for in a workspace, and its files with all but their sources and server prepared. */
export interface WorkspaceScope {
  readonly scope: ReferenceScope
  /** One entry for each file that is a mapping. */
  readonly prepared: ReadonlyMap<WorkspaceFile, Record<string, unknown>>
  readonly replacements: ReadonlyMap<WorkspaceFile, Replacements>
  /** Real paths of files and folders that hold secrets. */
  readonly secretPlaces: readonly string[]
}

/** In an order that has no circle: variables are declared, then secrets are placed, then all references have values. */
export async function workspaceScope(options: ScopeOptions): Promise<WorkspaceScope> {
  const { files, environment, given, faults } = options
  const replacements = new Map(files.map((file) => [file, newReplacements()]))
  const base = { environment, given, root: files[0].folder, secretPlaces: [], stores: undefined }
  const bare = new ReferenceScope({ ...base, variables: new Map() })
  const variables = await readVariables(files, { replacements, faults, scope: bare })

  const storeScope = new ReferenceScope({ ...base, variables })
  const prepared = new Map<WorkspaceFile, Record<string, unknown>>()
  const stores: SecretStore[] = []
  for (const [file, own] of replacements) {
    const value = await prepareFile(file, { faults, replacements: own, storeScope })
    if (value === undefined) continue
    prepared.set(file, value)
    stores.push(...storesOf(file, value, { environment, faults, replacements: own }))
  }
  const listed = [...prepared.values()].some((value) => value['secrets'] !== undefined)
  if (!listed) stores.push(...defaultSecretStores.map((config) => secretStore(config, files[0].folder, environment)))

  const secretPlaces = await realPaths(stores.flatMap((store) => store.path ?? []))
  const scope = new ReferenceScope({ ...base, variables, stores, secretPlaces })
  for (const { name, declaration, file, path } of variables.values()) {
    if (!declaration.required) continue
    const found = await scope.variable(name)
    if ('message' in found) faults.at(file, path, found, 'key')
  }
  return { scope, prepared, replacements, secretPlaces }
}

function storesOf(
  file: WorkspaceFile,
  prepared: Record<string, unknown>,
  { environment, faults, replacements }: { environment: Environment; faults: FaultList; replacements: Replacements },
): SecretStore[] {
  const { secrets } = prepared
  if (secrets === undefined) return []
  const configs = checkPart(z.array(secretStoreConfig), secrets, { file, path: ['secrets'], replacements, faults })
  return (configs ?? []).map((config) => secretStore(config, file.folder, environment))
}

async function realPaths(paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    try {
      found.push(await realpath(path))
    } catch {
      // A place that is not there holds nothing, and is named when a secret is not found.
      found.push(path)
    }
  }
  return found
}
