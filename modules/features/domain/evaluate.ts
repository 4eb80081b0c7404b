/** What a flag is worth to somebody. Pure: everything that it hangs on comes in. */
import type { Lookup } from './conditions.ts'
import { type Flag, TARGETING_KEY } from './flag.ts'
import { bucketOf } from './hash.ts'
import { isFailure, type Outcome } from './outcome.ts'
import { sameValue, typeOf, type Value } from './value.ts'

/** Everything about one tenant at one moment, and who asks. */
export interface World {
  readonly flags: ReadonlyMap<string, Flag>
  readonly overrides: ReadonlyMap<string, Value>
  entitled(key: string): boolean
  readonly lookup: Lookup
}

/** Answers that were found on the way: a flag that many others require is asked once. */
export type Known = Map<string, Outcome>

export function evaluate(world: World, key: string, known: Known = new Map()): Outcome {
  const before = known.get(key)
  if (before) return before
  const flag = world.flags.get(key)
  if (!flag) return { key, errorCode: 'FLAG_NOT_FOUND', errorDetails: 'There is no feature with this key.' }
  // Circles are refused when they are written; one that got in all the same ends here.
  if (flag.says.requires.length > 0)
    known.set(key, { key, errorCode: 'GENERAL', errorDetails: 'This feature requires itself.' })
  const outcome = decide(world, flag, known)
  known.set(key, outcome)
  return outcome
}

function decide(world: World, flag: Flag, known: Known): Outcome {
  const { key, says, outcomes } = flag
  if (!says.enabled) return outcomes.disabled
  const missing = says.requires.find(({ key, value }) => !isMet(evaluate(world, key, known), value))
  if (missing) return { ...outcomes.standard, reason: 'DEFAULT', metadata: unmet('prerequisite', missing.key) }
  const override = world.overrides.get(key)
  // An override of another type is older than what the flag is now.
  if (override !== undefined && typeOf(override) === flag.type)
    return { key, value: override, reason: 'TARGETING_MATCH', metadata: { source: 'override' } }
  const { entitlement } = says
  if (entitlement !== null && !world.entitled(entitlement))
    return { ...outcomes.standard, reason: 'DEFAULT', metadata: unmet('entitlement', entitlement) }
  return byRules(world.lookup, flag) ?? outcomes.standard
}

const unmet = (source: 'prerequisite' | 'entitlement', key: string) => ({ source, [source]: key })

/** What is switched off fulfils nothing, whatever its default. */
const isMet = (outcome: Outcome, value: Value): boolean =>
  !isFailure(outcome) && outcome.reason !== 'DISABLED' && sameValue(outcome.value, value)

function byRules(lookup: Lookup, { seed, says, rules, outcomes }: Flag): Outcome | undefined {
  for (const rule of rules) {
    if (!rule.fits(lookup)) continue
    const inside = rule.buckets === undefined || isInside(rule.buckets, seed, lookup(says.bucketBy))
    if (inside === undefined && says.bucketBy === TARGETING_KEY) return outcomes.unaskable
    if (inside) return rule.outcome
  }
  return undefined
}

/** Undefined where the attribute that the rollout goes by is missing. */
function isInside(buckets: number, seed: number, attribute: unknown): boolean | undefined {
  const usable = typeof attribute === 'number' || (typeof attribute === 'string' && attribute !== '')
  return usable ? bucketOf(seed, String(attribute)) < buckets : undefined
}
