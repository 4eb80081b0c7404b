/** Events, jobs and channels of content: types only. */
import type { PayloadsOf } from '@larder-dev/larder/kernel'
import type { events } from './events.ts'

declare module '@larder-dev/larder/kernel' {
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
