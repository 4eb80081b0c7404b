/** Brings the recipe's pages, menus and redirects into the operator's tenant; nothing happens where nothing changed. */
import type { Deps, RecipeView } from '../../../kernel/contract.ts'
import type { ContentNeeds } from '../content.ts'
import type { ContentOptions } from '../options.ts'
import { reconcileMenus } from './menus.ts'
import { reconcilePages } from './pages.ts'
import { planPages, planRedirects } from './plan.ts'
import { reconcileRedirects } from './redirects.ts'
import type { Sections } from './sections.ts'

export type ReconcileDeps = Deps<ContentNeeds | 'content'>

export async function reconcile(
  deps: ReconcileDeps,
  options: ContentOptions,
  { sections, folder, product }: RecipeView<Sections>,
): Promise<void> {
  const ground = { folder, locales: product.locales, publicUrl: product.publicUrl, options }
  const { pages = {}, navigation = {}, redirects = [] } = sections
  const planned = planPages(pages, ground)
  const rules = planRedirects(redirects, ground)
  // Checked before; a file may have gone since.
  const [fault] = [...planned.faults, ...rules.faults]
  if (fault) throw new Error(`${fault.path.join('.')}: ${fault.message}`)
  await deps.database.tenant(deps.operator.tenantId).transaction(async unit => {
    await reconcilePages(deps, unit, planned.planned)
    await reconcileMenus(deps, unit, navigation, options.editable)
    await reconcileRedirects(deps, unit, rules.planned)
  })
}
