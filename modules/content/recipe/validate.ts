import type { RecipeFault, ReviewedRecipe } from 'larder/kernel'
import { walkItems } from '../domain/menu.ts'
import type { ContentOptions } from '../options.ts'
import { validateMenu } from '../services/menu-service.ts'
import { declarePages, declareRedirects } from './declared.ts'
import type { Sections } from './sections.ts'

/** What the schemas cannot say: files that are not there, paths that are taken, circles, menus of unknown pages. */
export function validate(recipe: ReviewedRecipe<ContentOptions, Sections>): readonly RecipeFault[] {
  const { pages = {}, navigation = {}, redirects = [] } = recipe.sections
  const slugs = new Set(Object.keys(pages))
  const menus = Object.entries(navigation).flatMap(([key, items]) => [
    ...validateMenu(items, slugs).map(({ place, detail }) => ({ path: ['navigation', key, ...place], message: detail })),
    ...[...walkItems(items)]
      .filter(({ item }) => item.page !== undefined && item.path !== undefined)
      .map(({ place }) => ({ path: ['navigation', key, ...place, 'path'], message: 'the page says the path already' })),
  ])
  return [...declarePages(pages, recipe).faults, ...menus, ...declareRedirects(redirects, recipe).faults]
}
