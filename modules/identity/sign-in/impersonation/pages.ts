/** Ends an impersonation from the banner of every page. */
import { page } from '@larder-dev/larder/kernel'
import { ownCookieIn } from '../../domain/cookies.ts'
import { safeReturnPath } from '../../domain/return-path.ts'
import type { SignInServices } from '../services.ts'

export function impersonationPages({ impersonations, cookies }: SignInServices) {
  const end = page({
    name: 'identity.sign_out',
    path: '/impersonation/end',
    title: 'End',
    allow: ['user', 'public'],
    load: async () => ({ redirect: '/' }),
    async post({ caller, form, request }) {
      if (caller && caller.impersonatedBy === undefined) return { redirect: '/' }
      if (caller) await impersonations.end(caller)
      return {
        redirect: safeReturnPath(form.next),
        headers: cookies.impersonationEnded(ownCookieIn(request.headers.cookie)),
      }
    },
  })
  return [end]
}
