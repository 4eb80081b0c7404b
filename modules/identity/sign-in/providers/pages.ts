/** Adds an account at a provider to the account that the person has signed in to. */
import { type Caller, page } from '@larder-dev/larder/kernel'
import { signInMethodLimits } from '../../domain/rate-limits.ts'
import { RECENT_AUTH } from '../../domain/recent-proof.ts'
import { safeReturnPath } from '../../domain/return-path.ts'
import { NO_ERRORS, submit } from '../../pages/form.ts'
import type { SignInServices } from '../services.ts'
import type { SignInFlow } from '../sign-in-flows.ts'
import { SSO } from '../sign-in-methods.ts'
import type { ProvedSsoPerson } from '../sso/sso-accounts.ts'

const METHODS = '/account/sign-in-methods'

const isSsoPerson = (person: NonNullable<SignInFlow['person']>): person is ProvedSsoPerson =>
  person.method === SSO && person.tenantId !== undefined && person.email !== undefined

export function connectPages({ flows, providerAccounts, signIn, ssoAccounts, users }: SignInServices) {
  const view = async (userId: string, { method, person }: SignInFlow) => ({
    label: signIn.methods().find(({ name }) => name === method)?.label ?? method,
    provided: person?.email ?? null,
    email: (await users.get(userId)).email,
  })

  /** Returns where to go on. Single sign-on itself makes the person a member, with the roles of their groups. */
  async function link(caller: Caller, person: NonNullable<SignInFlow['person']>, next: string): Promise<string> {
    if (!isSsoPerson(person)) {
      await providerAccounts.link(caller, person)
      return next
    }
    await ssoAccounts.link(caller, person)
    return `/sign-in/${SSO}?${new URLSearchParams({ email: person.email, next })}`
  }

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
            const redirect = await link(caller, person, safeReturnPath(next))
            return { redirect, headers }
          },
        )
      },
    }),
  ]
}
