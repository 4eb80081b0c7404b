/** Asks before a sign-in replaces the login of another person in the same browser. */
import { page } from '@larder-dev/larder/kernel'
import { mailLinkLimits } from '../domain/rate-limits.ts'
import { safeReturnPath } from '../domain/return-path.ts'
import { loginOfCookie } from '../routes/signed-in.ts'
import type { IdentityServices } from '../services.ts'
import { afterSignIn } from './details.ts'

export const SWITCH_PATH = '/sign-in/switch'
const HOME = '/'

export function switchPages({ cookies, devices, flows, logins, profiles, users }: IdentityServices) {
  return [
    page({
      name: 'identity.switch',
      path: SWITCH_PATH,
      title: 'Sign in as another person',
      allow: 'public',
      limits: mailLinkLimits,
      async load({ caller, request }) {
        const { held } = flows.read(request.headers) ?? {}
        if (!held) return { redirect: HOME }
        const current = caller && (await users.get(caller.userId))
        return { data: { login: held.loginId, email: held.email, current: current?.email ?? null } }
      },
      async post({ caller, form, request }) {
        const { held, next } = flows.read(request.headers) ?? {}
        if (!held) return { redirect: HOME }
        const { loginId, userId, email, cookie, tenantId } = held
        // Another sign-in has returned since the page was shown.
        if (form.login !== loginId) return { redirect: SWITCH_PATH }
        if (form.intent !== 'switch') {
          await logins.signOut(userId, loginId, { kind: 'login', id: loginId, userId })
          return { redirect: HOME, headers: { 'set-cookie': [flows.clear] } }
        }
        const previous = loginOfCookie(caller)
        if (previous !== undefined && previous !== loginId) await logins.endCookie(previous)
        const selected = tenantId === undefined ? cookies.noTenant : cookies.inTenant(tenantId)
        const set = cookies.signedIn(cookie, devices.remember(request.headers, email))['set-cookie']
        return {
          redirect: await afterSignIn(profiles, email, safeReturnPath(next)),
          headers: { 'set-cookie': [...set, ...selected['set-cookie'], flows.clear] },
        }
      },
    }),
  ]
}
