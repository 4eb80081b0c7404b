/** Warns of pages, menu items and redirects of a recipe that don't work together with each other or with other modules. */
import { didYouMean, type RecipeDiagnostic, type ValidatedRecipe } from '@larder-dev/larder/kernel'
import { permissionHint } from '@larder-dev/larder/kernel/internal'
import { walkItems } from '../domain/menu.ts'
import { canonicalPath, patternMatcher } from '../domain/paths.ts'
import { indexRedirects, type RedirectRule } from '../domain/redirect-rules.ts'
import { SYSTEM_PATHS } from '../services/reserved-paths.ts'
import type { DeclaredPage } from './declarations.ts'
import { targetsOf } from './page-sections.ts'
import type { Sections } from './sections.ts'

type Recipe = Pick<ValidatedRecipe<unknown, Sections>, 'sections' | 'modules' | 'complete' | 'pages'>
interface Links {
  readonly pages: readonly DeclaredPage[]
  readonly redirects: readonly RedirectRule[]
}

export function validateLinks(recipe: Recipe, links: Links): RecipeDiagnostic[] {
  return [
    ...hiddenPages(recipe, links),
    ...unusedRedirects(recipe, links),
    ...menuFaults(recipe, links),
    ...sectionLinks(recipe, links),
  ]
}

/** A path that a module serves takes precedence over a page. */
function hiddenPages(recipe: Recipe, { pages }: Links): RecipeDiagnostic[] {
  const slugs = new Map(pages.map(({ slug, path }) => [slug, path]))
  return [...slugs].flatMap(([slug, path]) => {
    const owner = ownerOf(recipe, path)
    return owner === undefined
      ? []
      : [
          {
            severity: 'warning',
            code: 'path_taken',
            path: ['pages', slug, ...(recipe.sections.pages?.[slug]?.path === undefined ? [] : ['path'])],
            at: recipe.sections.pages?.[slug]?.path === undefined ? 'key' : 'value',
            message: `${owner} already serves ${path}, so this page is never shown`,
            hint: 'Choose another path',
          },
        ]
  })
}

/** A page takes precedence over a redirect. */
function unusedRedirects(recipe: Recipe, { pages }: Links): RecipeDiagnostic[] {
  return (recipe.sections.redirects ?? []).flatMap(({ from }, index) => {
    const path = canonicalPath(from)
    const page = pages.find(page => page.path === path && page.published)
    const owner = page ? `page "${page.slug}"` : path && ownerOf(recipe, path)
    return owner
      ? [
          {
            severity: 'warning',
            code: 'path_taken',
            path: ['redirects', index, 'from'],
            message: `${owner} is served at ${from}, so this redirect never applies`,
            hint: 'Remove the redirect, or choose another path',
          },
        ]
      : []
  })
}

function menuFaults(recipe: Recipe, links: Links): RecipeDiagnostic[] {
  const permissions = recipe.modules.flatMap(({ module }) => Object.keys(module.permissions ?? {}))
  return Object.entries(recipe.sections.navigation ?? {}).flatMap(([key, items]) =>
    [...walkItems(items)].flatMap(({ item, path }): RecipeDiagnostic[] => {
      const field = (name: string) => ['navigation', key, ...path, name]
      const { permission, page, path: target } = item
      return [
        ...(permission !== undefined && recipe.complete && !permissions.includes(permission)
          ? [
              {
                code: 'unknown_permission',
                path: field('permission'),
                message: `Unknown permission "${permission}"`,
                hint: permissionHint(permission, permissions) ?? 'larder modules --json lists all permissions',
              },
            ]
          : []),
        ...(target !== undefined && page === undefined ? deadLink(recipe, links, target, field('path')) : []),
      ]
    }),
  )
}

const sectionLinks = (recipe: Recipe, links: Links): RecipeDiagnostic[] =>
  targetsOf(recipe.sections.pages ?? {}).flatMap(({ target, path }) => deadLink(recipe, links, target, path))

function deadLink(recipe: Recipe, links: Links, target: string, path: RecipeDiagnostic['path']): RecipeDiagnostic[] {
  if (isServed(recipe, links, target)) return []
  const hint = didYouMean(target, knownPaths(recipe, links)) ?? 'Add a page or a redirect with this path'
  return [{ severity: 'warning', code: 'unknown_path', path, message: `Nothing is served at ${target}`, hint }]
}

/** Returns true for URLs, and if a module may serve paths that it doesn't declare. */
function isServed(recipe: Recipe, { pages, redirects }: Links, target: string): boolean {
  const path = target.startsWith('/') ? canonicalPath(target.replace(/[?#].*$/, '')) : undefined
  if (path === undefined || path === '/' || /^\/(v1|assets)(\/|$)/.test(path)) return true
  const mountsPaths = recipe.modules.some(({ module }) => 'express' in module)
  if (!recipe.complete || mountsPaths || !recipe.pages().complete) return true
  return (
    pages.some(page => page.path === path) ||
    indexRedirects(redirects).find(path) !== undefined ||
    ownerOf(recipe, path) !== undefined
  )
}

const knownPaths = (recipe: Recipe, { pages }: Links): string[] => [
  ...pages.map(({ path }) => path),
  ...SYSTEM_PATHS,
  ...recipe.pages().endpoints.map(({ path }) => path),
]

/** The module that serves the path; undefined if none does. */
function ownerOf(recipe: Recipe, path: string): string | undefined {
  const matches = patternMatcher(path)
  if (SYSTEM_PATHS.includes(path)) return 'Larder'
  const found = recipe.pages().endpoints.find(endpoint => endpoint.method === 'GET' && matches(endpoint.path))
  return found && `module "${found.module}"`
}
