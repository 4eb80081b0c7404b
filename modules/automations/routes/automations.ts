import { common, consoleLocale, type Deps, listQuery, route } from '@larder-dev/larder/kernel'
import { AutomationDetails, AutomationList } from '../records/automation.ts'
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
  route({
    method: 'get',
    path: '/automations/:key',
    operationId: 'getAutomation',
    allow: 'automations.run.read',
    summary: 'Returns an automation of the recipe with its steps.',
    replies: { 200: AutomationDetails },
    problems: [common.not_found],
    handle: ({ params, request }) => automationList.get(params.key, consoleLocale(request, product)),
  }),
]
