/** First steps of the module, and the form that hides them. */
import { type Deps, defineTexts, page } from '@larder-dev/larder/kernel'
import type { ChecklistStep } from '../../ports.ts'
import type { AccountServices } from '../services.ts'

const TITLES = defineTexts({
  invite: 'Invite your team',
  key: 'Create an API key',
  request: 'Send your first API request',
})
/** The owner is a member. */
const FIRST = 1

export const checklistSteps = ({
  apiKeys,
  invitations,
  members,
  inspector,
}: Deps<'inspector'> & AccountServices): readonly ChecklistStep[] => [
  {
    title: TITLES.invite,
    path: '/workspace/members?invite=1',
    permission: 'identity.member.invite',
    async isDone({ tenantId }) {
      const [joined, invited] = await Promise.all([
        members.list(tenantId, { limit: FIRST + 1 }),
        invitations.list(tenantId, { limit: 1 }),
      ])
      return joined.data.length > FIRST || invited.data.length > 0
    },
  },
  {
    title: TITLES.key,
    path: '/workspace/api-keys',
    permission: 'identity.api_key.create',
    isDone: async ({ tenantId }) => (await apiKeys.list(tenantId, { limit: 1 })).data.length > 0,
  },
  ...((inspector.recipe() as { docs?: boolean }).docs === false ? [] : [firstRequest(apiKeys)]),
]

const firstRequest = (apiKeys: AccountServices['apiKeys']): ChecklistStep => ({
  title: TITLES.request,
  path: '/docs',
  permission: 'identity.api_key.create',
  isDone: async ({ tenantId }) => (await apiKeys.list(tenantId, {})).data.some(({ lastUsedAt }) => lastUsedAt !== null),
})

export function checklistPages({ cookies }: AccountServices) {
  return [
    page({
      name: 'identity.account',
      path: '/account/checklist',
      title: 'Your account',
      allow: 'user',
      load: async () => ({ redirect: '/' }),
      post: async () => ({ redirect: '/', headers: cookies.hiddenChecklist }),
    }),
  ]
}
