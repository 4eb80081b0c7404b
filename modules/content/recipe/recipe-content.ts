/** Pages and menus of the recipe that editors have changed. */
import type { IncomingHttpHeaders } from 'node:http'
import { type Deps, etag, fingerprint, type RecipeView, requireMatch } from '@larder-dev/larder/kernel'
import type { ContentOptions } from '../options.ts'
import { problems } from '../problems.ts'
import { menuTable } from '../records/navigation.ts'
import type { MenuService } from '../services/menu-service.ts'
import { lockPage, lockPageWithText, type PageWithText } from '../services/page-repository.ts'
import { pagesOf } from './declarations.ts'
import { type PageWriteDeps, writePage } from './pages.ts'
import type { Sections } from './sections.ts'

export interface RecipeContent {
  /** Gives the page the text and the state of the recipe, as a new version. Throws `page_not_of_recipe`. */
  resetPage(tenantId: string, id: string, headers: IncomingHttpHeaders): Promise<PageWithText>
  /** Gives the menu the items of the recipe. Throws `menu_not_of_recipe`. */
  resetMenu(tenantId: string, key: string): Promise<void>
}

type RecipeContentDeps = PageWriteDeps & Deps<'database'> & { readonly menus: MenuService }

export function createRecipeContent(
  deps: RecipeContentDeps,
  options: ContentOptions,
  recipe: RecipeView<Sections>,
): RecipeContent {
  const { database, menus, operator } = deps
  const isOfRecipe = (tenantId: string, { managedBy }: { readonly managedBy: string | null }) =>
    tenantId === operator.tenantId && managedBy !== null

  return {
    resetPage(tenantId, id, headers) {
      const declared = pagesOf(options, recipe)
      return database.tenant(tenantId).transaction(async unit => {
        const row = await lockPage(unit, id)
        requireMatch(headers, etag(row.revision))
        const found = declared.find(({ slug, locale }) => slug === row.slug && locale === row.locale)
        if (!isOfRecipe(tenantId, row) || !found) throw problems.page_not_of_recipe()
        await writePage(deps, unit, { kind: 'change', row, declared: found, edited: false })
        return lockPageWithText(unit, id)
      })
    },
    resetMenu(tenantId, key) {
      return database.tenant(tenantId).transaction(async unit => {
        const menu = await menuTable.get(unit, { key }, { lock: true })
        const items = recipe.sections.navigation?.[key]
        if (!isOfRecipe(tenantId, menu) || !items) throw problems.menu_not_of_recipe()
        await menus.write(unit, tenantId, key, { items })
        await menuTable.update(unit, { key }, { recipeHash: fingerprint(items) })
      })
    },
  }
}
