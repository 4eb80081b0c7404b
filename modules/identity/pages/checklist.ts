/** First steps of the module, and the form that hides them. */
import { type Deps, defineTexts, page } from '@larder-dev/larder/kernel'
import type { ChecklistStep } from '../ports.ts'
import { createLoginCookies } from '../services/sign-in/login-cookies.ts'

const TITLES = defineTexts({
  invite: 'Invite your team',
  key: 'Create an API key',
  request: 'Send your first API request',
})
/** Registration creates the owner's membership and one API key. */
const FIRST = 1

export const checklistSteps = ({ identity, inspector }: Deps<'identity' | 'inspector'>): readonly ChecklistStep[] => [
  {
    title: TITLES.invite,
    path: '/workspace/members',
    permission: 'identity.member.invite',
    async isDone({ tenantId }) {
      const [members, invitations] = await Promise.all([
        identity.members.list(tenantId, { limit: FIRST + 1 }),
        identity.invitations.list(tenantId, { limit: FIRST }),
      ])
      return members.data.length > FIRST || invitations.data.length > 0
    },
  },
  {
    title: TITLES.key,
    path: '/workspace/api-keys',
    permission: 'identity.api_key.create',
    isDone: async ({ tenantId }) => (await identity.apiKeys.list(tenantId, { limit: FIRST + 1 })).data.length > FIRST,
  },
  ...((inspector.recipe() as { docs?: boolean }).docs === false ? [] : [firstRequest(identity)]),
]

const firstRequest = ({ apiKeys }: Deps<'identity'>['identity']): ChecklistStep => ({
  title: TITLES.request,
  path: '/docs',
  permission: 'identity.api_key.create',
  isDone: async ({ tenantId }) => (await apiKeys.list(tenantId, {})).data.some(({ lastUsedAt }) => lastUsedAt !== null),
})

export function checklistPages({ identity, product }: Deps<'identity' | 'product'>) {
  const cookies = createLoginCookies(product, identity.settings)
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
