import { common, consoleLocale, type Deps, listQuery, route, Type } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { Ask, AskList } from '../records/ask.ts'
import type { AutomationServices } from '../services.ts'

/** The people who have a role, and not its keys, answer its questions. */
const OF_PEOPLE = { allow: 'user', apiKeys: false } as const

export const askRoutes = ({
  product,
  asks,
  askReader,
}: Deps<'product'> & Pick<AutomationServices, 'asks' | 'askReader'>) => [
  route({
    ...OF_PEOPLE,
    method: 'get',
    path: '/automations/asks',
    operationId: 'listAutomationAsks',
    summary: "Lists open questions of automations to the caller's roles in the workspace, newest first.",
    query: listQuery(),
    replies: { 200: AskList },
    problems: [common.tenant_required],
    handle: ({ caller, tenantId, query, request }) =>
      askReader.list({ tenantId: inWorkspace(tenantId), roles: caller.roles }, query, consoleLocale(request, product)),
  }),
  route({
    ...OF_PEOPLE,
    method: 'get',
    path: '/automations/asks/:id',
    operationId: 'getAutomationAsk',
    summary: "Returns a question to one of the caller's roles.",
    replies: { 200: Ask },
    problems: [common.tenant_required],
    handle: ({ caller, tenantId, params, request }) =>
      askReader.get(
        { tenantId: inWorkspace(tenantId), roles: caller.roles },
        params.id,
        consoleLocale(request, product),
      ),
  }),
  route({
    ...OF_PEOPLE,
    method: 'post',
    path: '/automations/asks/:id/answer',
    operationId: 'answerAutomationAsk',
    impersonation: false,
    summary: 'Answers a question. The first answer decides.',
    body: Type.Object({ choice: Type.String({ minLength: 1, maxLength: 60 }) }, { examples: [{ choice: 'approve' }] }),
    replies: { 200: Ask },
    problems: [common.tenant_required, problems.already_answered, problems.unknown_choice, problems.not_asked],
    async handle({ caller, tenantId: given, params: { id }, body: { choice }, request }) {
      const tenantId = inWorkspace(given)
      const { userId, roles } = caller
      await asks.answer({ tenantId, askId: id, userId, roles, choice })
      return askReader.get({ tenantId, roles }, id, consoleLocale(request, product))
    },
  }),
]

function inWorkspace(tenantId: string | undefined): string {
  if (tenantId === undefined) throw common.tenant_required()
  return tenantId
}
