/** What automations can do with pages. */
import { action, Type } from '@larder-dev/larder/kernel'
import type { PageRow } from './records/page.ts'
import type { ContentServices } from './services.ts'

type Needs = Pick<ContentServices, 'publishing'>
const input = Type.Object(
  { page: Type.String({ maxLength: 64, description: 'ID of the page', examples: ['$event.payload.pageId'] }) },
  { additionalProperties: false },
)
const output = Type.Object({
  pageId: Type.String(),
  publishedVersion: Type.Union([Type.Integer(), Type.Null()]),
})
const outputOf = ({ id, publishedVersion }: PageRow) => ({ pageId: id, publishedVersion })

export const actions = {
  publish: action({
    title: { en: 'Publish a page', de: 'Seite veröffentlichen' },
    description: {
      en: 'Publishes the draft of a page; does nothing if it is published',
      de: 'Veröffentlicht den Entwurf einer Seite; tut nichts, wenn er veröffentlicht ist',
    },
    input,
    output,
    effects: 'database',
    check: () => ({ events: ['content.page.published'] }),
    run: async ({ publishing }: Needs, { page }, { tenantId }) =>
      outputOf((await publishing.publish(tenantId, page, {})).page),
  }),

  unpublish: action({
    title: { en: 'Unpublish a page', de: 'Seite zurückziehen' },
    description: {
      en: 'Takes a page off the site; its versions stay',
      de: 'Nimmt eine Seite von der Website; ihre Versionen bleiben',
    },
    input,
    output,
    effects: 'database',
    check: () => ({ events: ['content.page.unpublished'] }),
    run: async ({ publishing }: Needs, { page }, { tenantId }) =>
      outputOf((await publishing.unpublish(tenantId, page, {})).page),
  }),
}
