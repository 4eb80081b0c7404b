/** What a flag says, and the same made ready to be asked. Pure. */
import { compileWhen, type Lookup, type When } from './conditions.ts'
import { BUCKETS, fnv32a } from './hash.ts'
import type { Evaluation, Failure } from './outcome.ts'
import { type Type, typeOf, type Value } from './value.ts'

export interface Rule {
  /** Everybody, if left out. */
  readonly when?: When
  /** Percent of those whom `when` fits; all, if left out. */
  readonly rollout?: number
  readonly value: Value
  /** Told with the value. */
  readonly variant?: string
}
export interface Prerequisite {
  readonly key: string
  /** What that flag must be worth here. */
  readonly value: Value
}
export interface Definition {
  readonly enabled: boolean
  readonly default: Value
  /** The attribute that a rollout goes by. */
  readonly bucketBy: string
  readonly requires: readonly Prerequisite[]
  /** Key of the entitlement without which the default counts. */
  readonly entitlement: string | null
  /** Whether a tenant may set its own value of a flag of the recipe. */
  readonly overridable: boolean
  /** The first that fits counts. */
  readonly rules: readonly Rule[]
}

export interface CompiledRule {
  fits(lookup: Lookup): boolean
  /** Of 10,000 buckets the first so many; undefined is all, without asking for an attribute. */
  readonly buckets: number | undefined
  readonly outcome: Evaluation
}
export interface Flag {
  readonly key: string
  readonly type: Type
  /** Hash of the key, which its rollouts go by. */
  readonly seed: number
  readonly says: Definition
  readonly rules: readonly CompiledRule[]
  /** Made once, for all who are told them. */
  readonly outcomes: {
    readonly disabled: Evaluation
    readonly standard: Evaluation
    /** Somebody without the targetingKey that a rollout goes by. */
    readonly unaskable: Failure
  }
}

export const TARGETING_KEY = 'targetingKey'

export function compileFlag(key: string, says: Definition): Flag {
  const value = says.default
  const reason = says.rules.length > 0 ? 'DEFAULT' : 'STATIC'
  return {
    key,
    type: typeOf(value),
    seed: fnv32a(key),
    says,
    rules: says.rules.map((rule, index) => compileRule(key, rule, index)),
    outcomes: {
      disabled: { key, value, reason: 'DISABLED', metadata: { source: 'disabled' } },
      standard: { key, value, reason, metadata: { source: 'default' } },
      unaskable: {
        key,
        errorCode: 'TARGETING_KEY_MISSING',
        errorDetails: 'This feature is rolled out by targetingKey.',
      },
    },
  }
}

function compileRule(key: string, { when, rollout = 100, value, variant }: Rule, index: number): CompiledRule {
  const isWhole = rollout >= 100
  const reason = isWhole ? 'TARGETING_MATCH' : 'SPLIT'
  const metadata = { source: 'rule', rule: index }
  return {
    fits: when ? compileWhen(when) : () => true,
    buckets: isWhole ? undefined : Math.round((rollout * BUCKETS) / 100),
    outcome: { key, value, reason, ...(variant !== undefined && { variant }), metadata },
  }
}

/** Attributes that its answer hangs on. */
export function readsOf({ says, rules }: Flag): readonly string[] {
  const asked = says.rules.flatMap(({ when }) => Object.keys(when ?? {}))
  return rules.some(({ buckets }) => buckets !== undefined) ? [...asked, says.bucketBy] : asked
}
