import type { Deps, Site } from 'larder/kernel'

/** Layouts read `site.account.open` to decide whether to show a link to the sign-up page. */
export function accountSite({ identity }: Deps<'identity'>): Site {
  const frame = { account: { open: identity.settings.openRegistration } }
  return { frame: async () => frame }
}
