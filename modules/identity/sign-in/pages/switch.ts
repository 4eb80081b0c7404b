/** Asks before a sign-in replaces the login of another person in the same browser. */
import { page } from '@larder-dev/larder/kernel'
import { mailLinkLimits } from '../../domain/rate-limits.ts'
import { SWITCH_PATH, safeReturnPath } from '../../domain/return-path.ts'
import type { SignInServices } from '../services.ts'

const HOME = '/'

export function switchPages({ flows, logins, signInCompletion, users }: SignInServices) {
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
        const { loginId, userId } = held
        // Another sign-in has returned since the page was shown.
        if (form.login !== loginId) return { redirect: SWITCH_PATH }
        if (form.intent !== 'switch') {
          await logins.signOut(userId, loginId, { kind: 'login', id: loginId, userId })
          return { redirect: HOME, headers: { 'set-cookie': [flows.clear] } }
        }
        const finished = await signInCompletion.resume(held, caller, request)
        const { redirect, headers } = await signInCompletion.leadOn(finished, safeReturnPath(next))
        return { redirect, headers: { 'set-cookie': [...headers['set-cookie'], flows.clear] } }
      },
    }),
  ]
}
