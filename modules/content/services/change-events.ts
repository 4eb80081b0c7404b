/** Payloads of the events that report changed content. */
import type { PageRow } from '../records/page.ts'
import type { Redirect } from '../records/redirect.ts'

export const pagePayload = ({ id, slug, path, locale, version }: PageRow) => ({
  pageId: id,
  slug,
  path,
  locale,
  version,
})

export const redirectPayload = ({ id, from, to, status }: Pick<Redirect, 'id' | 'from' | 'to' | 'status'>) => ({
  redirectId: id,
  from,
  to,
  status,
})
