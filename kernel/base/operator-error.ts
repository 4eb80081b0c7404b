/** Errors that the operator has to resolve: a stable code, a plain sentence and a remedy. */
import { fillPlaceholders, type Placeholders, type PlaceholderValues } from './placeholders.ts'

const BRAND = Symbol.for('larder.operatorError')

/** `message` contains the sentence and the remedy, so every log and command prints both. */
export class OperatorError extends Error {
  readonly [BRAND] = true
  readonly code: string
  /** What happened. */
  readonly sentence: string
  /** What to do about it. Empty if the sentence says it. */
  readonly remedy: string

  constructor(code: string, sentence: string, remedy: string, options?: ErrorOptions) {
    super(`${sentence} ${remedy}`.trimEnd(), options)
    this.name = 'OperatorError'
    this.code = code
    this.sentence = sentence
    this.remedy = remedy
  }

  /** Works across copies of this file: a team's service may load another copy. */
  static is(error: unknown): error is OperatorError {
    return typeof error === 'object' && error !== null && BRAND in error
  }
}

type Args<M extends string> = [Placeholders<M>] extends [never]
  ? [values?: Record<string, never>, options?: ErrorOptions]
  : [values: PlaceholderValues<M>, options?: ErrorOptions]

/**
 * Declares the operator errors of a service: `code: [sentence, remedy]`. Each `{placeholder}` becomes a required
 * argument. Codes are snake_case and stable: scripts match on them.
 */
export function defineOperatorErrors<const T extends Record<string, readonly [sentence: string, remedy: string]>>(
  table: T,
): { readonly [K in keyof T]: (...args: Args<`${T[K][0]}${T[K][1]}`>) => OperatorError } {
  const factories = Object.entries(table).map(([code, [sentence, remedy]]) => [
    code,
    (values: Record<string, unknown> = {}, options?: ErrorOptions) =>
      new OperatorError(code, fillPlaceholders(sentence, values), fillPlaceholders(remedy, values), options),
  ])
  return Object.freeze(Object.fromEntries(factories))
}
