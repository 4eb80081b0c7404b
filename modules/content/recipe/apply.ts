/** Writes the recipe's pages, menus and redirects into the operator's tenant. */
import type { Deps, RecipeView } from '@larder-dev/larder/kernel'
import type { ContentOptions } from '../options.ts'
import type { ContentServices } from '../services.ts'
import { applyMenus } from './apply-menus.ts'
import { applyPages } from './apply-pages.ts'
import { applyRedirects } from './apply-redirects.ts'
import { declareContent } from './declarations.ts'
import type { Sections } from './sections.ts'

export async function apply(
  deps: Deps<'clock' | 'database' | 'events' | 'log' | 'operator'> & ContentServices,
  options: ContentOptions,
  recipe: RecipeView<Sections>,
): Promise<void> {
  const { pages, menus, redirects } = declareContent(options, recipe)
  await deps.database.tenant(deps.operator.tenantId).transaction(async unit => {
    await applyPages(deps, unit, pages)
    await applyMenus(deps, unit, menus, options.editable)
    await applyRedirects(deps, unit, redirects)
  })
}
