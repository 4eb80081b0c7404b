/** Validates the rate limits that a recipe overrides. */
import {
  API_LIMIT,
  type DeclaredModule,
  didYouMean,
  formatList,
  type RecipeDiagnostic,
  type ValidatedRecipe,
} from '@larder-dev/larder/kernel/internal'
import { ANONYMOUS_LIMIT } from '../access/rate-limiter.ts'
import { FORM_LIMIT, GUEST_FORM_LIMIT } from '../pages/form-limits.ts'

/** Names of the limits of these modules and of the HTTP service. */
export const limitNames = (modules: readonly DeclaredModule[]): readonly string[] => [
  API_LIMIT.name,
  ANONYMOUS_LIMIT.name,
  FORM_LIMIT.name,
  GUEST_FORM_LIMIT.name,
  ...new Set(modules.flatMap(({ module }) => module.limits ?? [])),
]

type Validated = ValidatedRecipe<unknown, { readonly rateLimits: Readonly<Record<string, unknown>> }>

export function validate({ sections, modules, complete, isValid }: Validated): RecipeDiagnostic[] {
  if (!complete || !isValid(['rateLimits'])) return []
  const known = limitNames(modules)
  return Object.keys(sections.rateLimits ?? {})
    .filter(name => !known.includes(name))
    .map(name => ({
      path: ['rateLimits', name],
      at: 'key',
      message: `Unknown rate limit "${name}"`,
      hint: didYouMean(name, known) ?? `there are ${formatList(known, 30)}`,
    }))
}
