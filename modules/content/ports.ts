/** What content gives, tells and does later: types alone. */
import type { Content } from './services/content-services.ts'
import type { RedirectStatus } from './domain/redirect-rules.ts'

export interface PageNotice {
  pageId: string
  slug: string
  path: string
  locale: string
  version: number
}
export interface RedirectNotice {
  redirectId: string
  from: string
  to: string | null
  status: RedirectStatus
}

declare module 'larder/kernel' {
  interface Ports {
    /** The services behind content's own routes. */
    content: Content
  }
  interface Events {
    'content.page.created': PageNotice
    'content.page.updated': PageNotice
    'content.page.published': PageNotice
    'content.page.unpublished': PageNotice
    'content.page.deleted': PageNotice
    'content.navigation.updated': { key: string }
    'content.redirect.created': RedirectNotice
    'content.redirect.updated': RedirectNotice
    'content.redirect.deleted': RedirectNotice
  }
  interface Jobs {
    /** The time of a scheduled page has come. */
    'content.publish': { pageId: string }
  }
}
