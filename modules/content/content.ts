/** The services of content, made once. */
import type { Deps } from 'larder/kernel'
import type { ContentOptions } from './options.ts'
import { createChanged } from './services/changes.ts'
import { createHidden } from './services/hidden.ts'
import { createNavigation } from './services/navigation.ts'
import { createPageRows } from './services/page-rows.ts'
import { createPages } from './services/pages.ts'
import { createPublishing } from './services/publishing.ts'
import { createRedirects } from './services/redirects.ts'
import { createSite } from './services/site.ts'
import { createVersions } from './services/versions.ts'

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
