/** Results of an evaluation, in the format of OFREP. Pure. */
import type { Value } from './value.ts'

export type Reason = 'STATIC' | 'DEFAULT' | 'TARGETING_MATCH' | 'SPLIT' | 'DISABLED'
/** OFREP's success reply for one flag. `metadata.source` names the step that decided. */
export interface Evaluation {
  readonly key: string
  readonly value: Value
  readonly reason: Reason
  /** `default`, `override`, or the name of the rule that decided. SDKs take their own default for a reply without it. */
  readonly variant: string
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

/** @param hasFractions whether the flag has a value with decimals */
export function serializeOutcome(outcome: Outcome, hasFractions: boolean): string {
  const cached = serialized.get(outcome)
  if (cached !== undefined) return cached
  const isWhole = hasFractions && !isFailure(outcome) && Number.isSafeInteger(outcome.value)
  const json = isWhole ? serializeDecimal(outcome) : JSON.stringify(outcome)
  serialized.set(outcome, json)
  return json
}

/** SDKs of Python and Java read `10` as an integer and refuse it where a program asks for a decimal. They accept `10.0`. */
function serializeDecimal({ key, value, ...rest }: Evaluation): string {
  return `{"key":${JSON.stringify(key)},"value":${value}.0,${JSON.stringify(rest).slice(1)}`
}
