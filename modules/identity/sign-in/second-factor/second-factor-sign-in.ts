/** Finishes sign-ins that wait for a second factor. */
import { together } from '@larder-dev/larder/kernel'
import type { AuditActor } from '../../audit/audit-log.ts'
import type { LoginOrigin } from '../logins.ts'
import type { Passkeys } from '../passkeys/passkeys.ts'
import { passkeyProblems } from '../passkeys/problems.ts'
import type { AuthenticationBody } from '../passkeys/records.ts'
import type { FinishedSignIn, FinishOptions, SignInCompletion } from '../sign-in-completion.ts'
import { EARLIER_LOGIN } from '../sso/sso-requirement.ts'
import type { PendingLogin, PendingLogins } from './pending-logins.ts'
import { secondFactorProblems } from './problems.ts'
import type { TotpEnrollment } from './records.ts'
import type { EnrollmentCode, SecondFactorDemand, SecondFactors, UseUp } from './second-factors.ts'
import type { Totp } from './totp.ts'
import type { TrustedDevices } from './trusted-devices.ts'

export interface SecondStepOptions extends Pick<FinishOptions, 'caller'> {
  /** Whether the browser has kept the secret in its cookie, which ends. */
  readonly isKept?: boolean
  /** Whether the browser signs in without the second factor for a time. */
  readonly trustDevice?: boolean | undefined
}

/** All throw `sign_in_expired`. */
export interface SecondFactorSignIn {
  /** What finishes the sign-in, and of whom it is. */
  demand(secret: string | undefined): Promise<SecondFactorDemand & Pick<PendingLogin, 'userId' | 'email'>>
  /** Throws `invalid_second_factor` and `too_many_codes`. */
  withCode(
    secret: string | undefined,
    code: string,
    origin: LoginOrigin,
    options: SecondStepOptions,
  ): Promise<FinishedSignIn>
  /** Throws `invalid_passkey`. */
  withPasskey(
    secret: string | undefined,
    body: AuthenticationBody,
    origin: LoginOrigin,
    options: SecondStepOptions,
  ): Promise<FinishedSignIn>
  /**
   * Throws `invalid_enrollment` for a person who has a second factor.
   * @param earlier a setup to show again after a wrong code
   */
  startEnrollment(secret: string | undefined, earlier?: string): Promise<TotpEnrollment>
  /** Throws `invalid_enrollment` and `invalid_second_factor`. */
  enroll(
    secret: string | undefined,
    proof: EnrollmentCode,
    origin: LoginOrigin,
    options: SecondStepOptions,
  ): Promise<FinishedSignIn & { readonly recoveryCodes: readonly string[] }>
}
interface Needs {
  readonly passkeys: Passkeys
  readonly pendingLogins: PendingLogins
  readonly secondFactors: SecondFactors
  readonly signInCompletion: SignInCompletion
  readonly totp: Totp
  readonly trustedDevices: TrustedDevices
}

export function createSecondFactorSignIn({
  passkeys,
  pendingLogins,
  secondFactors,
  signInCompletion,
  totp,
  trustedDevices,
}: Needs): SecondFactorSignIn {
  const actorOf = ({ id, userId }: PendingLogin): AuditActor => ({ kind: 'system', id, userId })

  async function finish(
    pending: PendingLogin,
    origin: LoginOrigin,
    { caller, trustDevice, isKept }: SecondStepOptions,
    useUp?: UseUp,
    authenticatedAt?: string,
  ): Promise<FinishedSignIn> {
    const { id, userId, token } = pending
    const trusted = trustDevice ? trustedDevices.trust(userId, origin.headers, actorOf(pending)) : undefined
    // A second request with the same code is told that the sign-in is over, not that the code is wrong.
    const secondFactor: UseUp = unit =>
      together({ taken: pendingLogins.take(unit, id), usedUp: useUp?.(unit), trusted: trusted?.store(unit) })
    // The sign-in had to meet the requirements before it was pending.
    const verifiedBy = EARLIER_LOGIN
    const cookies = { trusted: trusted?.cookie, isPending: isKept }
    const options = { token, caller, secondFactor, verifiedBy, authenticatedAt, ...cookies }
    return signInCompletion.finish(pending, origin, options)
  }

  /** Somebody may have set up a second factor since the sign-in started, which this one must not replace. */
  async function findEnrolling(secret: string | undefined): Promise<PendingLogin> {
    const pending = await pendingLogins.find(secret)
    if (pending.demand && !pending.demand.enroll) throw secondFactorProblems.invalid_enrollment()
    return pending
  }

  return {
    async demand(secret) {
      const { demand, userId, email } = await pendingLogins.find(secret)
      return { ...(demand ?? { methods: [], enroll: true }), userId, email }
    },
    async withCode(secret, code, origin, options) {
      const pending = await pendingLogins.find(secret)
      const useUp = await secondFactors.check(pending.userId, code, actorOf(pending))
      return finish(pending, origin, options, useUp)
    },
    async withPasskey(secret, body, origin, options) {
      const { pending, proved } = await together({
        pending: pendingLogins.find(secret),
        proved: passkeys.authenticate(body),
      })
      if (proved?.userId !== pending.userId) throw passkeyProblems.invalid_passkey()
      return finish(pending, origin, options)
    },
    async startEnrollment(secret, earlier) {
      const { userId, email } = await findEnrolling(secret)
      const resumed = earlier === undefined ? null : await totp.resume(userId, email, earlier)
      return resumed ?? totp.enroll(userId, email)
    },
    async enroll(secret, proof, origin, options) {
      const pending = await findEnrolling(secret)
      const app = await secondFactors.checkEnrollment(pending.userId, proof)
      const enroll: UseUp = unit => secondFactors.enrollIn(unit, app, actorOf(pending), { replaces: false })
      // A new app proves nothing about the person.
      const { authenticatedAt } = pending
      const finished = await finish(pending, origin, options, enroll, authenticatedAt ?? undefined)
      return { ...finished, recoveryCodes: app.recoveryCodes }
    },
  }
}
