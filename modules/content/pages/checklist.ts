/** The first step of the module. */
import { type Deps, defineTexts, type Registrations } from '@larder-dev/larder/kernel'
import type { ContentServices } from '../services.ts'

const TITLES = defineTexts({ page: 'Write your first page' })

/** Pages are written in the console. */
export const checklistSteps = ({
  pageListing,
  inspector,
}: Deps<'inspector'> & Pick<ContentServices, 'pageListing'>): Registrations['checklist'] =>
  inspector.modules().some(({ name }) => name === 'console')
    ? [
        {
          title: TITLES.page,
          path: '/console/content/pages/new',
          permission: 'content.page.create',
          isDone: async ({ tenantId }) => (await pageListing.list(tenantId, 'drafts', { limit: 1 })).data.length > 0,
        },
      ]
    : []
