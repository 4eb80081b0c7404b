import { Nullable, Type } from 'larder/kernel'
import { REDIRECT_STATUSES, type RedirectStatus } from './domain/redirect-rules.ts'

const Page = Type.Object({
  pageId: Type.String(),
  slug: Type.String(),
  path: Type.String(),
  locale: Type.String(),
  version: Type.Integer(),
})
const Redirect = Type.Object({
  redirectId: Type.String(),
  from: Type.String(),
  to: Nullable(Type.String()),
  status: Type.Unsafe<RedirectStatus>({ type: 'integer', enum: [...REDIRECT_STATUSES] }),
})

export const events = {
  'content.page.created': Page,
  'content.page.updated': Page,
  'content.page.published': Page,
  'content.page.unpublished': Page,
  'content.page.deleted': Page,
  'content.navigation.updated': Type.Object({ key: Type.String() }),
  'content.redirect.created': Redirect,
  'content.redirect.updated': Redirect,
  'content.redirect.deleted': Redirect,
}
