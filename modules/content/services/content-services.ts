/** The services of content, made once. */
import type { Deps } from 'larder/kernel'
import type { ContentOptions } from '../options.ts'
import { createChanged } from './change-events.ts'
import { createHidden } from './reserved-paths.ts'
import { createNavigation } from './menu-service.ts'
import { createPageRows } from './page-repository.ts'
import { createPages } from './page-service.ts'
import { createPublishing } from './publishing-service.ts'
import { createRedirects } from './redirect-service.ts'
import { createSite } from './site.ts'
import { createVersions } from './version-service.ts'

export const NEEDS = ['database', 'clock', 'events', 'jobs', 'bus', 'product', 'operator', 'inspector', 'log'] as const
export type ContentNeeds = (typeof NEEDS)[number]

export function createContent(deps: Deps<ContentNeeds>, options: ContentOptions) {
  const changed = createChanged(deps)
  const rows = createPageRows(deps)
  const versions = createVersions(deps, options)
  const publishing = createPublishing(deps, changed)
  const redirects = createRedirects(deps, options, changed)
  const hidden = createHidden(deps)
  const navigation = createNavigation(deps, changed)
  const pages = createPages(deps, options, { versions, publishing, redirects, hidden, changed })
  const site = createSite(deps, options, { redirects, navigation })
  return { rows, versions, publishing, redirects, navigation, pages, hidden, site, changed }
}
export type Content = ReturnType<typeof createContent>
