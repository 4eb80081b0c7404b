/** The first step of the module. */
import { type Deps, defineTexts, type Registrations } from '@larder-dev/larder/kernel'

const TITLES = defineTexts({ page: 'Write your first page' })

/** Pages are written in the console. */
export const checklistSteps = ({
  contentServices,
  inspector,
}: Deps<'contentServices' | 'inspector'>): Registrations['checklist'] =>
  inspector.modules().some(({ name }) => name === 'console')
    ? [
        {
          title: TITLES.page,
          path: '/console/content/pages/new',
          permission: 'content.page.create',
          isDone: async ({ tenantId }) =>
            (await contentServices.listing.list(tenantId, 'drafts', { limit: 1 })).data.length > 0,
        },
      ]
    : []
