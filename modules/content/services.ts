/** Private services of content. */
import type { ServicesOf } from '@larder-dev/larder/kernel'
import { createRecipeContent } from './recipe/recipe-content.ts'
import { createMarkdownRenderer } from './services/markdown-renderer.ts'
import { createMenuService } from './services/menu-service.ts'
import { createPageListing } from './services/page-listing.ts'
import { createPageService } from './services/page-service.ts'
import { createPublishingService } from './services/publishing-service.ts'
import { createRedirectService } from './services/redirect-service.ts'
import { createReservedPaths } from './services/reserved-paths.ts'
import { createSite } from './services/site.ts'
import { createSiteCache } from './services/site-cache.ts'
import { createVersionService } from './services/version-service.ts'

export const services = {
  markdown: createMarkdownRenderer,
  menus: createMenuService,
  pageListing: createPageListing,
  pages: createPageService,
  publicSite: createSite,
  publishing: createPublishingService,
  recipeContent: createRecipeContent,
  redirects: createRedirectService,
  reservedPaths: createReservedPaths,
  siteCache: createSiteCache,
  versions: createVersionService,
}
export type ContentServices = ServicesOf<typeof services>
