/** Adds an account at a provider to the account that the person has signed in to. */
import { page } from '@larder-dev/larder/kernel'
import { signInMethodLimits } from '../domain/rate-limits.ts'
import { RECENT_AUTH } from '../domain/recent-proof.ts'
import { safeReturnPath } from '../domain/return-path.ts'
import type { SignInFlow } from '../services/sign-in/sign-in-flows.ts'
import type { IdentityServices } from '../services.ts'
import { NO_ERRORS, submit } from './form.ts'

const METHODS = '/account/sign-in-methods'

export function connectPages({ flows, providerAccounts, signIn, users }: IdentityServices) {
  const view = async (userId: string, { method, person }: SignInFlow) => ({
    label: signIn.links().find(({ name }) => name === method)?.label ?? method,
    provided: person?.email ?? null,
    email: (await users.get(userId)).email,
  })

  return [
    page({
      name: 'identity.connect',
      path: '/sign-in/connect',
      title: 'Connect an account',
      allow: 'user',
      limits: signInMethodLimits,
      recentAuth: { within: RECENT_AUTH, forms: ({ intent }) => intent !== 'skip' },
      async load({ caller, request }) {
        const flow = flows.read(request.headers)
        if (!flow?.person) return { redirect: METHODS }
        return { data: { ...(await view(caller.userId, flow)), ...NO_ERRORS } }
      },
      async post({ caller, form, request }) {
        const flow = flows.read(request.headers)
        const { person, next } = flow ?? {}
        if (!flow || !person) return { redirect: METHODS }
        const headers = { 'set-cookie': [flows.clear] }
        if (form.intent === 'skip') return { redirect: safeReturnPath(next), headers }
        return submit(
          () => view(caller.userId, flow),
          async () => {
            await providerAccounts.link(caller, person)
            return { redirect: safeReturnPath(next), headers }
          },
        )
      },
    }),
  ]
}
