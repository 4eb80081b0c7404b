/** Wires the services of the content module. */
import type { Deps } from '@larder-dev/larder/kernel'
import type { ContentOptions } from '../options.ts'
import { createMarkdownRenderer, type MarkdownRenderer } from './markdown-renderer.ts'
import { createMenuService, type MenuService } from './menu-service.ts'
import { createPageListing, type PageListing } from './page-listing.ts'
import { createPageService, type PageService } from './page-service.ts'
import { createPublishingService, type PublishingService } from './publishing-service.ts'
import { createRedirectService, type RedirectService } from './redirect-service.ts'
import { createReservedPaths, type ReservedPaths } from './reserved-paths.ts'
import { createSite, type PublicSite } from './site.ts'
import { createSiteCache, type SiteCache } from './site-cache.ts'
import { createVersionService, type VersionService } from './version-service.ts'

export interface ContentServices {
  readonly cache: SiteCache
  readonly listing: PageListing
  readonly markdown: MarkdownRenderer
  readonly menus: MenuService
  readonly pages: PageService
  readonly publishing: PublishingService
  readonly redirects: RedirectService
  readonly reservedPaths: ReservedPaths
  readonly site: PublicSite
  readonly versions: VersionService
}

type Needs =
  | 'database'
  | 'clock'
  | 'events'
  | 'jobs'
  | 'caches'
  | 'product'
  | 'operator'
  | 'inspector'
  | 'log'
  | 'workerPool'

export function createContentServices(deps: Deps<Needs, 'entitlements'>, options: ContentOptions): ContentServices {
  const cache = createSiteCache(deps)
  const markdown = createMarkdownRenderer(deps.workerPool)
  const versions = createVersionService(deps, options)
  const publishing = createPublishingService(deps, cache)
  const redirects = createRedirectService(deps, options, cache)
  const reservedPaths = createReservedPaths(deps)
  const menus = createMenuService(deps, cache)
  return {
    cache,
    listing: createPageListing(deps),
    markdown,
    menus,
    pages: createPageService(deps, options, { markdown, versions, publishing, redirects, reservedPaths, cache }),
    publishing,
    redirects,
    reservedPaths,
    site: createSite(deps, { redirects, menus, cache }),
    versions,
  }
}
