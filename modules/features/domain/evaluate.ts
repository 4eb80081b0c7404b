/** Evaluates a flag for a subject. Pure. */
import type { Lookup } from './conditions.ts'
import { type Flag, TARGETING_KEY } from './flag.ts'
import { bucketOf } from './hash.ts'
import { isFailure, type Outcome } from './outcome.ts'
import { sameValue, typeOf, type Value } from './value.ts'

/** The flags and overrides of a tenant, and the attributes of the subject. */
export interface EvaluationContext {
  readonly flags: ReadonlyMap<string, Flag>
  readonly overrides: ReadonlyMap<string, Value>
  entitled(key: string): boolean
  readonly lookup: Lookup
}

/** Outcomes of one run by key, so that a flag that many others require is evaluated once. */
export type KnownOutcomes = Map<string, Outcome>

export function evaluate(context: EvaluationContext, key: string, known: KnownOutcomes = new Map()): Outcome {
  const before = known.get(key)
  if (before) return before
  const flag = context.flags.get(key)
  if (!flag) return { key, errorCode: 'FLAG_NOT_FOUND', errorDetails: 'No feature has this key.' }
  // Writes reject cycles. This ends a cycle that exists anyway.
  if (flag.definition.requires.length > 0)
    known.set(key, { key, errorCode: 'GENERAL', errorDetails: 'This feature requires itself.' })
  const outcome = decide(context, flag, known)
  known.set(key, outcome)
  return outcome
}

function decide(context: EvaluationContext, flag: Flag, known: KnownOutcomes): Outcome {
  const { key, definition, outcomes } = flag
  if (!definition.enabled) return outcomes.disabled
  const missing = definition.requires.find(({ key, value }) => !isMet(evaluate(context, key, known), value))
  if (missing) return { ...outcomes.standard, reason: 'DEFAULT', metadata: unmet('prerequisite', missing.key) }
  const override = context.overrides.get(key)
  // An override of another type predates the flag's current definition.
  if (override !== undefined && typeOf(override) === flag.type)
    return { key, value: override, reason: 'TARGETING_MATCH', variant: 'override', metadata: { source: 'override' } }
  const { entitlement } = definition
  if (entitlement !== null && !context.entitled(entitlement))
    return { ...outcomes.standard, reason: 'DEFAULT', metadata: unmet('entitlement', entitlement) }
  return matchRules(context.lookup, flag) ?? outcomes.standard
}

const unmet = (source: 'prerequisite' | 'entitlement', key: string) => ({ source, [source]: key })

/** A disabled flag meets no prerequisite, whatever its default. */
const isMet = (outcome: Outcome, value: Value): boolean =>
  !isFailure(outcome) && outcome.reason !== 'DISABLED' && sameValue(outcome.value, value)

function matchRules(lookup: Lookup, { seed, definition, rules, outcomes }: Flag): Outcome | undefined {
  for (const rule of rules) {
    if (!rule.matches(lookup)) continue
    const covered = rule.buckets === undefined || isCovered(rule.buckets, seed, lookup(definition.bucketBy))
    if (covered === undefined && definition.bucketBy === TARGETING_KEY) return outcomes.missingTargetingKey
    if (covered) return rule.outcome
  }
  return undefined
}

/** Undefined if the subject lacks the attribute that the rollout hashes. */
function isCovered(buckets: number, seed: number, attribute: unknown): boolean | undefined {
  const usable = typeof attribute === 'number' || (typeof attribute === 'string' && attribute !== '')
  return usable ? bucketOf(seed, String(attribute)) < buckets : undefined
}
