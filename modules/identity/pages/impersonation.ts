/** Ends an impersonation from the banner of every page. */
import { type Deps, page } from '@larder-dev/larder/kernel'
import { safeReturnPath } from '../domain/return-path.ts'
import { ownCookieIn } from '../routes/impersonation.ts'
import { createLoginCookies } from '../services/sign-in/login-cookies.ts'

export function impersonationPages({ identity, product }: Deps<'identity' | 'product'>) {
  const { impersonations, settings } = identity
  const cookies = createLoginCookies(product, settings)
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
