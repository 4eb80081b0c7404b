/** What rules ask about the caller beside the request: plan, entitlements and profile. Read again for each decision. */
import { type Caller, type Deps, together } from '@larder-dev/larder/kernel'
import type { Collection, Collections } from '../domain/declarations/collection.ts'
import {
  type Condition,
  type Subject,
  type VariableValue,
  variableOf,
  variablesIn,
} from '../domain/declarations/condition.ts'

/** The values of the variables that conditions on these rows name. */
export type CallerFacts = (caller: Caller | undefined, collection: Collection, filter: Condition) => Promise<Subject>

type FactsDeps = Deps<never, 'entitlements' | 'people'> & { readonly collectionMap: Collections }

const NOTHING: Subject = {}

export function createCallerFacts({ entitlements, people, collectionMap }: FactsDeps): CallerFacts {
  const ofRules = new Map([...collectionMap.values()].map(each => [each.name, namedByRules(collectionMap, each)]))

  async function entitled(caller: Caller, names: readonly string[], keys: readonly string[]): Promise<Subject> {
    if (!entitlements) return NOTHING
    const { planKey, values } = await entitlements.ofCaller(caller, keys)
    return Object.fromEntries(
      names.map(name => {
        const variable = variableOf(name)
        return [name, variable?.kind === 'entitlement' ? values[variable.key] : planKey]
      }),
    )
  }

  async function profile(userId: string, names: readonly string[]): Promise<Subject> {
    const values = await people?.profile(userId)
    return Object.fromEntries(
      names.map(name => {
        const variable = variableOf(name)
        return [name, variable?.kind === 'profile' ? scalarOf(values?.[variable.key]) : undefined]
      }),
    )
  }

  return async (caller, collection, filter) => {
    const names = new Set([...(ofRules.get(collection.name) ?? []), ...variablesIn(filter).filter(isFact)])
    if (!caller || names.size === 0) return NOTHING
    const ofPlan = [...names].filter(name => variableOf(name)?.kind !== 'profile')
    const ofProfile = [...names].filter(name => variableOf(name)?.kind === 'profile')
    const keys = ofPlan.flatMap(name => {
      const variable = variableOf(name)
      return variable?.kind === 'entitlement' ? variable.key : []
    })
    const { plan, own } = await together({
      plan: ofPlan.length > 0 ? entitled(caller, ofPlan, keys) : NOTHING,
      own: ofProfile.length > 0 ? profile(caller.userId, ofProfile) : NOTHING,
    })
    return { ...plan, ...own }
  }
}

/** Whether the request itself doesn't say the value. */
function isFact(name: string): boolean {
  const kind = variableOf(name)?.kind
  return kind === 'plan' || kind === 'entitlement' || kind === 'profile'
}

const scalarOf = (value: unknown): VariableValue | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined

/** What the rules of a collection name, and those of the collections that its references lead to in any number of steps. */
function namedByRules(collections: Collections, start: Collection): readonly string[] {
  const reached = new Set([start])
  for (const { fields } of reached)
    for (const { reference } of fields.values()) {
      const target = reference && collections.get(reference.to)
      if (target) reached.add(target)
    }
  const conditions = [...reached].flatMap(({ access: { anyone, signedIn, actions } }) => [
    ...[anyone, signedIn].filter(each => each !== undefined),
    ...Object.values(actions).flatMap(rules => Object.values(rules)),
  ])
  return [...new Set(conditions.flatMap(variablesIn).filter(isFact))]
}
