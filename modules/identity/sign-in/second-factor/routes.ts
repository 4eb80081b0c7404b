/** The second factor: at sign-in, of the caller, and of people who lost theirs. */
import { common, route, Type, together } from '@larder-dev/larder/kernel'
import { actorOf } from '../../audit/audit-log.ts'
import { ownSecondFactorLimits, secondFactorLimits } from '../../domain/rate-limits.ts'
import { RECENT_AUTH } from '../../domain/recent-proof.ts'
import { memberProblems } from '../../workspaces/members/problems.ts'
import { passkeyProblems } from '../passkeys/problems.ts'
import { AuthenticationBody } from '../passkeys/records.ts'
import { signInProblems } from '../problems.ts'
import { SignedInReply } from '../records/sign-in.ts'
import { createSignedInReply, secretReplies } from '../routes/signed-in.ts'
import type { SignInServices } from '../services.ts'
import { secondFactorProblems } from './problems.ts'
import {
  EnrolledSignIn,
  EnrollmentProof,
  FactorCode,
  PendingSecret,
  RecoveryCodes,
  SecondFactor,
  TotpEnrollment,
  TrustDevice,
} from './records.ts'

const signIn = { ...secretReplies, method: 'post', allow: 'public', limits: secondFactorLimits } as const
const own = { ...secretReplies, allow: 'user', apiKeys: false } as const
const change = { ...own, recentAuth: RECENT_AUTH, limits: ownSecondFactorLimits } as const

export const secondFactorRoutes = (deps: SignInServices) =>
  deps.settings.totp ? [...signInRoutes(deps), ...ownRoutes(deps), ...supportRoutes(deps)] : []

function signInRoutes(deps: SignInServices) {
  const { secondFactorSignIn, settings } = deps
  const signedInReply = createSignedInReply(deps)

  const verify = route({
    ...signIn,
    path: '/auth/second-factor',
    operationId: 'verifySecondFactor',
    summary: 'Finishes a sign-in with a code. Sets the login cookie and returns a dashboard token.',
    description: 'A code works once. After five wrong ones, the account waits a minute, then longer each time.',
    body: Type.Object({ pending: PendingSecret, code: FactorCode, trustDevice: TrustDevice }),
    replies: { 200: SignedInReply },
    problems: [
      signInProblems.invalid_credentials,
      secondFactorProblems.sign_in_expired,
      secondFactorProblems.invalid_second_factor,
      secondFactorProblems.too_many_codes,
      secondFactorProblems.second_factor_unreadable,
    ],
    async handle({ body, caller, request }) {
      const options = { caller, trustDevice: body.trustDevice }
      return signedInReply(await secondFactorSignIn.withCode(body.pending, body.code, request, options))
    },
  })

  const verifyPasskey = route({
    ...signIn,
    path: '/auth/second-factor/passkey',
    operationId: 'verifySecondFactorWithPasskey',
    summary: 'Finishes a sign-in with a passkey. Sets the login cookie and returns a dashboard token.',
    body: Type.Object({ pending: PendingSecret, ...AuthenticationBody.properties }),
    replies: { 200: SignedInReply },
    problems: [
      signInProblems.invalid_credentials,
      secondFactorProblems.sign_in_expired,
      passkeyProblems.invalid_passkey,
    ],
    async handle({ body: { pending, ...proof }, caller, request }) {
      return signedInReply(await secondFactorSignIn.withPasskey(pending, proof, request, { caller }))
    },
  })

  const startEnrollment = route({
    ...signIn,
    path: '/auth/second-factor/enrollment',
    operationId: 'startSecondFactorAtSignIn',
    summary: 'Starts the setup of an authenticator app during a sign-in that requires one.',
    body: Type.Object({ pending: PendingSecret }),
    replies: { 200: TotpEnrollment },
    problems: [
      signInProblems.invalid_credentials,
      secondFactorProblems.sign_in_expired,
      secondFactorProblems.invalid_enrollment,
    ],
    handle: ({ body }) => secondFactorSignIn.startEnrollment(body.pending),
  })

  const enroll = route({
    ...signIn,
    path: '/auth/second-factor/enroll',
    operationId: 'enrollAtSignIn',
    summary: 'Finishes a sign-in with the first code of a new authenticator app, and returns recovery codes.',
    body: Type.Object({ pending: PendingSecret, ...EnrollmentProof }),
    replies: { 200: EnrolledSignIn },
    problems: [
      signInProblems.invalid_credentials,
      secondFactorProblems.sign_in_expired,
      secondFactorProblems.invalid_enrollment,
      secondFactorProblems.invalid_second_factor,
    ],
    async handle({ body: { pending, ...proof }, caller, request }) {
      const { recoveryCodes, ...finished } = await secondFactorSignIn.enroll(pending, proof, request, { caller })
      return signedInReply(finished, { recoveryCodes })
    },
  })

  return settings.passkeys ? [verify, verifyPasskey, startEnrollment, enroll] : [verify, startEnrollment, enroll]
}

