/** The port, events, jobs and channels of content: types only. */
import type { PayloadsOf } from '@larder-dev/larder/kernel'
import type { events } from './events.ts'

/** Renders Markdown of users to HTML that can't run scripts or style the page around it. */
export interface MarkdownHtml {
  /** Throws problem `body_too_costly` after 1 s or over 1 MiB of HTML. Don't call it inside a unit of work. */
  render(tenantId: string, text: string): Promise<string>
}

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    markdownHtml: MarkdownHtml
  }
  interface Events extends PayloadsOf<typeof events> {}
  interface Jobs {
    /** Publishes a scheduled page. */
    'content.publish': { pageId: string }
  }
  interface Channels {
    /** The tenant whose pages, menus or redirects changed. */
    'content.changed': { tenantId: string }
  }
}
