/** Members and invitations of the current workspace. */
import { type Caller, common, type Deps, page, Type } from '@larder-dev/larder/kernel'
import { Email } from '../domain/fields.ts'
import type { IdentityServices } from '../services.ts'
import { assertPermission, formValidator, submit } from './form.ts'
import { type InviteResults, inviteAll, splitAddresses } from './invite-form.ts'
import { memberPage } from './member.ts'
import { memberRow, readRoles } from './role-choices.ts'
import { workspaceTabs } from './workspace-tabs.ts'

const PAGE_SIZE = 50
const PATH = '/workspace/members'
const NO_RESULTS: InviteResults = { sent: [], failed: [] }

type Query = Readonly<Record<string, string>>
interface InviteDraft {
  readonly emails: string
  readonly role: string
  readonly results: InviteResults
}

export function memberPages(deps: Deps<never, 'mailer'> & IdentityServices) {
  const { invitations, members, roles, settings, mailer } = deps
  const addressForm = formValidator<{ email: string }>(Type.Object({ email: Email }))

  async function view(caller: Caller, tenantId: string, query: Query, draft?: InviteDraft) {
    const { q = '', role = '', cursor, done = '' } = query
    const seesInvitations = caller.can('identity.invitation.read')
    const filters = { ...(q !== '' && { q: q.slice(0, 120) }), ...(role !== '' && { 'filter[role]': role }) }
    const [found, names, pending] = await Promise.all([
      members.list(tenantId, { limit: PAGE_SIZE, ...filters, ...(cursor && { cursor }) }),
      readRoles(roles, tenantId),
      seesInvitations ? invitations.list(tenantId, { limit: PAGE_SIZE, 'filter[status]': 'pending' }) : undefined,
    ])
    const selected = draft?.role ?? settings.defaultRole
    const next = new URLSearchParams({ ...(q && { q }), ...(role && { role }), cursor: found.nextCursor ?? '' })
    return {
      tabs: workspaceTabs(caller),
      ...{ words: q, filtered: q !== '' || role !== '', done, error: null },
      roleFilter: names.all.map(({ key, name }) => ({ key, name, chosen: key === role })),
      members: found.data.map(member => memberRow(member, names, caller)),
      next: found.nextCursor === null ? null : `${PATH}?${next}`,
      mayManage: caller.can('identity.member.update') || caller.can('identity.member.remove'),
      invitations: (pending?.data ?? []).map(({ id, email, roles: keys, expiresAt }) => ({
        ...{ id, email, expiresAt },
        roles: keys.map(names.nameOf),
      })),
      mayResend: caller.can('identity.invitation.create'),
      mayRevoke: caller.can('identity.invitation.revoke'),
      mayInvite: caller.can('identity.member.invite'),
      roles: names.choices(caller, []).map(choice => ({ ...choice, chosen: choice.key === selected })),
      emails: draft?.emails ?? '',
      results: draft?.results ?? NO_RESULTS,
    }
  }

  async function invite(caller: Caller, tenantId: string, form: Query) {
    assertPermission(caller, 'identity.member.invite')
    if (caller.mustVerifyEmail) throw common.email_not_verified()
    const { role = settings.defaultRole } = form
    const results = await inviteAll(splitAddresses(form.emails ?? ''), async address => {
      const { email } = addressForm({ email: address }, ['email'])
      const sendEmail = mailer !== undefined
      const { invitation } = await invitations.invite(tenantId, { email, roles: [role], sendEmail }, caller)
      return { email, link: invitation.link ?? null }
    })
    const emails = results.failed.map(({ email }) => email).join('\n')
    const data = await view(caller, tenantId, {}, { emails, role, results })
    return { data, status: results.sent.length === 0 ? 422 : 200 }
  }

  const list = page({
    name: 'identity.members',
    path: PATH,
    title: 'Members',
    allow: 'identity.member.read',
    load: async ({ caller, tenantId, query }) => ({ data: await view(caller, tenantId, query) }),
    async post({ caller, tenantId, form }) {
      const { intent, id = '', emails = '', role = settings.defaultRole } = form
      const draft = { emails, role, results: NO_RESULTS }
      const shown = () => view(caller, tenantId, {}, draft)
      return submit(shown, async () => {
        if (intent === 'resend') {
          assertPermission(caller, 'identity.invitation.create')
          if (caller.mustVerifyEmail) throw common.email_not_verified()
          const { email, link } = await invitations.resend(tenantId, id, mailer !== undefined, caller)
          if (link === undefined) return { redirect: `${PATH}?done=resent` }
          const results = { sent: [{ email, link }], failed: [] }
          return { data: await view(caller, tenantId, {}, { ...draft, results }) }
        }
        if (intent === 'revoke') {
          assertPermission(caller, 'identity.invitation.revoke')
          await invitations.revoke(tenantId, id, caller)
          return { redirect: `${PATH}?done=revoked` }
        }
        return invite(caller, tenantId, form)
      })
    },
  })

  return [list, memberPage(deps)]
}
