/**
 * The end of every sign-in, whatever its method: the login of the person, the cookies of their browser, and the page that
 * it goes on to. Nothing else inserts logins of people.
 */
import type { Caller, Unit } from '@larder-dev/larder/kernel'
import type { LoginCookies, SetCookieHeaders } from '../domain/login-cookies.ts'
import { DETAILS_PATH } from '../domain/return-path.ts'
import type { Profiles } from '../users/profiles.ts'
import type { LastWorkspace } from '../workspaces/last-workspace.ts'
import {
  createLoginInserts,
  type IssuedLogin,
  type IssueOptions,
  type LoginInsertNeeds,
  type StartOptions,
} from './login-inserts.ts'
import type { LoginOrigin, SignedIn, VerifiedCredential } from './logins.ts'
import type { HeldLogin } from './sign-in-flows.ts'

/** A sign-in that has passed. */
export interface FinishedSignIn extends Omit<IssuedLogin, 'cookie'> {
  readonly userId: string
  readonly email: string
  /** The secret of the login's cookie. */
  readonly cookie: string
  /** The cookies that the browser gets. */
  readonly headers: SetCookieHeaders
}
/** A login that replaces another one. */
export type RenewedLogin = Pick<FinishedSignIn, 'token' | 'headers'>
/** What else the browser gets or loses. */
interface BrowserOptions {
  /** The workspace to select; that in which the person worked last by default, whatever the browser had selected. */
  readonly tenantId?: string | undefined
  /** The `Set-Cookie` header of a browser that the person trusts from now on. */
  readonly trusted?: string | undefined
  /** Whether the browser has kept the secret of the sign-in that waited for its second factor. */
  readonly isPending?: boolean | undefined
}
/** The login that the browser has. */
interface CallerOptions {
  /** Who is signed in: the login of the browser's cookie ends. */
  readonly caller: Caller | undefined
  /** Leaves the login of another person, because the browser asks first. */
  readonly keepsOthers?: boolean | undefined
}
export interface FinishOptions extends Omit<StartOptions, 'previousLoginId'>, CallerOptions, BrowserOptions {}
export interface SignInCompletion {
  /**
   * Signs in a person whom a method has verified. Throws `invalid_credentials` if the password has changed since,
   * `sso_required`, and `second_factor_required` if the account needs a second factor that wasn't verified.
   */
  finish(person: SignedIn, origin: LoginOrigin, options: FinishOptions): Promise<FinishedSignIn>
  /**
   * Signs in to an account that the transaction creates: it has no second factor yet, and no workspace that requires single
   * sign-on.
   */
  finishWithoutGate(
    unit: Unit,
    person: SignedIn,
    origin: LoginOrigin,
    options: IssueOptions & CallerOptions & BrowserOptions,
  ): Promise<FinishedSignIn>
  /** A login that replaces that of the caller, which ends in the transaction. It is no newer proof of who they are. */
  renewWithoutGate(
    unit: Unit,
    credential: VerifiedCredential,
    caller: Caller,
    origin: LoginOrigin,
  ): Promise<RenewedLogin>
  /** Goes on with a login that waited until its person agreed that it replaces that of the caller. */
  resume(held: HeldLogin, caller: Caller | undefined, origin: LoginOrigin): Promise<FinishedSignIn>
  /** Where the browser goes on to: first to the fields that the person must fill in. */
  leadOn(
    finished: FinishedSignIn,
    next: string,
  ): Promise<{ readonly redirect: string; readonly headers: SetCookieHeaders }>
}

/** The login of the cookie, which a new one replaces. */
const loginOfCookie = (caller: Caller | undefined): string | undefined =>
  caller?.credential === 'cookie' ? caller.principalId : undefined

/** Whether another person is signed in in the browser. */
export const isSignedInAsOther = (caller: Caller | undefined, userId: string): boolean =>
  loginOfCookie(caller) !== undefined && caller?.userId !== userId

const replacedBy = (userId: string, { caller, keepsOthers }: CallerOptions): string | undefined =>
  keepsOthers && isSignedInAsOther(caller, userId) ? undefined : loginOfCookie(caller)

type Needs = LoginInsertNeeds & {
  readonly cookies: LoginCookies
  readonly lastWorkspace: LastWorkspace
  readonly profiles: Profiles
}

export function createSignInCompletion(deps: Needs): SignInCompletion {
  const { systemDatabase, cookies, devices, lastWorkspace, logins, profiles } = deps
  const inserts = createLoginInserts(deps)

  function completed(
    { userId, email }: Pick<SignedIn, 'userId' | 'email'>,
    login: IssuedLogin,
    { headers }: LoginOrigin,
    { trusted, isPending, tenantId }: BrowserOptions,
  ): FinishedSignIn {
    const set = [
      cookies.signedIn(login.cookie),
      devices.remember(headers, email),
      trusted,
      isPending ? cookies.noPending : undefined,
      cookies.ofTenant(tenantId),
    ]
    return { ...login, userId, email, headers: { 'set-cookie': set.filter(header => header !== undefined) } }
  }

  return {
    async finish(person, origin, options) {
      const previousLoginId = replacedBy(person.userId, options)
      const login = await inserts.start(person, origin, { ...options, previousLoginId })
      if (options.tenantId !== undefined) await lastWorkspace.keep(person, options.tenantId)
      return completed(person, login, origin, options)
    },
    async finishWithoutGate(unit, person, origin, options) {
      const login = await inserts.withoutGate(unit, person, origin, options)
      const previousLoginId = replacedBy(person.userId, options)
      if (previousLoginId !== undefined) await logins.endCookie(unit, previousLoginId)
      if (options.tenantId !== undefined) await lastWorkspace.keepIn(unit, person, options.tenantId)
      return completed(person, login, origin, options)
    },
    async renewWithoutGate(unit, credential, { credential: kind, authenticatedAt }, origin) {
      const options = { token: kind === 'bearer', authenticatedAt }
      const { token, cookie } = await inserts.withoutGate(unit, credential, origin, options)
      return { token, headers: { 'set-cookie': [cookies.signedIn(cookie)] } }
    },
    async resume({ tenantId, loginId, cookie, ...person }, caller, origin) {
      const previous = loginOfCookie(caller)
      if (previous !== undefined && previous !== loginId)
        await systemDatabase
          .acrossTenants('logins belong to a user, not to a tenant')
          .transaction(unit => logins.endCookie(unit, previous))
      if (tenantId !== undefined) await lastWorkspace.keep(person, tenantId)
      return completed(person, { loginId, cookie, token: undefined }, origin, { tenantId })
    },
    async leadOn({ email, headers }, next) {
      const isIncomplete = await profiles.isIncomplete(email)
      return { redirect: isIncomplete ? `${DETAILS_PATH}?next=${encodeURIComponent(next)}` : next, headers }
    },
  }
}
