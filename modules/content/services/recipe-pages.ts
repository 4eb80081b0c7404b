/** Pages of the recipe that editors have changed. */
import type { IncomingHttpHeaders } from 'node:http'
import { type Deps, etag, type RecipeView, requireMatch } from '@larder-dev/larder/kernel'
import type { ContentOptions } from '../options.ts'
import { problems } from '../problems.ts'
import { type PageWriteDeps, writePage } from '../recipe/apply-pages.ts'
import { declareContent } from '../recipe/declarations.ts'
import type { Sections } from '../recipe/sections.ts'
import { lockPage, lockPageWithText, type PageWithText } from './page-repository.ts'

export interface RecipePages {
  /** Gives the page the text and the state of the recipe, as a new version. Throws `page_not_of_recipe`. */
  reset(tenantId: string, id: string, headers: IncomingHttpHeaders): Promise<PageWithText>
}

export function createRecipePages(
  deps: PageWriteDeps & Deps<'database'>,
  options: ContentOptions,
  recipe: RecipeView<Sections>,
): RecipePages {
  return {
    reset(tenantId, id, headers) {
      const { pages: declared } = declareContent(options, recipe)
      return deps.database.tenant(tenantId).transaction(async unit => {
        const row = await lockPage(unit, id)
        requireMatch(headers, etag(row.revision))
        const found = declared.find(({ slug, locale }) => slug === row.slug && locale === row.locale)
        const isOfRecipe = tenantId === deps.operator.tenantId && row.managedBy !== null
        if (!isOfRecipe || !found) throw problems.page_not_of_recipe()
        await writePage(deps, unit, { kind: 'change', row, declared: found, edited: false })
        return lockPageWithText(unit, id)
      })
    },
  }
}
