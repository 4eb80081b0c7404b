/** The running recipe, as the check of automations reads it. */
import type { Deps, RecipeView, ValidatedRecipe } from '@larder-dev/larder/kernel'

export type CheckedParts = Pick<
  ValidatedRecipe,
  | 'modules'
  | 'services'
  | 'roles'
  | 'audience'
  | 'complete'
  | 'locales'
  | 'folder'
  | 'section'
  | 'isEntirelyValid'
  | 'resolveFile'
>

export function runningRecipe(
  { registry, access, product }: Deps<'registry' | 'access' | 'product'>,
  { folder, section, resolveFile }: RecipeView,
): CheckedParts {
  const declared = registry.declared()
  return {
    modules: declared.filter(({ module }) => module.role === 'module'),
    services: declared.filter(({ module }) => module.role === 'service'),
    roles: Object.fromEntries(access.roles().map(({ key, scope }) => [key, { scope }])),
    audience: product.audience,
    complete: true,
    locales: product.locales,
    folder,
    section,
    resolveFile,
    isEntirelyValid: () => true,
  }
}
