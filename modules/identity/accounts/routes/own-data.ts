/** Changes of the email address, the export of an account's data and its deletion. */
import { common, Nullable, named, reply, route, Type } from '@larder-dev/larder/kernel'
import { Email, KnownPassword, LinkToken } from '../../domain/fields.ts'
import { changeEmailLimits, changePasswordLimits, exportLimits, verifyEmailLimits } from '../../domain/rate-limits.ts'
import { passwordProblems } from '../../sign-in/password/problems.ts'
import { NewLogin } from '../../sign-in/records/login.ts'
import { newLogin } from '../../sign-in/routes/signed-in.ts'
import { accountProblems } from '../../users/problems.ts'
import { EmailChange } from '../../users/records/account.ts'
import { memberProblems } from '../../workspaces/members/problems.ts'
import { AccountExport } from '../records/export.ts'
import type { AccountServices } from '../services.ts'

const ConfirmedEmailChange = named(
  'ConfirmedEmailChange',
  Type.Object({
    complete: Type.Boolean({ description: 'false: the other address must confirm the change, too' }),
    login: Nullable(NewLogin),
  }),
)

const PASSWORD_OR_RECENT_LOGIN =
  'Needs the password. A user without one leaves it out and must have signed in within the last 10 minutes.'

/**
 * An account belongs to a user: API keys can't change it, and it needs no tenant. Its changes don't run in a unit of
 * the request's workspace, and no connection is held while a password is hashed.
 */
const ownAccount = { allow: 'user', apiKeys: false, unit: 'own' } as const

export function ownDataRoutes({ accountData, emailChanges, cookies, settings }: AccountServices) {
  const requestChange = route({
    ...ownAccount,
    method: 'post',
    path: '/auth/email/change',
    operationId: 'requestEmailChange',
    summary: 'Requests a new email address. Both addresses get a link; a verified current address must confirm, too.',
    idempotent: false,
    description: PASSWORD_OR_RECENT_LOGIN,
    body: Type.Object({ email: Email, password: Type.Optional(KnownPassword) }),
    replies: { 202: EmailChange },
    problems: [
      passwordProblems.wrong_password,
      common.reauthentication_required,
      accountProblems.email_taken,
      accountProblems.disposable_address,
    ],
    limits: [...changePasswordLimits, ...changeEmailLimits],
    handle: ({ body, caller }) => emailChanges.request(body, caller),
  })

  const findChange = route({
    ...ownAccount,
    method: 'get',
    path: '/auth/email/change',
    operationId: 'getEmailChange',
    summary: 'Returns the pending change of the email address.',
    replies: { 200: EmailChange },
    problems: [common.not_found],
    async handle({ caller }) {
      const change = await emailChanges.find(caller.userId)
      if (!change) throw common.not_found({ what: 'change of the email address' })
      return change
    },
  })

  const cancelChange = route({
    ...ownAccount,
    method: 'delete',
    path: '/auth/email/change',
    operationId: 'cancelEmailChange',
    summary: 'Cancels the pending change of the email address, if any.',
    replies: { 204: null },
    handle: ({ caller }) => emailChanges.cancel(caller.userId),
  })

  const confirmChange = route({
    method: 'post',
    path: '/auth/email/confirm',
    operationId: 'confirmEmailChange',
    summary: 'Confirms a change of an email address with the token of a link.',
    allow: 'public',
    // An account belongs to no workspace.
    unit: 'own',
    idempotent: false,
    description:
      'A complete change ends all logins of the account. A caller who is signed in to it gets a new one. API keys stay. Confirming the new address needs a login of the account or its password, because the address may be that of somebody else; 422 otherwise. If no address of the account was verified before, it is confirmed as with `POST /v1/auth/verify-email` instead: a caller who neither is signed in to the account nor sends its password ends all access from before.',
    body: Type.Object({ token: LinkToken, password: Type.Optional(KnownPassword) }),
    replies: { 200: ConfirmedEmailChange },
    problems: [accountProblems.link_expired, accountProblems.email_taken, passwordProblems.incorrect_password],
    limits: verifyEmailLimits,
    async handle({ body, caller, request }) {
      const { complete, login } = await emailChanges.confirm(body.token, { caller, password: body.password }, request)
      const headers = login?.headers ?? {}
      return reply(200, { complete, login: newLogin(login, settings) }, headers)
    },
  })

  const exportData = route({
    ...ownAccount,
    method: 'get',
    path: '/auth/me/export',
    operationId: 'exportAccount',
    summary: "Returns the caller's account data as a file, without secrets.",
    replies: { 200: AccountExport },
    limits: exportLimits,
    problems: [accountProblems.not_exported],
    async handle({ caller }) {
      if (caller.impersonatedBy !== undefined) throw accountProblems.not_exported()
      return reply(200, await accountData.export(caller.userId), {
        'content-disposition': 'attachment; filename="account.json"',
        'cache-control': 'no-store',
      })
    },
  })

  const remove = route({
    ...ownAccount,
    method: 'post',
    path: '/auth/me/delete',
    operationId: 'deleteAccount',
    summary: 'Deletes the account, and the workspaces in which the caller is the only member.',
    idempotent: false,
    description: PASSWORD_OR_RECENT_LOGIN,
    body: Type.Object({ password: Type.Optional(KnownPassword) }),
    replies: { 204: null },
    problems: [passwordProblems.wrong_password, common.reauthentication_required, memberProblems.last_owner],
    limits: changePasswordLimits,
    async handle({ body, caller }) {
      await accountData.remove(caller, body.password)
      return reply(204, undefined, cookies.signedOut)
    },
  })

  return [requestChange, findChange, cancelChange, confirmChange, exportData, remove]
}
