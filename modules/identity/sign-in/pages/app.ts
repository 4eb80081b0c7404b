/** Hands a sign-in in the browser over to a native app. */
import { common, page, Type } from '@larder-dev/larder/kernel'
import { signInAddressLimit } from '../../domain/rate-limits.ts'
import { formValidator, NO_ERRORS, submit } from '../../pages/form.ts'
import { isDeclared } from '../domain/app-urls.ts'
import type { SignInServices } from '../services.ts'

interface AppRequest {
  readonly redirect_uri: string
  readonly code_challenge: string
  readonly state?: string
}
const NAMES = ['redirect_uri', 'code_challenge', 'state']

export function appPages({ appCodes, settings, users }: SignInServices) {
  if (settings.apps.length === 0) return []
  const validate = formValidator<AppRequest>(
    Type.Object({
      redirect_uri: Type.String({ maxLength: 500 }),
      code_challenge: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
      state: Type.Optional(Type.String({ maxLength: 500 })),
    }),
  )
  /** Never leads to a URL that the recipe doesn't declare. Throws `validation_failed` or `not_found`. */
  function read(fields: Readonly<Record<string, string>>): AppRequest {
    const request = validate(fields, NAMES)
    if (!isDeclared(settings.apps, request.redirect_uri)) throw common.not_found({ what: 'app' })
    return request
  }
  const empty = { redirect_uri: '', code_challenge: '', state: '', email: '', href: '' }

  return [
    page({
      name: 'identity.app',
      path: '/sign-in/app',
      title: 'Continue in the app',
      allow: 'user',
      limits: [signInAddressLimit],
      load: ({ caller, query }) =>
        submit(empty, async () => {
          const request = read(query)
          const { email } = await users.get(caller.userId)
          return { data: { ...empty, ...request, email, ...NO_ERRORS } }
        }),
      post: ({ caller, form }) =>
        submit(empty, async () => {
          const { redirect_uri: address, code_challenge: challenge, state } = read(form)
          const href = new URL(address)
          href.searchParams.set('code', await appCodes.issue(caller, challenge))
          if (state !== undefined) href.searchParams.set('state', state)
          // Browsers don't let a form lead to an app.
          const headers = { refresh: `0; url=${href.href}`, 'cache-control': 'no-store' }
          return { data: { ...empty, href: href.href, ...NO_ERRORS }, headers }
        }),
    }),
  ]
}
