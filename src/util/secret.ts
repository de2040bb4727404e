import { inspect } from 'node:util'

const hidden = '***'

/** A value that must never be printed. Every way of turning it into text gives `***`; only `reveal` gives the value. */
export class Secret {
  readonly #value: string
  /** What the person calls it, such as `GITHUB_TOKEN`. */
  readonly name: string

  constructor(value: string, name: string) {
    this.#value = value
    this.name = name
  }

  /** For the one place that sends it. Never keep or print what this answers. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return hidden
  }

  toJSON(): string {
    return hidden
  }

  [Symbol.toPrimitive](): string {
    return hidden
  }

  [inspect.custom](): string {
    return hidden
  }
}
