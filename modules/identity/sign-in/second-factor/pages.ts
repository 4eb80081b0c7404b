/** The second step of a sign-in, and the user's own second factor. */
import {
  type Caller,
  common,
  DAY,
  HOUR,
  html,
  Problem,
  page,
  type RequestFacts,
  Type,
  together,
} from '@larder-dev/larder/kernel'
import { actorOf } from '../../audit/audit-log.ts'
import { ownSecondFactorLimits, secondFactorLimits } from '../../domain/rate-limits.ts'
import { RECENT_AUTH } from '../../domain/recent-proof.ts'
import { SECOND_FACTOR_PATH, safeReturnPath } from '../../domain/return-path.ts'
import { accountTabs } from '../../pages/account-tabs.ts'
import { formValidator, NO_ERRORS, submit } from '../../pages/form.ts'
import { passkeyIn } from '../passkeys/pages/passkey-form.ts'
import type { SignInServices } from '../services.ts'
import { secondFactorProblems } from './problems.ts'
import { EnrollmentProof, FactorCode, type TotpEnrollment } from './records.ts'
import type { EnrollmentCode } from './second-factors.ts'

const SETTINGS_PATH = '/account/second-factor'
const NO_STORE = { 'cache-control': 'no-store' }

type Form = Readonly<Record<string, string>>

export const secondFactorPages = (deps: SignInServices) =>
  deps.settings.totp ? [signInPage(deps), settingsPage(deps)] : []

const codeForm = formValidator<{ code: string }>(Type.Object({ code: FactorCode }))
const enrollForm = formValidator<EnrollmentCode>(Type.Object(EnrollmentProof))

/** The QR code is an element of the page. */
const setupOf = (setup: TotpEnrollment | null) => ({ setup, qrCode: setup && html(setup.qrCode) })

/** In days, and below two in hours; never longer than it is. */
function shortTime(milliseconds: number): { readonly days: number; readonly hours: number } {
  const [days, hours] = [Math.floor(milliseconds / DAY), Math.floor(milliseconds / HOUR)]
  return days > 1 || milliseconds === DAY ? { days, hours: 0 } : { days: 0, hours }
}

function signInPage({ cookies, secondFactorSignIn, settings, signInCompletion, users }: SignInServices) {
  const trusted = settings.trustedDeviceTtl === undefined ? null : shortTime(settings.trustedDeviceTtl)

  const secretIn = ({ headers }: RequestFacts) => cookies.pendingIn(headers.cookie)

  async function view(secret: string | undefined, next: string, caller: Caller | undefined, enrollment?: string) {
    const { methods, enroll, userId, email } = await secondFactorSignIn.demand(secret)
    const signedIn = caller && caller.userId !== userId ? (await users.get(caller.userId)).email : null
    return {
      email,
      signedIn,
      next,
      enroll,
      trusted,
      recoveryCodes: null,
      ...NO_ERRORS,
      code: methods.includes('totp'),
      passkey: methods.includes('passkey') && settings.passkeys,
      ...setupOf(enroll ? await secondFactorSignIn.startEnrollment(secret, enrollment) : null),
    }
  }

  /** Without a pending sign-in, people start again. */
  async function orSignIn<Result>(next: string, run: () => Promise<Result>) {
    try {
      return await run()
    } catch (error) {
      if (!Problem.is(error) || error.code !== secondFactorProblems.sign_in_expired.code) throw error
      return { redirect: `/sign-in?next=${encodeURIComponent(next)}` }
    }
  }

  async function finish(form: Form, next: string, caller: Caller | undefined, request: RequestFacts) {
    const secret = secretIn(request)
    const options = { caller, trustDevice: form.trust === '1', isKept: true }
    if (form.enrollment !== undefined) {
      const proof = enrollForm(form, ['enrollment', 'code'])
      const enrolled = await secondFactorSignIn.enroll(secret, proof, request, options)
      const { redirect, headers } = await signInCompletion.leadOn(enrolled, next)
      const data = { next: redirect, recoveryCodes: enrolled.recoveryCodes, ...NO_ERRORS }
      return { data, headers: { ...NO_STORE, ...headers } }
    }
    const finished = form.passkey
      ? await secondFactorSignIn.withPasskey(secret, passkeyIn(form.passkey), request, options)
      : await secondFactorSignIn.withCode(secret, codeForm(form, ['code']).code, request, options)
    return signInCompletion.leadOn(finished, next)
  }

  return page({
    name: 'identity.second_factor',
    path: SECOND_FACTOR_PATH,
    title: 'Second step',
    allow: 'public',
    limits: secondFactorLimits,
    load({ caller, query, request }) {
      const next = safeReturnPath(query.next)
      return orSignIn(next, async () => ({ data: await view(secretIn(request), next, caller), headers: NO_STORE }))
    },
    post({ form, caller, request }) {
      const next = safeReturnPath(form.next)
      const shown = () => view(secretIn(request), next, caller, form.enrollment)
      return orSignIn(next, () => submit(shown, () => finish(form, next, caller, request)))
    },
  })
}

function settingsPage({ secondFactors, settings, trustedDevices }: SignInServices) {
  async function view({ userId }: Caller, done = '') {
    const { state, devices } = await together({
      state: secondFactors.state(userId),
      devices: trustedDevices.list(userId),
    })
    return { tabs: accountTabs(settings), ...state, devices, made: null, ...setupOf(null), done, ...NO_ERRORS }
  }
  async function withSetup(caller: Caller, started: Promise<TotpEnrollment | null>) {
    const { shown, setup } = await together({ shown: view(caller), setup: started })
    return { ...shown, ...setupOf(setup) }
  }
  const withCodes = async (caller: Caller, made: readonly string[]) => ({
    data: { ...(await view(caller)), made },
    headers: NO_STORE,
  })

  async function act(caller: Caller, form: Form) {
    const { userId } = caller
    const actor = actorOf(caller)
    if (form.intent === 'start')
      return { data: await withSetup(caller, secondFactors.startEnrollment(userId)), headers: NO_STORE }
    if (form.intent === 'enable') {
      const proof = enrollForm(form, ['enrollment', 'code'])
      return withCodes(caller, await secondFactors.enroll(userId, proof, actor))
    }
    if (form.intent === 'codes') return withCodes(caller, await secondFactors.replaceRecoveryCodes(userId, actor))
    if (form.intent === 'forget') {
      await trustedDevices.forget(userId, actor)
      return { redirect: `${SETTINGS_PATH}?done=forgotten` }
    }
    if (form.intent !== 'remove') throw common.not_found({ what: 'action' })
    await secondFactors.remove(userId, actor)
    return { redirect: `${SETTINGS_PATH}?done=removed` }
  }

  return page({
    name: 'identity.second_factor_settings',
    path: SETTINGS_PATH,
    title: 'Second factor',
    allow: 'user',
    limits: ownSecondFactorLimits,
    // A setup starts with a recent proof, so its first code needs none, and a refused one must not start another.
    recentAuth: { within: RECENT_AUTH, forms: ({ intent }) => intent !== 'enable' && intent !== 'forget' },
    load: async ({ caller, query }) => ({ data: await view(caller, query.done) }),
    post: ({ caller, form }) =>
      submit(
        () =>
          form.intent === 'enable'
            ? withSetup(caller, secondFactors.resumeEnrollment(caller.userId, form.enrollment ?? ''))
            : view(caller),
        () => act(caller, form),
      ),
  })
}
