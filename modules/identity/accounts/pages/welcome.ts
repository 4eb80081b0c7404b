/** Where people arrive after they claimed the installation or joined a workspace, and after they deleted their account. */
import { type Deps, page } from '@larder-dev/larder/kernel'
import type { AccountServices } from '../services.ts'

export const WELCOME_PATH = '/welcome'
export const GOODBYE_PATH = '/account/deleted'
/** Steps that the page shows. */
const MAX_STEPS = 3

export function welcomePages({ accountMenu, checklist, operator }: Deps<'operator'> & AccountServices) {
  const welcome = page({
    name: 'identity.welcome',
    path: WELCOME_PATH,
    title: 'Welcome',
    allow: 'user',
    async load({ caller }) {
      const [menu, steps] = await Promise.all([
        accountMenu.read(caller.userId, caller.tenantId),
        checklist.read(caller),
      ])
      const workspace = menu?.workspaces.find(({ current }) => current)
      const next = steps.filter(({ done }) => !done).slice(0, MAX_STEPS)
      return {
        data: {
          name: menu?.user.name ?? '',
          workspace: workspace?.name ?? '',
          roles: workspace?.roles ?? [],
          isOperator: caller.tenantId === operator.tenantId && !caller.isCustomer,
          steps: next,
        },
      }
    },
  })

  const goodbye = page({
    name: 'identity.goodbye',
    path: GOODBYE_PATH,
    title: 'Your account is deleted',
    allow: 'public',
    load: async () => ({ data: {} }),
  })
  return [welcome, goodbye]
}
