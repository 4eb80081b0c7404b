/** What others are told when content changes. */
import type { Deps } from 'larder/kernel'
import type { PageNotice, RedirectNotice } from '../ports.ts'
import type { Redirect } from '../schemas.ts'
import type { PageRow } from './page-rows.ts'

/** Message on this channel: `{ tenantId }`, whose site looks different now. */
export const CHANGED = 'content.changed'

export const noticeOf = ({ id, slug, path, locale, version }: PageRow): PageNotice => ({
  pageId: id,
  slug,
  path,
  locale,
  version,
})
export const redirectNotice = ({
  id,
  from,
  to,
  status,
}: Omit<Redirect, 'createdAt' | 'updatedAt'>): RedirectNotice => ({
  redirectId: id,
  from,
  to,
  status,
})

export type Changed = (tenantId: string) => void

export function createChanged({ bus, database }: Deps<'bus' | 'database'>): Changed {
  return tenantId => database.afterCommit(() => bus.publish(CHANGED, { tenantId }))
}
