import { consoleLocale, type Deps, listQuery, route } from '@larder-dev/larder/kernel'
import { AutomationList } from '../records/automation.ts'
import type { AutomationServices } from '../services.ts'

export const automationRoutes = ({
  product,
  automationList,
}: Deps<'product'> & Pick<AutomationServices, 'automationList'>) => [
  route({
    method: 'get',
    path: '/automations',
    operationId: 'listAutomations',
    allow: 'automations.run.read',
    summary: 'Lists the automations of the recipe with the results of their last runs, by name.',
    query: listQuery(),
    replies: { 200: AutomationList },
    handle: ({ query, request }) => automationList.list(query, consoleLocale(request, product)),
  }),
]
