/** Bounds the text of one value: lists stop a little beyond, their text then no JSON and only good for its start. */
export interface WriteBudget {
  readonly stopChars: number
  /** A list of the value stopped. */
  stopped: boolean
}
