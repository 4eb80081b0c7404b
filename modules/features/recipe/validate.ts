import { inEnglish, type RecipeDiagnostic, type ValidatedRecipe } from '@larder-dev/larder/kernel'
import { dotted } from '@larder-dev/larder/kernel/internal'
import { createDefinition } from '../domain/definition.ts'
import { validateDefinition } from '../domain/validation.ts'
import { validatePlans } from './plan-validation.ts'
import type { Sections } from './sections.ts'

/** Reports what the schema can't express: values of another type, and unknown or cyclic prerequisites, unknown plans. */
export function validate(recipe: ValidatedRecipe<unknown, Sections>): readonly RecipeDiagnostic[] {
  const { features = {} } = recipe.sections
  const definitions = new Map(Object.entries(features).map(([key, flag]) => [key, createDefinition(flag)]))
  const definitionFaults = [...definitions].flatMap(([key, definition]) =>
    validateDefinition(key, definition, other => definitions.get(other)).map(({ path: field, detail }) => {
      const path = ['features', key, ...field]
      return { path, message: `'${dotted(path)}' ${inEnglish(detail)}` }
    }),
  )
  return [...definitionFaults, ...validatePlans(recipe)]
}
