/** Single sign-on: the address of a person decides which provider they continue at. */
import { page } from '@larder-dev/larder/kernel'
import { domainOf } from '../../../domain/email-domains.ts'
import { signInAddressLimit } from '../../../domain/rate-limits.ts'
import { safeReturnPath } from '../../../domain/return-path.ts'
import type { SignInServices } from '../../services.ts'
import { ADDRESS_PAGE } from '../sso-method.ts'

const UNKNOWN = "Single sign-on isn't set up for this address. Check it or use another method."
const WRONG = 'Enter an email address.'
const AGAIN = { again: '1' }

export function ssoSignInPages({ settings }: SignInServices) {
  if (!settings.enterprise) return []
  return [
    page({
      name: 'identity.single_sign_on',
      path: ADDRESS_PAGE,
      title: 'Single sign-on',
      allow: 'public',
      limits: [signInAddressLimit],
      async load({ caller, query }) {
        const next = safeReturnPath(query.next)
        const again = query.again !== undefined
        // A person who signs in again proves who they are.
        if (caller && !again) return { redirect: next }
        const { email = '', unknown } = query
        return { data: { next, email, again, error: unknown === undefined ? null : UNKNOWN } }
      },
      async post({ form }) {
        const { email = '' } = form
        const next = safeReturnPath(form.next)
        const again = form.again !== undefined
        if (domainOf(email) === undefined) return { status: 422, data: { next, email, again, error: WRONG } }
        return { redirect: `${ADDRESS_PAGE}/continue?${new URLSearchParams({ email, next, ...(again && AGAIN) })}` }
      },
    }),
    page({
      name: 'identity.single_sign_on_continue',
      path: `${ADDRESS_PAGE}/continue`,
      title: 'Single sign-on',
      allow: 'public',
      // The browser leaves this site from here: it doesn't let a form do so.
      async load({ query }) {
        const { email = '' } = query
        const again = query.again !== undefined && AGAIN
        const href = `/sign-in/sso?${new URLSearchParams({ email, next: safeReturnPath(query.next), ...again })}`
        return { data: { href }, headers: { refresh: `0; url=${href}` } }
      },
    }),
  ]
}
