/** The public site: the operator's published pages, and its redirects. */
import { html, type RecipeView, type Site, type SiteAnswer } from '@larder-dev/larder/kernel'
import { pickTranslation } from '@larder-dev/larder/kernel/internal'
import { canonicalPath, matchPattern } from '../domain/paths.ts'
import { type ContentOptions, DEFAULT_TEMPLATE, templatesOf } from '../options.ts'
import { problems } from '../problems.ts'
import type { Sections } from '../recipe/sections.ts'
import type { Seo } from '../records/page.ts'
import { LANDING } from '../records/page-section.ts'
import { promiseOf, showSections } from './landing-sections.ts'
import type { RedirectService } from './redirect-service.ts'
import { createSiteMenus, type SiteMenusDeps } from './site-menus.ts'

interface PublishedPage {
  readonly locale: string
  readonly title: string
  readonly html: string
  readonly template: string
  readonly seo: Seo
  readonly slug: string
  readonly managedBy: string | null
}
export type PublicSite = Site

type SiteDeps = SiteMenusDeps & {
  readonly redirects: RedirectService
}

export function createSite(deps: SiteDeps, options: ContentOptions, recipe: RecipeView<Sections>): PublicSite {
  const { database, product, operator, redirects, siteCache } = deps
  const { tenantId } = operator
  const templates = templatesOf(options)

  const pagesAt = (path: string) =>
    siteCache.get(`page ${path}`, async () => {
      const { rows } = await database.tenant(tenantId).query<PublishedPage>(
        `select p.locale, p.slug, p.managed_by as "managedBy", v.title, v.html, v.template, v.seo from content_pages p
         join content_versions v on v.page_id = p.id and v.number = p.published_version where p.path = $1`,
        [path],
      )
      return rows.map(row => {
        // A newer process may have added the template, or a recipe may have dropped it.
        const template = templates.includes(row.template) ? row.template : DEFAULT_TEMPLATE
        const answer = toAnswer({ ...row, template }, path)
        const isOfRecipe = row.managedBy === 'recipe' && template === LANDING
        const sections = isOfRecipe ? recipe.sections.pages?.[row.slug]?.sections : undefined
        if (!sections?.length) return answer
        const data = { heading: row.title, body: row.html.trim() === '' ? null : html(row.html) }
        const promise = promiseOf(sections, row.locale, product.locales.default)
        const description = row.seo.description ?? promise ?? answer.description
        return {
          ...answer,
          ...(description !== undefined && { description }),
          ...showSections(data, sections, row.locale, product.locales.default),
        }
      })
    })
  /** Paths with parameters: `/courses/:slug`. */
  const patterns = () =>
    siteCache.get('patterns', async () => {
      const { rows } = await database
        .tenant(tenantId)
        .query<{ path: string }>(
          `select distinct path from content_pages where published_version is not null and path like '%/:%' order by path`,
        )
      return rows.map(({ path }) => path)
    })
  async function findPattern(path: string, locale: string) {
    for (const pattern of await patterns()) {
      const params = matchPattern(pattern, path)
      const page = params && pickTranslation(await pagesAt(pattern), locale, product.locales.default)
      if (!page) continue
      const { cacheable: _, ...answer } = page
      return { ...answer, path, params }
    }
    return undefined
  }
  const redirectIndex = () => siteCache.get('redirects', () => redirects.index(tenantId))

  return {
    layoutData: createSiteMenus(deps).layoutData,
    async find(visit) {
      const path = canonicalPath(visit.path)
      if (path === undefined) return null
      const page = pickTranslation(await pagesAt(path), visit.locale, product.locales.default)
      if (page) return path === visit.path ? page : canonical(path, visit.search)
      const match = (await redirectIndex()).find(path)
      if (!match) {
        const found = await findPattern(path, visit.locale)
        return found && path !== visit.path ? canonical(path, visit.search) : (found ?? null)
      }
      const { to, rule } = match
      if (to === null || rule.status === 410) throw problems.page_gone()
      return { redirect: withSearch(to, visit.search), status: rule.status }
    },
  }
}

/** Cached, so that the rendered page is cached with it. */
function toAnswer({ title, template, seo, locale, html: body }: PublishedPage, path: string) {
  const description = seo.description ?? firstSentences(body)
  return {
    name: `content.${template}`,
    title: seo.title ?? title,
    ...(description !== undefined && { description }),
    locale,
    path,
    cacheable: true,
    data: { heading: /<h1[ >]/.test(body) ? null : title, body: html(body), sections: [] },
    headers: { ...(seo.noindex && { 'x-robots-tag': 'noindex' }) },
  } as const satisfies SiteAnswer
}

/** Characters of a description that search engines show. */
const DESCRIPTION_LENGTH = 160
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** The text of the first paragraph, up to the word at which search engines cut it. Undefined without one. */
function firstSentences(body: string): string | undefined {
  const [, paragraph = ''] = /<p>([\s\S]*?)<\/p>/.exec(body) ?? []
  const text = paragraph
    .replace(/<[^>]*>/g, '')
    .replace(/&(#39|\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
  if (text.length <= DESCRIPTION_LENGTH) return text || undefined
  return `${text.slice(0, DESCRIPTION_LENGTH).replace(/\s+\S*$/, '')} …`
}

/** Search engines would count `/about`, `/about/` and `//about` as three pages. */
const canonical = (path: string, search: string): SiteAnswer => ({ redirect: withSearch(path, search), status: 301 })

/** Keeps the visitor's query, unless the rule has one. */
function withSearch(to: string, search: string): string {
  if (search === '' || to.includes('?')) return to
  const [address, fragment] = to.split('#', 2)
  return `${address}?${search}${fragment === undefined ? '' : `#${fragment}`}`
}
