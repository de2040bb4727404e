import type { Environment } from './environment.js'
import { isWithin, readFileText } from './file-text.js'
import { nearest } from '../util/nearest.js'
import type { SecretStore } from './secret-store.js'
import { parseTemplate, type Reference, type TemplateFault } from './template.js'
import { type Variable, variableValue, type VariableValue } from './variable.js'

/** What a reference stands for. */
export interface Resolved {
  readonly value: VariableValue
  /** Set where the value must not be printed: what the person calls it. */
  readonly secretName?: string
}

export type Resolution = Resolved | TemplateFault

export interface ReferenceScopeOptions {
  readonly environment: Environment
  readonly variables: ReadonlyMap<string, Variable>
  /** Values given from outside, by variable name. */
  readonly given: Readonly<Record<string, string>>
  /** In the order in which they are asked; undefined: secrets may not be used here. */
  readonly stores: readonly SecretStore[] | undefined
  /** Real path of the folder that `${file:}` may read. */
  readonly root: string
  /** Real paths that `secrets` lists: `${file:}` may read them, and what they hold is secret. */
  readonly secretPlaces: readonly string[]
}

/** Finds the values of references. Every failure is a fault with the name of what is missing, never its value. */
export class ReferenceScope {
  private readonly options: ReferenceScopeOptions
  private readonly open = new Set<string>()

  constructor(options: ReferenceScopeOptions) {
    this.options = options
  }

  /** `folder`: where the text stands, for paths. */
  async resolve(reference: Reference, folder: string): Promise<Resolution> {
    const found = await this.find(reference, folder)
    const isEmpty = !('message' in found) && found.value === ''
    if (reference.fallback !== undefined && (isEmpty || ('message' in found && found.isMissing === true))) {
      return reference.kind === 'secret'
        ? { value: reference.fallback, secretName: reference.name }
        : { value: reference.fallback }
    }
    if (reference.complaint !== undefined && (isEmpty || 'message' in found)) {
      return { message: `${label(reference)} has no value: ${reference.complaint}` }
    }
    return found
  }

  /** Text of a template, or the value itself where the whole text is one reference. */
  async expand(text: string, folder: string): Promise<Resolution> {
    const parts = parseTemplate(text)
    if ('message' in parts) return parts
    const [only] = parts
    if (parts.length === 1 && only !== undefined && typeof only !== 'string') return await this.resolve(only, folder)
    let joined = ''
    let secretName: string | undefined
    for (const part of parts) {
      if (typeof part === 'string') {
        joined += part
        continue
      }
      const resolved = await this.resolve(part, folder)
      if ('message' in resolved) return resolved
      joined += String(resolved.value)
      secretName ??= resolved.secretName
    }
    return secretName === undefined ? { value: joined } : { value: joined, secretName }
  }

  /** The value of a declared variable: given, from the environment, from the secret stores, or its default. */
  async variable(name: string): Promise<Found> {
    const variable = this.options.variables.get(name)
    if (variable === undefined) return this.unknownVariable(name)
    if (this.open.has(name)) return { message: `variable ${name} is defined by itself` }
    this.open.add(name)
    try {
      const found = await this.variableText(variable)
      if ('message' in found) return found
      const typed = variableValue(variable.declaration, String(found.value))
      if ('fault' in typed) return { message: `variable ${name}: ${typed.fault}` }
      const secretName = variable.declaration.kind === 'secret' ? name : found.secretName
      return { value: typed.value, ...(secretName === undefined ? {} : { secretName }) }
    } finally {
      this.open.delete(name)
    }
  }

  private async variableText(variable: Variable): Promise<Found> {
    const { name, declaration, file } = variable
    const environmentName = `QUERENT_VAR_${name}`
    const given = Object.hasOwn(this.options.given, name) ? this.options.given[name] : undefined
    const outside = given ?? this.options.environment.get(environmentName)
    if (outside !== undefined) return { value: outside }
    if (declaration.kind === 'secret' && this.options.stores !== undefined) {
      const kept = await this.secret(name)
      if (!('message' in kept) || declaration.default === undefined) return kept
    }
    if (typeof declaration.default === 'string') return await this.expand(declaration.default, file.folder)
    if (declaration.default !== undefined) return { value: declaration.default }
    return {
      isMissing: true,
      message: `variable ${name} has no value`,
      hint: `Set ${environmentName}, or give it a default.`,
    }
  }

  private async find(reference: Reference, folder: string): Promise<Found> {
    switch (reference.kind) {
      case 'env': {
        const value = this.options.environment.get(reference.name)
        if (value !== undefined) return { value }
        const hint = `Set ${reference.name}, or write \${env:${reference.name}:-default}.`
        return { isMissing: true, message: `environment variable ${reference.name} is not set`, hint }
      }
      case 'var':
        return await this.variable(reference.name)
      case 'secret':
        return await this.secret(reference.name)
      case 'file':
        return await this.file(reference.name, folder)
    }
  }

  private async secret(name: string): Promise<Found> {
    if (this.options.stores === undefined) return { message: 'a secret may not be used to say where secrets are kept' }
    const places: string[] = []
    for (const store of this.options.stores) {
      const found = await store.find(name)
      if ('value' in found) return { value: found.value, secretName: name }
      places.push(found.missing)
    }
    const hint = `Set environment variable ${name}, or list where it is kept under "secrets".`
    return { isMissing: true, message: `secret ${name} was not found (looked in: ${places.join('; ')})`, hint }
  }

  private async file(path: string, folder: string): Promise<Found> {
    const { root, secretPlaces, environment } = this.options
    const found = await readFileText({ path, folder, allowed: [root, ...secretPlaces] })
    if ('value' in found) {
      environment.noteRead(found.realPath, Buffer.from(found.value))
      return this.isSecretPlace(found.realPath) ? { value: found.value, secretName: path } : { value: found.value }
    }
    if ('missing' in found) return { isMissing: true, message: `file ${path} cannot be read: ${found.missing}` }
    const hint = 'Move it into the folder, or list its path under "secrets" with kind: file.'
    return { message: `file ${path} lies outside the folder of the workspace`, hint }
  }

  private isSecretPlace(realPath: string): boolean {
    return this.options.secretPlaces.some((place) => isWithin(realPath, place))
  }

  private unknownVariable(name: string): Found {
    const names = [...this.options.variables.keys()]
    const [near] = nearest(name, names, 1)
    const choices = names.length === 0 ? 'Declare it under "variables".' : `Declared: ${names.slice(0, 20).join(', ')}.`
    return {
      message: `variable ${name} is not declared`,
      hint: near === undefined ? choices : `Did you mean ${near}? ${choices}`,
    }
  }
}

/** `isMissing`: a fallback may stand in. A wrong value is not a missing one. */
type Found = Resolved | (TemplateFault & { readonly isMissing?: boolean })

function label(reference: Reference): string {
  const nouns = { env: 'environment variable', secret: 'secret', var: 'variable', file: 'file' } as const
  return `${nouns[reference.kind]} ${reference.name}`
}
