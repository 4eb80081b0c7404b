/** The first step of the module. */
import { type Deps, defineTexts, type Registrations } from '@larder-dev/larder/kernel'
import type { ContentServices } from '../services.ts'

const TITLES = defineTexts({ page: 'Write your first page' })

/** Pages are written in the console. */
export const checklistSteps = ({
  versions,
  inspector,
}: Deps<'inspector'> & Pick<ContentServices, 'versions'>): Registrations['checklist'] =>
  inspector.modules().some(({ name }) => name === 'console')
    ? [
        {
          title: TITLES.page,
          path: '/console/content/pages/new',
          permission: 'content.page.create',
          isDone: ({ tenantId }) => versions.hasAuthor(tenantId),
        },
      ]
    : []
