import { named, publicEvent, Type } from '@larder-dev/larder/kernel'
import { address } from './records/page.ts'
import { redirectEventFields } from './records/redirect.ts'

const Page = named('PageEventData', Type.Object({ pageId: Type.String(), ...address, version: Type.Integer() }))
const Redirect = named('RedirectEventData', Type.Object({ redirectId: Type.String(), ...redirectEventFields }))

export const events = {
  'content.page.created': publicEvent('A page was created.', Page),
  'content.page.updated': publicEvent('The draft of a page was updated.', Page),
  'content.page.published': publicEvent('A version of a page was published.', Page),
  'content.page.unpublished': publicEvent('A page was unpublished.', Page),
  'content.page.deleted': publicEvent('A page was deleted.', Page),
  'content.navigation.updated': publicEvent('A menu was updated.', Type.Object({ key: Type.String() })),
  'content.redirect.created': publicEvent('A redirect was created.', Redirect),
  'content.redirect.updated': publicEvent('A redirect was updated.', Redirect),
  'content.redirect.deleted': publicEvent('A redirect was deleted.', Redirect),
}
