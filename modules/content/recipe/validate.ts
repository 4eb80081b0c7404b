import type { RecipeDiagnostic, ValidatedRecipe } from 'larder/kernel'
import { type MenuItem, validateMenu, walkItems } from '../domain/menu.ts'
import type { ContentOptions } from '../options.ts'
import { declarePages, declareRedirects } from './declarations.ts'
import { validateLinks } from './link-validation.ts'
import type { Sections } from './sections.ts'

/** Reports what the schemas can't express: missing files, duplicate paths, redirect loops, unknown pages in menus. */
export function validate(recipe: ValidatedRecipe<ContentOptions, Sections>): readonly RecipeDiagnostic[] {
  const { pages = {}, navigation = {}, redirects = [] } = recipe.sections
  const slugs = new Set(Object.keys(pages))
  const declaredPages = declarePages(pages, recipe)
  const declaredRedirects = declareRedirects(redirects, recipe)
  return [
    ...declaredPages.faults,
    ...Object.entries(navigation).flatMap(([key, items]) => menuFaults(key, items, slugs)),
    ...declaredRedirects.faults,
    ...validateLinks(recipe, { pages: declaredPages.declared, redirects: declaredRedirects.declared }),
  ]
}

const menuFaults = (key: string, items: readonly MenuItem[], slugs: ReadonlySet<string>): RecipeDiagnostic[] => [
  ...validateMenu(items, slugs).map(({ path, detail }) => ({ path: ['navigation', key, ...path], message: detail })),
  ...[...walkItems(items)]
    .filter(({ item }) => item.page !== undefined && item.path !== undefined)
    .map(({ path }) => ({
      path: ['navigation', key, ...path, 'path'],
      message: 'is not allowed beside page, which has the path',
    })),
]
