/** Results of an evaluation, in the format of OFREP. Pure. */
import type { Value } from './value.ts'

export type Reason = 'STATIC' | 'DEFAULT' | 'TARGETING_MATCH' | 'SPLIT' | 'DISABLED'
/** OFREP's success reply for one flag. `metadata.source` names the step that decided. */
export interface Evaluation {
  readonly key: string
  readonly value: Value
  readonly reason: Reason
  readonly variant?: string
  readonly metadata: Readonly<Record<string, string | number>>
}
export const ERROR_CODES = ['FLAG_NOT_FOUND', 'TARGETING_KEY_MISSING', 'GENERAL'] as const
/** OFREP's error reply for one flag. */
export interface Failure {
  readonly key: string
  readonly errorCode: (typeof ERROR_CODES)[number]
  readonly errorDetails: string
}
export type Outcome = Evaluation | Failure

export const isFailure = (outcome: Outcome): outcome is Failure => 'errorCode' in outcome

/** Most outcomes are built once, with their flag, so their JSON is cached too. */
const serialized = new WeakMap<Outcome, string>()

export function serializeOutcome(outcome: Outcome): string {
  const cached = serialized.get(outcome)
  if (cached !== undefined) return cached
  const json = JSON.stringify(outcome)
  serialized.set(outcome, json)
  return json
}
