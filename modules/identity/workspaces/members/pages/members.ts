/** Members and invitations of the current workspace. */
import { type Caller, common, type Deps, page, Type } from '@larder-dev/larder/kernel'
import { Email } from '../../../domain/fields.ts'
import { assertPermission, checkedValues, formValidator, submit } from '../../../pages/form.ts'
import { workspaceTabs } from '../../pages/workspace-tabs.ts'
import { memberRow, readRoles } from '../../roles/pages/role-choices.ts'
import type { WorkspaceServices } from '../../services.ts'
import { invitationChanges } from './invitations.ts'
import { type InviteResults, inviteAll, splitAddresses } from './invite-form.ts'
import { memberPage } from './member.ts'

const PAGE_SIZE = 50
const PATH = '/workspace/members'
const ROLE = 'role:'
const NO_RESULTS: InviteResults = { sent: [], failed: [] }

type Query = Readonly<Record<string, string>>
interface InviteDraft {
  readonly emails: string
  readonly roles: readonly string[]
  readonly results: InviteResults
}

export function memberPages(deps: Deps<'people', 'mailer'> & WorkspaceServices) {
  const { invitations, members, roles, settings, mailer } = deps
  const title = settings.customerRole === undefined ? 'Members' : 'Staff'
  const changeInvitation = invitationChanges(deps)
  const addressForm = formValidator<{ email: string }>(Type.Object({ email: Email }))

  async function view(caller: Caller, tenantId: string, query: Query, draft?: InviteDraft) {
    const { q = '', role = '', cursor, done = '' } = query
    const seesInvitations = caller.can('identity.invitation.read')
    const filters = { ...(q !== '' && { q: q.slice(0, 120) }), ...(role !== '' && { 'filter[role]': role }) }
    const [found, names, pending] = await Promise.all([
      members.listStaff(tenantId, { limit: PAGE_SIZE, ...filters, ...(cursor && { cursor }) }),
      readRoles(roles, tenantId, settings),
      seesInvitations ? invitations.list(tenantId, { limit: PAGE_SIZE, 'filter[status]': 'pending' }) : undefined,
    ])
    const selected = draft?.roles ?? [settings.defaultRole]
    const next = new URLSearchParams({ ...(q && { q }), ...(role && { role }), cursor: found.nextCursor ?? '' })
    return {
      heading: title,
      tabs: workspaceTabs(caller, settings),
      words: q,
      filtered: q !== '' || role !== '',
      done,
      error: null,
      roleFilter: names.offered.map(({ key, name }) => ({ key, name, chosen: key === role })),
      members: found.data.map(member => memberRow(member, names, caller)),
      next: found.nextCursor === null ? null : `${PATH}?${next}`,
      mayManage: caller.can('identity.member.update') || caller.can('identity.member.remove'),
      invitations: (pending?.data ?? []).map(({ id, email, roles: keys, expiresAt }) => ({
        id,
        email,
        expiresAt,
        roles: keys.map(names.nameOf),
      })),
      mayResend: caller.can('identity.invitation.create'),
      mayRevoke: caller.can('identity.invitation.revoke'),
      mayInvite: caller.can('identity.member.invite'),
      roles: names.choices(caller, []).map(choice => ({
        ...choice,
        box: ROLE + choice.key,
        chosen: selected.includes(choice.key),
      })),
      emails: draft?.emails ?? '',
      results: draft?.results ?? NO_RESULTS,
    }
  }

  /** Without a choice, the default role applies. */
  const rolesIn = (form: Query): readonly string[] => {
    const chosen = checkedValues(form, ROLE)
    return chosen.length > 0 ? chosen : [settings.defaultRole]
  }

  async function invite(caller: Caller, tenantId: string, form: Query) {
    assertPermission(caller, 'identity.member.invite')
    if (caller.mustVerifyEmail) throw common.email_not_verified()
    const chosen = rolesIn(form)
    const results = await inviteAll(splitAddresses(form.emails ?? ''), async address => {
      const { email } = addressForm({ email: address }, ['email'])
      const sendEmail = mailer !== undefined
      const { invitation } = await invitations.invite(tenantId, { email, roles: [...chosen], sendEmail }, caller)
      return { email, link: invitation.link ?? null }
    })
    const emails = results.failed.map(({ email }) => email).join('\n')
    const data = await view(caller, tenantId, {}, { emails, roles: chosen, results })
    return { data, status: results.sent.length === 0 ? 422 : 200 }
  }

  const list = page({
    name: 'identity.members',
    path: PATH,
    title,
    allow: 'identity.member.read',
    load: async ({ caller, tenantId, query }) => ({ data: await view(caller, tenantId, query) }),
    async post({ caller, tenantId, form }) {
      const { intent, emails = '' } = form
      const draft = { emails, roles: rolesIn(form), results: NO_RESULTS }
      const shown = () => view(caller, tenantId, {}, draft)
      return submit(shown, async () => {
        if (intent !== 'resend' && intent !== 'revoke') return invite(caller, tenantId, form)
        const sent = await changeInvitation(caller, tenantId, form)
        if (sent.length > 0)
          return { data: await view(caller, tenantId, {}, { ...draft, results: { sent, failed: [] } }) }
        return { redirect: `${PATH}?done=${intent === 'revoke' ? 'revoked' : 'resent'}` }
      })
    },
  })

  return [list, memberPage(deps)]
}
