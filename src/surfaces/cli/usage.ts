import { QuerentError } from '../../errors/querent-error.js'

/** The command line is wrong: exit code 2. */
export function usage(message: string): QuerentError {
  return new QuerentError('config.usage', { message })
}

/** For commander: a count of an option. */
export function wholeNumber(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1) {
    throw usage(`${text} is not a whole number from 1 up.`)
  }
  return value
}

/** For commander: gathers the values of an option that may be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
