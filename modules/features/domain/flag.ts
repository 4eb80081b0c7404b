/** The definition of a flag, and its compiled form that is ready for evaluation. Pure. */
import { compileWhen, type Lookup, type When } from './conditions.ts'
import { BUCKETS, fnv32a } from './hash.ts'
import type { Evaluation, Failure } from './outcome.ts'
import { type Type, typeOf, type Value } from './value.ts'

export interface Rule {
  /** Matches everyone if left out. */
  readonly when?: When
  /** Percentage of those that `when` matches; 100 if left out. */
  readonly rollout?: number
  readonly value: Value
  /** Returned with the value; `rule-1` for the first rule if left out. */
  readonly variant?: string
}
export interface Prerequisite {
  readonly key: string
  /** The value that the required flag must have for the same subject. */
  readonly value: Value
}
export interface Definition {
  readonly enabled: boolean
  readonly default: Value
  /** The attribute that rollouts hash. */
  readonly bucketBy: string
  readonly requires: readonly Prerequisite[]
  /** Key of the entitlement without which the default applies. */
  readonly entitlement: string | null
  /** Whether a tenant may override a flag of the recipe. */
  readonly overridable: boolean
  /** The first rule that matches decides. */
  readonly rules: readonly Rule[]
}

export interface CompiledRule {
  matches(lookup: Lookup): boolean
  /** The rollout covers buckets below this number. Undefined covers everyone without reading an attribute. */
  readonly buckets: number | undefined
  readonly outcome: Evaluation
}
export interface Flag {
  readonly key: string
  readonly type: Type
  /** Whether the default or the value of a rule has decimals. */
  readonly hasFractions: boolean
  /** Hash of the key, which seeds its rollouts. */
  readonly seed: number
  readonly definition: Definition
  readonly rules: readonly CompiledRule[]
  /** Built once and shared by all evaluations. */
  readonly outcomes: {
    readonly disabled: Evaluation
    readonly standard: Evaluation
    /** The failure of a subject without the targetingKey that a rollout needs. */
    readonly missingTargetingKey: Failure
  }
}

export const TARGETING_KEY = 'targetingKey'

export function compileFlag(key: string, definition: Definition): Flag {
  const value = definition.default
  const reason = definition.rules.length > 0 ? 'DEFAULT' : 'STATIC'
  return {
    key,
    type: typeOf(value),
    hasFractions: [value, ...definition.rules.map(rule => rule.value)].some(isFraction),
    seed: fnv32a(key),
    definition,
    rules: definition.rules.map((rule, index) => compileRule(key, rule, index)),
    outcomes: {
      disabled: { key, value, reason: 'DISABLED', variant: 'default', metadata: { source: 'disabled' } },
      standard: { key, value, reason, variant: 'default', metadata: { source: 'default' } },
      missingTargetingKey: {
        key,
        errorCode: 'TARGETING_KEY_MISSING',
        errorDetails: 'This feature is rolled out by targetingKey, which the context lacks.',
      },
    },
  }
}

const isFraction = (value: Value): boolean => typeof value === 'number' && !Number.isInteger(value)

function compileRule(key: string, rule: Rule, index: number): CompiledRule {
  const { when, rollout = 100, value, variant = `rule-${index + 1}` } = rule
  const coversAll = rollout >= 100
  const reason = coversAll ? 'TARGETING_MATCH' : 'SPLIT'
  const metadata = { source: 'rule', rule: index }
  return {
    matches: when ? compileWhen(when) : () => true,
    buckets: coversAll ? undefined : Math.round((rollout * BUCKETS) / 100),
    outcome: { key, value, reason, variant, metadata },
  }
}

/** The attributes that an evaluation of the flag reads. */
export function attributesRead({ definition, rules }: Flag): readonly string[] {
  const matched = definition.rules.flatMap(({ when }) => Object.keys(when ?? {}))
  return rules.some(({ buckets }) => buckets !== undefined) ? [...matched, definition.bucketBy] : matched
}
