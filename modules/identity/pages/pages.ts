import type { Deps, Site } from 'larder/kernel'
import { accountPages } from './account.ts'
import { linkPages } from './links.ts'
import { signInPages } from './sign-in.ts'
import { workspacePages } from './workspaces.ts'

export const pages = (deps: Deps<'identity' | 'product' | 'clock'>) => [
  ...signInPages(deps),
  ...accountPages(deps),
  ...workspacePages(deps),
  ...linkPages(deps),
]

/** What layouts ask for the way in: `site.account.open` says whether anybody may sign up. */
export function accountSite({ identity }: Deps<'identity'>): Site {
  const frame = { account: { open: identity.settings.open } }
  return { layoutData: async () => frame }
}
