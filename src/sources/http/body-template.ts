import { parseLossless, JsonNumber } from '../../util/lossless-json.js'
import type { BodyConfig } from './request-config.js'
import { withMember, type RequestBody } from './request-body.js'

/** A body with places for parameters: JSON parsed once, so that a value can never become structure. */
export interface BodyTemplate {
  readonly kind: 'json' | 'form'
  readonly root: TemplateNode
  /** Names of the parameters that stand in it. */
  readonly params: ReadonlySet<string>
}

type TemplateNode =
  | { readonly kind: 'value'; readonly value: unknown }
  /** The parameter's value takes the place as a whole; without one the member is left out. */
  | { readonly kind: 'param'; readonly param: string }
  | { readonly kind: 'text'; readonly parts: readonly TextPart[] }
  | { readonly kind: 'list'; readonly items: readonly TemplateNode[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [key: string, node: TemplateNode])[] }

type TextPart = { readonly text: string } | { readonly param: string }

/** What a parameter stands for: a value of JSON, and its text inside a longer text. */
export interface TemplateValue {
  readonly json: unknown
  readonly text: string
}

/** Reads a body's template. Answers the fault as text where it is none. @param names of the table's parameters */
export function parseBodyTemplate(config: BodyConfig, names: ReadonlySet<string>): BodyTemplate | string {
  const root = config.kind === 'form' ? formRoot(config.template) : jsonRoot(config.template, names)
  if (typeof root === 'string') return root
  if (config.kind === 'form' && !isFlat(root.value)) return 'a form holds texts, numbers and booleans by name only'
  const reader = new TemplateReader(names)
  const node = reader.read(root.value, [])
  if (reader.fault !== undefined) return reader.fault
  return { kind: config.kind, root: node, params: reader.params }
}

/** The body for these values. @param added parameters that no place of the template names */
export function fillBody(
  template: BodyTemplate,
  valueOf: (param: string) => TemplateValue | undefined,
  added: readonly (readonly [name: string, value: TemplateValue])[],
): RequestBody {
  const value = fill(template.root, valueOf)
  let body: RequestBody =
    template.kind === 'json'
      ? { kind: 'json', value }
      : { kind: 'form', pairs: Object.entries(value as object).flatMap(([name, entry]) => formPairs(name, entry)) }
  for (const [name, entry] of added) {
    if (body.kind === 'form') body = { ...body, pairs: [...body.pairs, ...formPairs(name, entry.json)] }
    else body = withMember(body, [name], entry.json)
  }
  return body
}

function formPairs(name: string, value: unknown): readonly (readonly [string, string])[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.map((entry) => [name, entry instanceof JsonNumber ? entry.text : String(entry)])
}

function isFlat(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((entry) => typeof entry !== 'object' || entry instanceof JsonNumber)
}

type Parsed = { readonly value: unknown } | string

function formRoot(template: BodyConfig['template']): Parsed {
  if (typeof template !== 'string') return { value: template ?? {} }
  if (template.trimStart().startsWith('{')) return parsed(template)
  const pairs = [...new URLSearchParams(template)]
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) return 'a name of the form is given twice'
  return { value: Object.fromEntries(pairs) }
}

function jsonRoot(template: BodyConfig['template'], names: ReadonlySet<string>): Parsed {
  if (typeof template !== 'string') return { value: template ?? {} }
  // `{name}` outside of a string is no JSON: it can only stand for a whole value.
  const quoted = template.replaceAll(/"(?:[^"\\]|\\.)*"|\$?\{\s*(\w+)\s*\}/g, (token, name: string | undefined) =>
    name !== undefined && names.has(name) ? JSON.stringify(`{${name}}`) : token,
  )
  return parsed(quoted)
}

function parsed(text: string): Parsed {
  try {
    return { value: parseLossless(text) }
  } catch {
    return 'the template is not JSON'
  }
}

const graphqlText = /^\s*(?:#|\{|(?:query|mutation|subscription|fragment)\b)/

class TemplateReader {
  readonly params = new Set<string>()
  fault: string | undefined
  readonly #names: ReadonlySet<string>

  constructor(names: ReadonlySet<string>) {
    this.#names = names
  }

  read(value: unknown, path: readonly string[]): TemplateNode {
    if (typeof value === 'string') return this.#text(value, path)
    if (Array.isArray(value)) return { kind: 'list', items: value.map((item) => this.read(item, [...path, '[]'])) }
    if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return { kind: 'value', value }
    const members = Object.entries(value as Readonly<Record<string, unknown>>)
    return { kind: 'object', members: members.map(([key, member]) => [key, this.read(member, [...path, key])]) }
  }

  #text(text: string, path: readonly string[]): TemplateNode {
    if (path.length === 1 && path[0] === 'query' && graphqlText.test(text)) return this.#graphql(text)
    const parts = text
      .split(/(\$?\{\w+\})/)
      .filter((piece) => piece !== '')
      .map((piece): TextPart => {
        const name = /^\$?\{(\w+)\}$/.exec(piece)?.[1]
        if (name === undefined || !this.#names.has(name)) return { text: piece }
        this.params.add(name)
        return { param: name }
      })
    const [only] = parts
    if (parts.length === 1 && only !== undefined && 'param' in only) return { kind: 'param', param: only.param }
    return parts.every((part) => 'text' in part) ? { kind: 'value', value: text } : { kind: 'text', parts }
  }

  /** The braces of a GraphQL document are its own: a value goes into `variables`, never into the text. */
  #graphql(text: string): TemplateNode {
    const name = /\$\{(\w+)\}/.exec(text)?.[1] ?? /"\{(\w+)\}"/.exec(text)?.[1]
    if (name !== undefined && this.#names.has(name)) {
      this.fault = `{${name}} stands in the text of a GraphQL query: declare $${name} there and set it in variables`
    }
    return { kind: 'value', value: text }
  }
}

function fill(node: TemplateNode, valueOf: (param: string) => TemplateValue | undefined): unknown {
  switch (node.kind) {
    case 'value':
      return node.value
    case 'param':
      return valueOf(node.param)?.json
    case 'text':
      return node.parts.map((part) => ('text' in part ? part.text : (valueOf(part.param)?.text ?? ''))).join('')
    case 'list':
      return node.items.map((item) => fill(item, valueOf)).filter((item) => item !== undefined)
    case 'object':
      return Object.fromEntries(
        node.members.map(([key, member]) => [key, fill(member, valueOf)]).filter(([, value]) => value !== undefined),
      )
  }
}
