import type { RecipeFault, ValidatedRecipe } from 'larder/kernel'
import { everyItem } from '../core/navigation.ts'
import type { ContentOptions } from '../options.ts'
import { menuFaults } from '../services/navigation.ts'
import { planPages, planRedirects } from './plan.ts'
import type { Sections } from './sections.ts'

/** What the schemas cannot say: files that are not there, paths that are taken, circles, menus of unknown pages. */
export function validate(recipe: ValidatedRecipe<ContentOptions, Sections>): readonly RecipeFault[] {
  const { pages = {}, navigation = {}, redirects = [] } = recipe.sections
  const slugs = new Set(Object.keys(pages))
  const menus = Object.entries(navigation).flatMap(([key, items]) => [
    ...menuFaults(items, slugs).map(({ place, detail }) => ({ path: ['navigation', key, ...place], message: detail })),
    ...[...everyItem(items)]
      .filter(({ item }) => item.page !== undefined && item.path !== undefined)
      .map(({ place }) => ({ path: ['navigation', key, ...place, 'path'], message: 'the page says the path already' })),
  ])
  return [...planPages(pages, recipe).faults, ...menus, ...planRedirects(redirects, recipe).faults]
}
