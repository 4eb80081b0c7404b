/** The rate limits of a recipe name limits that exist. */
import {
  API_LIMIT,
  didYouMean,
  keyPlace,
  type Module,
  problemAt,
  type RecipeProblem,
  type RecipeValue,
  some,
} from 'larder/kernel'
import type { Found } from '../../templates/recipe/references.ts'

/** Those of these modules, and what every caller may ask in all. */
export const limitNames = (modules: readonly { readonly module: Module }[]): readonly string[] => [
  API_LIMIT.name,
  ...new Set(modules.flatMap(({ module }) => module.limits ?? [])),
]

export function limitProblems({ rateLimits }: RecipeValue, { tree, modules, lost, intact }: Found): RecipeProblem[] {
  if (lost || !intact(['rateLimits'])) return []
  const known = limitNames(modules)
  return Object.keys(rateLimits)
    .filter(name => !known.includes(name))
    .map(name => {
      const path = ['rateLimits', name]
      const hint = didYouMean(name, known) ?? `there are ${some(known, 30)}`
      return problemAt(keyPlace(tree, path), path, `there is no rate limit '${name}'`, hint)
    })
}