function ownRoutes({ secondFactors, settings, trustedDevices }: SignInServices) {
  const get = route({
    ...own,
    method: 'get',
    path: '/auth/me/second-factor',
    operationId: 'getOwnSecondFactor',
    summary: "Returns the caller's second factor.",
    replies: { 200: SecondFactor },
    async handle({ caller: { userId } }) {
      const { state, devices } = await together({
        state: secondFactors.state(userId),
        devices: trustedDevices.list(userId),
      })
      return { ...state, trustedDevices: [...devices] }
    },
  })

  const startEnrollment = route({
    ...change,
    method: 'post',
    path: '/auth/me/second-factor/enrollment',
    operationId: 'startSecondFactor',
    summary: 'Starts the setup of an authenticator app. Nothing changes before its first code.',
    replies: { 200: TotpEnrollment },
    handle: ({ caller }) => secondFactors.startEnrollment(caller.userId),
  })

  const enroll = route({
    // A setup starts with a recent proof, so its first code needs none.
    ...own,
    limits: ownSecondFactorLimits,
    method: 'put',
    path: '/auth/me/second-factor',
    operationId: 'enableSecondFactor',
    summary: 'Turns on an authenticator app with its first code, and returns new recovery codes. Replaces another app.',
    body: Type.Object(EnrollmentProof),
    replies: { 200: RecoveryCodes },
    problems: [secondFactorProblems.invalid_enrollment, secondFactorProblems.invalid_second_factor],
    handle: async ({ caller, body }) => ({
      recoveryCodes: [...(await secondFactors.enroll(caller.userId, body, actorOf(caller)))],
    }),
  })

  const replaceCodes = route({
    ...change,
    method: 'post',
    path: '/auth/me/recovery-codes',
    operationId: 'replaceRecoveryCodes',
    summary: 'Returns ten new recovery codes. The earlier ones stop working.',
    replies: { 200: RecoveryCodes },
    problems: [common.not_found],
    handle: async ({ caller }) => ({
      recoveryCodes: [...(await secondFactors.replaceRecoveryCodes(caller.userId, actorOf(caller)))],
    }),
  })

  const remove = route({
    ...change,
    method: 'delete',
    path: '/auth/me/second-factor',
    operationId: 'removeSecondFactor',
    summary: "Removes the caller's authenticator app and recovery codes.",
    replies: { 204: null },
    problems: [common.not_found, secondFactorProblems.second_factor_mandatory],
    handle: ({ caller }) => secondFactors.remove(caller.userId, actorOf(caller)),
  })

  const forgetDevices = route({
    ...own,
    limits: ownSecondFactorLimits,
    method: 'delete',
    path: '/auth/me/second-factor/trusted-devices',
    operationId: 'forgetTrustedDevices',
    summary: 'Ends the trust in all devices: each asks for the second factor at the next sign-in.',
    replies: { 204: null },
    handle: ({ caller }) => trustedDevices.forget(caller.userId, actorOf(caller)),
  })

  const all = [get, startEnrollment, enroll, replaceCodes, remove]
  return settings.trustedDeviceTtl === undefined ? all : [...all, forgetDevices]
}

function supportRoutes({ memberFactors, secondFactors }: SignInServices) {
  const ofMember = route({
    ...secretReplies,
    method: 'delete',
    path: '/identity/members/:id/second-factor',
    operationId: 'removeMemberSecondFactor',
    summary:
      'Removes the authenticator app of a member who lost it. Recorded in the audit log, and mailed to the member.',
    description: 'The caller must be an owner of every workspace of the member. Others ask the operator.',
    allow: 'identity.member.update',
    apiKeys: false,
    recentAuth: RECENT_AUTH,
    replies: { 204: null },
    problems: [common.not_found, memberProblems.not_owner, secondFactorProblems.member_elsewhere],
    handle: ({ tenantId, params, caller }) => memberFactors.remove(tenantId, params.id, caller),
  })

  const ofUser = route({
    ...secretReplies,
    method: 'delete',
    path: '/identity/admin/users/:id/second-factor',
    operationId: 'removeUserSecondFactor',
    summary: 'Removes the authenticator app of a user who lost it. Recorded in the audit log, and mailed to the user.',
    allow: 'identity.user.remove_second_factor',
    apiKeys: false,
    recentAuth: RECENT_AUTH,
    replies: { 204: null },
    problems: [common.not_found],
    handle: ({ params, caller }) => secondFactors.reset(params.id, actorOf(caller)),
  })

  return [ofMember, ofUser]
}
