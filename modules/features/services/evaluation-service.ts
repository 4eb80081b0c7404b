/** Evaluates flags from the cache. */
import type { Deps } from '@larder-dev/larder/kernel'
import { type ClientContext, createLookup, type Subject } from '../domain/attributes.ts'
import { type EvaluationContext, evaluate, type KnownOutcomes } from '../domain/evaluate.ts'
import { type Failure, isFailure, type Outcome, serializeOutcome } from '../domain/outcome.ts'
import { typeOf, type Value, type Widened } from '../domain/value.ts'
import type { FlagCache, FlagSet } from './flag-cache.ts'
import { createResponseCache, type SerializedResponse, serializedResponse } from './response-cache.ts'

const EMPTY_CONTEXT: ClientContext = Object.freeze({})

export interface EvaluationService {
  evaluate(subject: Subject, key: string): Promise<Outcome>
  /** The outcome as an OFREP response, or a failure. */
  evaluateSerialized(subject: Subject, key: string): Promise<string | Failure>
  /** Evaluates the flags named by `keys`, or all, as a serialized OFREP bulk response. */
  evaluateMany(subject: Subject, keys?: readonly string[]): Promise<SerializedResponse>
  /** The value, or `fallback` if no flag of this type has the key. */
  value<T extends Value>(key: string, fallback: T, subject: Subject): Promise<Widened<T>>
}

type EvaluationDeps = Deps<never, 'entitlements'> & { readonly flagCache: FlagCache }

export function createEvaluationService({ entitlements, flagCache }: EvaluationDeps): EvaluationService {
  const responseCache = createResponseCache()

  async function load({ tenantId, userId, roles = [], context = EMPTY_CONTEXT }: Subject) {
    const set = await flagCache.forTenant(tenantId)
    const usesPlan = set.entitlements.length > 0 || set.attributes.includes('plan')
    const plan = usesPlan ? await entitlements?.of(tenantId) : undefined
    const server = { tenant: tenantId, plan: plan?.planKey, roles, userId }
    const evaluation: EvaluationContext = {
      flags: set.flags,
      overrides: set.overrides,
      // Without billing, nothing is limited. A limit of -1 is unlimited.
      entitled: key => plan === undefined || (plan.entitlements[key] ?? 0) !== 0,
      lookup: createLookup(server, context),
    }
    return { set, evaluation }
  }

  const evaluateOne = async (subject: Subject, key: string): Promise<Outcome> =>
    evaluate((await load(subject)).evaluation, key)

  return {
    evaluate: evaluateOne,
    async evaluateSerialized(subject, key) {
      const { evaluation } = await load(subject)
      const outcome = evaluate(evaluation, key)
      return isFailure(outcome) ? outcome : serializeOutcome(outcome, evaluation.flags.get(key)?.hasFractions ?? false)
    },
    async evaluateMany(subject, keys) {
      const { set, evaluation } = await load(subject)
      if (keys) return serializedResponse(serializeAll(evaluation, new Set(keys)))
      return responseCache.get(responseKey(set, evaluation), () => serializeAll(evaluation, set.flags.keys()))
    },
    async value<T extends Value>(key: string, fallback: T, subject: Subject) {
      const outcome = await evaluateOne(subject, key)
      const found = !isFailure(outcome) && typeOf(outcome.value) === typeOf(fallback) ? outcome.value : fallback
      // The types were compared above.
      return found as Widened<T>
    },
  }
}

function serializeAll(evaluation: EvaluationContext, keys: Iterable<string>): string {
  const known: KnownOutcomes = new Map()
  const serialize = (key: string) =>
    serializeOutcome(evaluate(evaluation, key, known), evaluation.flags.get(key)?.hasFractions ?? false)
  return `{"flags":[${Array.from(keys, serialize).join()}]}`
}

/** Everything that the response depends on: equal for two subjects that no flag distinguishes. */
function responseKey({ id, attributes, entitlements }: FlagSet, { entitled, lookup }: EvaluationContext): string {
  const granted = entitlements.map(key => (entitled(key) ? 1 : 0)).join('')
  return `${id} ${granted} ${JSON.stringify(attributes.map(name => lookup(name) ?? null))}`
}
