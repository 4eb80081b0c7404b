/** A signed-in person proves again who they are. */
import { named, reply, route, SECOND, Type } from '@larder-dev/larder/kernel'
import { KnownPassword } from '../../domain/fields.ts'
import { proofCodeLimits, reauthenticateLimits } from '../../domain/rate-limits.ts'
import { codeProblems } from '../codes/problems.ts'
import { PROOF_CODE_TTL_MS } from '../codes/proof-codes.ts'
import { ProofCode, ProofCodeRequest } from '../codes/records.ts'
import { passkeyProblems } from '../passkeys/problems.ts'
import { AuthenticationBody } from '../passkeys/records.ts'
import { passwordProblems } from '../password/problems.ts'
import { secondFactorProblems } from '../second-factor/problems.ts'
import { FactorCode } from '../second-factor/records.ts'
import type { SignInServices } from '../services.ts'

export const reauthenticationRoutes = ({ reauthentication }: SignInServices) => [
  route({
    method: 'post',
    path: '/auth/reauthenticate/email-code',
    operationId: 'sendProofCode',
    summary: 'Emails a code that proves again who the caller is.',
    description: 'For people without a password, an authenticator app and a passkey that they must use.',
    allow: 'user',
    apiKeys: false,
    // A login belongs to no workspace.
    unit: 'own',
    idempotent: false,
    replies: { 202: ProofCodeRequest },
    limits: proofCodeLimits,
    async handle({ caller }) {
      const request = await reauthentication.sendCode(caller.userId)
      return reply(202, { request, expiresIn: PROOF_CODE_TTL_MS / SECOND })
    },
  }),
  route({
    method: 'post',
    path: '/auth/reauthenticate',
    operationId: 'reauthenticate',
    summary: 'Proves again who the caller is, for requests that return `reauthentication_required`.',
    description: 'Send one of the fields. People with an authenticator app send `code` or `passkey`.',
    allow: 'user',
    apiKeys: false,
    // A login belongs to no workspace, and no connection waits while a password is hashed.
    unit: 'own',
    idempotent: false,
    body: Type.Object({
      password: Type.Optional(KnownPassword),
      code: Type.Optional(FactorCode),
      passkey: Type.Optional(named('PasskeyProof', AuthenticationBody)),
      emailCode: Type.Optional(ProofCode),
    }),
    replies: { 204: null },
    problems: [
      passwordProblems.wrong_password,
      secondFactorProblems.invalid_second_factor,
      passkeyProblems.invalid_passkey,
      codeProblems.invalid_proof_code,
      secondFactorProblems.too_many_codes,
      secondFactorProblems.second_factor_unreadable,
    ],
    limits: reauthenticateLimits,
    handle: ({ caller, body }) => reauthentication.confirm(caller, body),
  }),
]
