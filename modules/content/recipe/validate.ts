import { inEnglish, type RecipeDiagnostic, type ValidatedRecipe } from '@larder-dev/larder/kernel'
import { type MenuItem, validateMenu, walkItems } from '../domain/menu.ts'
import type { ContentOptions } from '../options.ts'
import { type DeclaredPage, declarePages, declareRedirects } from './declarations.ts'
import { validateLinks } from './link-validation.ts'
import { sectionFaults } from './page-sections.ts'
import type { Sections } from './sections.ts'

/** Reports what the schemas can't express: missing files, duplicate paths, redirect loops, unknown pages in menus. */
export function validate(recipe: ValidatedRecipe<ContentOptions, Sections>): readonly RecipeDiagnostic[] {
  const { pages = {}, navigation = {}, redirects = [] } = recipe.sections
  const slugs = new Set(Object.keys(pages))
  const declaredPages = declarePages(pages, recipe)
  const declaredRedirects = declareRedirects(redirects, recipe)
  return [
    ...declaredPages.faults,
    ...sectionFaults(recipe, pages),
    ...Object.entries(navigation).flatMap(([key, items]) => [
      ...menuFaults(key, items, slugs),
      ...parameterFaults(key, items, declaredPages.declared),
    ]),
    ...declaredRedirects.faults,
    ...validateLinks(recipe, { pages: declaredPages.declared, redirects: declaredRedirects.declared }),
  ]
}

const menuFaults = (key: string, items: readonly MenuItem[], slugs: ReadonlySet<string>): RecipeDiagnostic[] => [
  ...validateMenu(items, slugs).map(({ path, detail }) => ({
    path: ['navigation', key, ...path],
    message: inEnglish(detail),
  })),
  ...[...walkItems(items)]
    .filter(({ item }) => item.page !== undefined && item.path !== undefined)
    .map(({ path }) => ({
      path: ['navigation', key, ...path, 'path'],
      message: 'is not allowed beside page, which has the path',
    })),
]

/** A link needs values for the parameters of the path. */
const parameterFaults = (key: string, items: readonly MenuItem[], pages: readonly DeclaredPage[]): RecipeDiagnostic[] =>
  [...walkItems(items)].flatMap(({ item, path }) => {
    const page = pages.find(page => page.slug === item.page && page.path.includes('/:'))
    return page === undefined
      ? []
      : [
          {
            code: 'page_with_parameters',
            path: ['navigation', key, ...path, 'page'],
            message: `The page "${page.slug}" has parameters in its path ${page.path}, so a menu can't link to it`,
            hint: 'Link to a page without parameters, or set path to one address such as /courses/first',
          },
        ]
  })
