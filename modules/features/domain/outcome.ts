/** What is answered to the question what a flag is worth. Pure. */
import type { Value } from './value.ts'

export type Reason = 'STATIC' | 'DEFAULT' | 'TARGETING_MATCH' | 'SPLIT' | 'DISABLED'
/** OFREP's answer to one flag. `metadata.source` says which step decided. */
export interface Evaluation {
  readonly key: string
  readonly value: Value
  readonly reason: Reason
  readonly variant?: string
  readonly metadata: Readonly<Record<string, string | number>>
}
/** OFREP's answer where there is no value. */
export interface Failure {
  readonly key: string
  readonly errorCode: 'FLAG_NOT_FOUND' | 'TARGETING_KEY_MISSING' | 'GENERAL'
  readonly errorDetails: string
}
export type Outcome = Evaluation | Failure

export const isFailure = (outcome: Outcome): outcome is Failure => 'errorCode' in outcome

/** Most outcomes are made with their flag, and told again and again: their JSON is written once. */
const texts = new WeakMap<Outcome, string>()

export function textOf(outcome: Outcome): string {
  const before = texts.get(outcome)
  if (before !== undefined) return before
  const text = JSON.stringify(outcome)
  texts.set(outcome, text)
  return text
}
