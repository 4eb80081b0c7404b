/** Checks the entitlements and plans that flags refer to. */
import { didYouMean, type RecipeDiagnostic, type ValidatedRecipe } from '@larder-dev/larder/kernel'
import type { Condition } from '../domain/conditions.ts'
import type { Sections } from './sections.ts'

/** The only plan of a recipe with billing and without plans. */
const PLAN_WITHOUT_PLANS = 'free'

type Recipe = Pick<ValidatedRecipe<unknown, Sections>, 'sections' | 'modules' | 'complete' | 'section' | 'isValid'>

export function validatePlans(recipe: Recipe): RecipeDiagnostic[] {
  const [entitlements, plans] = ['entitlements', 'plans'].map(section => keysOf(recipe, section))
  return Object.entries(recipe.sections.features ?? {}).flatMap(([key, { entitlement, rules = [] }]) => [
    ...(entitlements && typeof entitlement === 'string' && !entitlements.includes(entitlement)
      ? [fault('entitlement', entitlement, entitlements, ['features', key, 'entitlement'])]
      : []),
    ...rules.flatMap(({ when }, index) =>
      plans && when?.plan !== undefined
        ? valuesOf(when.plan as Condition)
            .filter(([, plan]) => !plans.includes(plan))
            .map(([path, plan]) => ({
              // A plan that left the recipe may still have subscribers.
              severity: 'warning' as const,
              ...fault('plan', plan, plans, ['features', key, 'rules', index, 'when', 'plan', ...path]),
            }))
        : [],
    ),
  ])
}

/** Undefined if the section can't be checked: nothing declares it, or it is invalid. */
function keysOf(recipe: Recipe, section: string): string[] | undefined {
  const isDeclared = recipe.modules.some(({ module }) => section in (module.sections ?? {}))
  if (!recipe.complete || !isDeclared) return undefined
  const value = recipe.section(section)
  if (value === undefined && !recipe.isValid([section])) return undefined
  if (value === undefined && section === 'plans') return [PLAN_WITHOUT_PLANS]
  return Object.keys((value ?? {}) as object)
}

const fault = (
  kind: 'entitlement' | 'plan',
  name: string,
  known: readonly string[],
  path: RecipeDiagnostic['path'],
) => ({
  code: `unknown_${kind}`,
  path,
  message: `Unknown ${kind} "${name}"`,
  hint: didYouMean(name, known) ?? (known.length > 0 ? `Declared: ${known.join(', ')}` : `Add it under ${kind}s`),
})

/** The plans that a condition compares with, and their paths in it. */
function valuesOf(condition: Condition): (readonly [path: (string | number)[], plan: string])[] {
  if (typeof condition !== 'object') return [[[], String(condition)]]
  const single = (['eq', 'ne'] as const).flatMap(operator =>
    condition[operator] === undefined ? [] : [[[operator], String(condition[operator])] as const],
  )
  const lists = (['in', 'notIn'] as const).flatMap(operator =>
    (condition[operator] ?? []).map((plan, index) => [[operator, index], String(plan)] as const),
  )
  return [...single, ...lists].map(([path, plan]) => [[...path], plan])
}
