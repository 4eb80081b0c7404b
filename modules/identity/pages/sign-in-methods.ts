/** The user's own ways to sign in. */
import { type Caller, page, Type } from '@larder-dev/larder/kernel'
import { WayLabel } from '../domain/fields.ts'
import { signInMethodLimits } from '../domain/rate-limits.ts'
import type { IdentityServices } from '../services.ts'
import { ACCOUNT_TABS } from './account-tabs.ts'
import { formValidator, submit } from './form.ts'

export function signInMethodPages({ identities, settings }: IdentityServices) {
  const labelForm = formValidator<{ label: string }>(Type.Object({ label: WayLabel }))
  const view = async (caller: Caller, done: string) => {
    const ways = await identities.list(caller.userId)
    const hasPassword = ways.some(({ method }) => method === 'password')
    return {
      tabs: ACCOUNT_TABS,
      ways: ways.map(way => ({ ...way, isPassword: way.method === 'password', isPasskey: way.method === 'passkey' })),
      addPassword: settings.passwords && !hasPassword,
      addPasskey: settings.passkeys && !caller.mustVerifyEmail,
      done,
    }
  }

  return [
    page({
      name: 'identity.sign_in_methods',
      path: '/account/sign-in-methods',
      title: 'Ways to sign in',
      allow: 'user',
      limits: signInMethodLimits,
      load: async ({ caller, query }) => ({ data: { ...(await view(caller, query.done ?? '')), error: null } }),
      post: ({ caller, form }) =>
        submit(
          () => view(caller, ''),
          async () => {
            if (form.intent === 'rename') {
              await identities.rename(caller.userId, form.id ?? '', labelForm(form, ['label']).label)
              return { redirect: '/account/sign-in-methods?done=renamed' }
            }
            await identities.remove(caller, form.id ?? '')
            return { redirect: '/account/sign-in-methods?done=removed' }
          },
        ),
    }),
  ]
}
