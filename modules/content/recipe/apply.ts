/** Brings the recipe's pages, menus and redirects into the operator's tenant; nothing happens where nothing changed. */
import type { Deps, RecipeView } from 'larder/kernel'
import type { ContentNeeds } from '../services/content-services.ts'
import type { ContentOptions } from '../options.ts'
import { reconcileMenus } from './apply-menus.ts'
import { reconcilePages } from './apply-pages.ts'
import { declarePages, declareRedirects } from './declared.ts'
import { reconcileRedirects } from './apply-redirects.ts'
import type { Sections } from './sections.ts'

export type ReconcileDeps = Deps<ContentNeeds | 'content'>

/** What the recipe says, made ready. Throws where a file that was there when the recipe was checked has gone. */
export function plannedOf(options: ContentOptions, { sections, folder, product }: RecipeView<Sections>) {
  const ground = { folder, locales: product.locales, publicUrl: product.publicUrl, options }
  const { pages = {}, navigation = {}, redirects = [] } = sections
  const planned = declarePages(pages, ground)
  const rules = declareRedirects(redirects, ground)
  const [fault] = [...planned.faults, ...rules.faults]
  if (fault) throw new Error(`${fault.path.join('.')}: ${fault.message}`)
  return { pages: planned.planned, menus: navigation, redirects: rules.planned }
}

export async function reconcile(
  deps: ReconcileDeps,
  options: ContentOptions,
  recipe: RecipeView<Sections>,
): Promise<void> {
  const { pages, menus, redirects } = plannedOf(options, recipe)
  await deps.database.tenant(deps.operator.tenantId).transaction(async unit => {
    await reconcilePages(deps, unit, pages)
    await reconcileMenus(deps, unit, menus, options.editable)
    await reconcileRedirects(deps, unit, redirects)
  })
}
