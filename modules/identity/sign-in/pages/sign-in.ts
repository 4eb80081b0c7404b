/** Sign-in and sign-up pages. A browser gets a cookie and no token. */
import { common, type Deps, Problem, page, Type } from '@larder-dev/larder/kernel'
import { checkAll } from '../../domain/check-all.ts'
import { Email, KnownPassword, LinkToken, Name, NewPassword } from '../../domain/fields.ts'
import { loginLimits, registerLimits } from '../../domain/rate-limits.ts'
import { safeReturnPath } from '../../domain/return-path.ts'
import { errorsIn, formValidator, NO_ERRORS, submit } from '../../pages/form.ts'
import type { ProfileValues, RefusedForm } from '../../ports.ts'
import { failureSentence } from '../domain/sign-in-failures.ts'
import { passwordProblems } from '../password/problems.ts'
import { ChallengeSolution } from '../password/records.ts'
import type { NewAccount } from '../registration.ts'
import { orSecondFactor } from '../second-factor/domain/second-factor-redirect.ts'
import type { SignInServices } from '../services.ts'
import { SSO } from '../sign-in-methods.ts'

type Form = Readonly<Record<string, string>>

export function signInPages({
  devices,
  profiles,
  registration,
  settings,
  signIn,
  signInCompletion,
  product,
}: Deps<'product'> & SignInServices) {
  const signInForm = formValidator<{ email: string; password: string; challenge?: string }>(
    Type.Object({ email: Email, password: KnownPassword, challenge: Type.Optional(ChallengeSolution) }),
  )
  const signUpForm = formValidator<NewAccount>(
    Type.Object({
      email: Email,
      password: NewPassword(settings.minLength),
      name: Type.Optional(Name),
      invitation: Type.Optional(LinkToken),
    }),
  )

  const { passwords, emailLink, passkeys } = settings
  const legal = { terms: settings.terms ?? null, privacy: settings.privacy ?? null }
  const codePage = (next: string) => (emailLink ? `/sign-in/email-code?next=${encodeURIComponent(next)}` : null)
  const signInPath = (next: string) => (next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`)
  const signUpPath = (next: string) => (next === '/' ? '/sign-up' : `/sign-up?next=${encodeURIComponent(next)}`)
  /** `again`: whether the person proves again who they are. */
  const methodsFor = (next: string, again = false) =>
    signIn.links().map(({ name, label }) => ({
      name,
      label,
      href: `/sign-in/${name}?next=${encodeURIComponent(next)}${again ? '&again=1' : ''}`,
    }))
  const signInView = (next: string, email = '', again = false) => ({
    next,
    email,
    again,
    passwords,
    passkeys,
    codePage: codePage(next),
    methods: methodsFor(next, again),
    signUp: signUpPath(next),
    reset: false,
    failed: null,
    connect: null,
    connectsSso: false,
    challenge: null,
    sso: settings.enterprise !== undefined,
    ...legal,
  })
  /** People are asked for the fields that they must fill in. */
  const detailsOf = (locale: string, refused?: RefusedForm) =>
    profiles.userFields()?.form({}, locale, { refused, onlyNeeded: true }) ?? null
  const signUpView = (next: string, { email = '', name = '', invitation = '' }: Form, locale: string) => {
    const { minLength } = settings
    const ways = { passwords, codePage: codePage(next), methods: methodsFor(next), signIn: signInPath(next), ...legal }
    return { ...ways, next, email, name, invitation, minLength, details: detailsOf(locale) }
  }
  /** The registration checks the profile of a valid account. Otherwise, its mistakes are shown with those of the account. */
  async function accountIn(form: Form, profile: ProfileValues): Promise<NewAccount> {
    try {
      return signUpForm(form, ['email', 'password', 'name', 'invitation'])
    } catch (refused) {
      await checkAll(
        () => Promise.reject(refused),
        () => profiles.create(profile),
      )
      throw refused
    }
  }
  const labelOf = (failed: string | undefined) => signIn.methods().find(({ name }) => name === failed)?.label ?? null

  const signInPage = page({
    name: 'identity.sign_in',
    path: '/sign-in',
    title: 'Sign in',
    allow: 'public',
    limits: loginLimits(({ headers }, email) => devices.find(headers, email)),
    async load({ caller, query }) {
      const next = safeReturnPath(query.next)
      // A person who signs in again proves who they are.
      if (caller && query.again === undefined) return { redirect: next }
      const { email, reset, failed, reason, connect } = query
      const shown = {
        failed: labelOf(failed),
        failure: failureSentence(reason),
        connect: labelOf(connect),
        connectsSso: connect === SSO,
      }
      const data = {
        ...signInView(next, email, query.again !== undefined),
        ...shown,
        reset: reset === 'done',
        ...NO_ERRORS,
      }
      return { data }
    },
    async post({ form, caller, request }) {
      if (!passwords) throw common.not_found({ what: 'sign-in method' })
      const next = safeReturnPath(form.next)
      let challenge: string | null = null
      const shown = async () => ({ ...signInView(next, form.email, form.again !== undefined), challenge })
      const start = async () => {
        const body = signInForm(form, ['email', 'password', 'challenge'])
        const signedIn = await signIn.withPassword(request, body).catch(error => {
          challenge = challengeOf(error)
          throw error
        })
        return signInCompletion.leadOn(await signInCompletion.finish(signedIn, request, { token: false, caller }), next)
      }
      const result = await submit(shown, () => orSecondFactor(next, start))
      // The page itself says what the browser has to do.
      const isChallenge =
        challenge !== null && 'status' in result && result.status === passwordProblems.challenge_required.status
      return isChallenge && 'data' in result ? { ...result, data: { ...result.data, error: null } } : result
    },
  })

  const signUpPage = page({
    name: 'identity.sign_up',
    path: '/sign-up',
    title: 'Create account',
    allow: 'public',
    limits: registerLimits,
    async load({ caller, query, locale }) {
      const next = safeReturnPath(query.next)
      const { email = '', invitation = '' } = query
      // An invitation may be for another person than the one who is signed in.
      if (caller && invitation === '') return { redirect: next }
      return { data: { ...signUpView(next, { email, invitation }, locale), ...NO_ERRORS } }
    },
    async post({ form, request, locale }) {
      if (!passwords) throw common.not_found({ what: 'sign-in method' })
      const next = safeReturnPath(form.next)
      const shown = async (refused: Problem) => ({
        ...signUpView(next, form, locale),
        details: detailsOf(locale, { input: form, errors: errorsIn(refused) }),
      })
      return submit(shown, async () => {
        const profile = profiles.userFields()?.valuesOf(form, { onlyNeeded: true }) ?? {}
        const account = await accountIn(form, profile)
        const language = product.locales.available.length > 1 ? { locale } : {}
        const { login } = await registration.register({ ...account, ...language, profile }, request, {
          token: false,
          next,
        })
        return { redirect: next, headers: login.headers }
      })
    },
  })

  return passwords || emailLink || settings.providers.length > 0 ? [signInPage, signUpPage] : [signInPage]
}

/** The challenge of the next attempt, as JSON. */
const challengeOf = (error: unknown): string | null =>
  Problem.is(error) && error.extras.challenge !== undefined ? JSON.stringify(error.extras.challenge) : null
