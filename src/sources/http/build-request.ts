import { QuerentError } from '../../errors/querent-error.js'
import { checkHeaderValue, encodePathSegment, encodeQueryPart, type Encoded } from '../../net/encode.js'
import { slotsOf, withParts, type Assignment, type Slot } from './assignment.js'
import { fillBody, type TemplateValue } from './body-template.js'
import type { EndpointPart } from './endpoint.js'
import type { HttpTable } from './http-table.js'
import type { HttpParam } from './http-param.js'
import { tableText } from './parameter-errors.js'
import { bodyText, type RequestBody } from './request-body.js'
import type { Place, RequestShape } from './request-shape.js'
import type { RequestTarget } from './request-target.js'

/**
 * The first request for one assignment, each value encoded for its place. Throws `source.bad_parameter` for a
 * value that cannot stand there without naming another endpoint.
 *
 * @param request which of the table's requests
 */
export function buildTarget(table: HttpTable, request: number, baseUrl: URL, assignment: Assignment): RequestTarget {
  const draft = new RequestDraft(table, request, withParts(table, assignment))
  const path = `${baseUrl.pathname.replace(/\/+$/, '')}${draft.path(encodePathSegment)}`
  const query = draft.query(encodeQueryPart)
  const url = new URL(baseUrl.origin + path + (query === '' ? '' : `?${query}`))
  // The URL parser resolves dot segments in every spelling: whatever it changed would be another endpoint.
  if (slashes(url.pathname) !== slashes(path)) {
    throw badParameter(table, draft.columnsIn('path').join(', '), 'it would name another endpoint')
  }
  return { method: draft.shape.method, url, headers: draft.headers(), body: draft.body() }
}

const maxPreviewBody = 200

/** `GET /repos/a/{repo}/pulls?state=open`, for people: keys that come at run time stand in braces. */
export function previewRequest(
  table: HttpTable,
  request: number,
  assignment: Assignment,
  keys: readonly string[],
): string {
  const shown: Record<string, Assignment[string]> = { ...assignment }
  const splits = table.params.filter(({ split }) => split !== undefined)
  const parts = splits.filter(({ split }) => keys.includes(split?.from ?? ''))
  for (const key of [...keys, ...parts.map(({ name }) => name)]) {
    shown[key] = { wire: `{${key}}`, constant: { type: 'VARCHAR', text: undefined } }
  }
  const isShown = (value: string): boolean => value.startsWith('{') && shown[value.slice(1, -1)] !== undefined
  const encode = (value: string): Encoded => (isShown(value) ? { text: value } : encodeQueryPart(value))
  const draft = new RequestDraft(table, request, parts.length > 0 ? shown : withParts(table, shown))
  const query = draft.query(encode)
  const body = draft.body()
  const text = body === undefined ? '' : ` ${bodyText(body)}`
  const cut = text.length > maxPreviewBody ? `${text.slice(0, maxPreviewBody)}…` : text
  return `${draft.shape.method} ${draft.path(encode)}${query === '' ? '' : `?${query}`}${cut}`
}

type Encode = (value: string) => Encoded

interface PlacedSlot extends Slot {
  readonly param: HttpParam
  readonly place: Place | undefined
}

/** One request in the making: its shape, and the values by place. */
class RequestDraft {
  readonly shape: RequestShape
  readonly #table: HttpTable
  readonly #slots: readonly PlacedSlot[]

  constructor(table: HttpTable, request: number, assignment: Assignment) {
    this.#table = table
    this.shape = table.requests[request] ?? table.requests[0]
    this.#slots = table.params.flatMap((param) => {
      const value = assignment[param.name]
      if (value === undefined) return []
      return slotsOf(table, param, value).map((slot) => ({
        ...slot,
        param,
        place: param.places[request]?.get(slot.name),
      }))
    })
  }

  path(encode: Encode): string {
    const segments = this.shape.endpoint.segments.map((parts) => this.#parts(parts, encode))
    return segments.map((segment) => `/${segment}`).join('')
  }

  query(encode: Encode): string {
    const fixed = this.shape.endpoint.query.map(({ name, value }) => `${name}=${this.#parts(value, encode)}`)
    const added = this.#in('query').flatMap((slot) => {
      const name = this.#encoded(slot, encodeQueryPart(slot.name))
      const texts = slot.texts.map((text) => this.#encoded(slot, encode(text)))
      return (slot.separator === undefined ? texts : [texts.join(encodeURIComponent(slot.separator))]).map(
        (text) => `${name}=${text}`,
      )
    })
    return [...fixed, ...added].join('&')
  }

  headers(): Record<string, string> {
    const headers: Record<string, string> = {}
    for (const slot of this.#in('header')) {
      const text = slot.texts.join(slot.separator ?? ', ')
      headers[slot.name.toLowerCase()] = this.#encoded(slot, checkHeaderValue(text))
    }
    return headers
  }

  body(): RequestBody | undefined {
    const { body } = this.shape
    if (body === undefined) return undefined
    for (const slot of [...this.#in('template'), ...this.#in('body')]) this.#checkText(slot)
    const added = this.#in('body').map((slot): readonly [string, TemplateValue] => [slot.name, valueOf(slot)])
    const named = new Map(this.#slots.map((slot) => [slot.name, slot]))
    return fillBody(
      body,
      (name) => {
        const slot = named.get(name)
        return slot === undefined ? undefined : valueOf(slot)
      },
      added,
    )
  }

  columnsIn(place: Place): readonly string[] {
    return this.#in(place).map(({ param }) => param.name)
  }

  #in(place: Place): readonly PlacedSlot[] {
    return this.#slots.filter((slot) => slot.place === place)
  }

  #parts(parts: readonly EndpointPart[], encode: Encode): string {
    return parts
      .map((part) => {
        if ('text' in part) return part.text
        const slot = this.#slots.find(({ name }) => name === part.param)
        const texts = slot?.texts ?? ['']
        const column = slot?.param.name ?? part.param
        const encoded = texts.map((text) => this.#accept(column, encode(text)))
        return encoded.join(encodeURIComponent(slot?.separator ?? ','))
      })
      .join('')
  }

  #encoded({ param }: PlacedSlot, value: Encoded): string {
    return this.#accept(param.name, value)
  }

  #accept(column: string, value: Encoded): string {
    if ('refused' in value) throw badParameter(this.#table, column, value.refused)
    return value.text
  }

  /** JSON and forms hold any text but half a character. */
  #checkText({ param, texts }: PlacedSlot): void {
    if (texts.some((text) => /\p{Cs}/u.test(text))) {
      throw badParameter(this.#table, param.name, 'it is not valid Unicode')
    }
    if (texts.some((text) => text.length > maxBodyValue)) {
      throw badParameter(this.#table, param.name, `it is longer than ${maxBodyValue} characters`)
    }
  }
}

const maxBodyValue = 100_000

function valueOf({ json, texts, separator }: Slot): TemplateValue {
  return { json, text: texts.join(separator ?? ',') }
}

function badParameter(table: HttpTable, column: string, reason: string): QuerentError {
  return new QuerentError('source.bad_parameter', { table: tableText(table), column, reason })
}

function slashes(path: string): number {
  return path.split('/').length
}
