/** What others are told when content changes. */
import type { Deps } from 'larder/kernel'
import type { PageNotice, RedirectNotice } from '../ports.ts'
import type { Redirect } from '../routes/page-schemas.ts'
import type { PageRow } from './page-repository.ts'

/** Message on this channel: `{ tenantId }`, whose site looks different now. */
export const CHANNEL = 'content.changed'

export const pagePayload = ({ id, slug, path, locale, version }: PageRow): PageNotice => ({
  pageId: id,
  slug,
  path,
  locale,
  version,
})
export const redirectPayload = ({
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
  return tenantId => database.afterCommit(() => bus.publish(CHANNEL, { tenantId }))
}
