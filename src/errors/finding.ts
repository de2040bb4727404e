/** One fault of a workspace file. Never holds a value that came from a variable, the environment or a secret. */
export interface Finding {
  /** Absolute path of the file; `config` where the workspace was given as an object. */
  readonly file: string
  /** Counts from 1; absent where the fault has no place in a text. */
  readonly line?: number
  /** Counts from 1, in characters. */
  readonly column?: number
  readonly message: string
  readonly hint?: string
}
