export type ReferenceKind = 'env' | 'secret' | 'var' | 'file'

/** One `${kind:name}` of a text. */
export interface Reference {
  readonly kind: ReferenceKind
  readonly name: string
  /** `:-text`: stands in for a value that is missing or empty. */
  readonly fallback?: string
  /** `:?text`: what to say when the value is missing or empty. */
  readonly complaint?: string
}

export type TemplatePart = string | Reference

export interface TemplateFault {
  readonly message: string
  readonly hint?: string
}

const kinds: readonly string[] = ['env', 'secret', 'var', 'file'] satisfies readonly ReferenceKind[]
const forms = 'Write ${env:NAME}, ${secret:NAME}, ${var:NAME} or ${file:PATH}; $${ is a literal ${.'
const namePattern = /^[A-Za-z_][A-Za-z0-9_.-]*$/

/** Parts of a text in which `${…}` is replaced; a fault where a reference is not well formed. */
export function parseTemplate(text: string): readonly TemplatePart[] | TemplateFault {
  const parts: TemplatePart[] = []
  let rest = text
  while (rest !== '') {
    const start = rest.indexOf('${')
    if (start < 0) break
    if (rest[start - 1] === '$') {
      parts.push(`${rest.slice(0, start - 1)}\${`)
      rest = rest.slice(start + 2)
      continue
    }
    const end = rest.indexOf('}', start)
    if (end < 0) return { message: '"${" without a closing "}"', hint: forms }
    const reference = parseReference(rest.slice(start + 2, end))
    if ('message' in reference) return reference
    if (start > 0) parts.push(rest.slice(0, start))
    parts.push(reference)
    rest = rest.slice(end + 1)
  }
  if (rest !== '') parts.push(rest)
  return parts
}

/** Whether a text means to have something replaced, for places where nothing is. */
export function holdsReference(text: string): boolean {
  return /(?<!\$)\$\{(?:env|secret|var|file):/.test(text)
}

/** Such a place keeps its text as it is, except that a reference may be written out literally. */
export function unescapeReferences(text: string): string {
  return text.replaceAll(/\$\$\{(?=(?:env|secret|var|file):)/g, '${')
}

function parseReference(body: string): Reference | TemplateFault {
  if (body.includes('${')) return { message: '"${" inside "${…}" is not possible', hint: forms }
  const colon = body.indexOf(':')
  const kind = body.slice(0, Math.max(colon, 0))
  if (!isKind(kind)) return { message: '"${…}" here is not a known reference', hint: forms }
  const [, name = '', mark, extra = ''] = /^(.*?)(?:(:[-?])(.*))?$/s.exec(body.slice(colon + 1)) ?? []
  if (kind === 'file' ? name === '' : !namePattern.test(name)) {
    return { message: `"\${${kind}:…}" does not name ${kind === 'file' ? 'a file' : 'a value'}`, hint: forms }
  }
  if (mark === ':-') return { kind, name, fallback: extra }
  if (mark === ':?') return { kind, name, complaint: extra }
  return { kind, name }
}

function isKind(text: string): text is ReferenceKind {
  return kinds.includes(text)
}
