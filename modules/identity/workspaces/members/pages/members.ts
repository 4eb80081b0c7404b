/** Members and invitations of the current workspace. */
import { type Caller, common, type Deps, page, Type, type Wording, wording } from '@larder-dev/larder/kernel'
import { Email } from '../../../domain/fields.ts'
import { initialsOf } from '../../../domain/initials.ts'
import { assertPermission, formValidator, submit } from '../../../pages/form.ts'
import { workspaceTabs } from '../../pages/workspace-tabs.ts'
import { memberRow, type RoleNames, readRoles } from '../../roles/pages/role-choices.ts'
import type { WorkspaceServices } from '../../services.ts'
import { invitationChanges } from './invitations.ts'
import { type Invitee, type InviteResults, inviteAll, inviteesIn, type RefusedInvitation } from './invite-form.ts'
import { memberPage } from './member.ts'

const PAGE_SIZE = 50
const PATH = '/workspace/members'
/** Rows of the form that people fill in by themselves. */
const EMPTY_ROWS = 3
const NOBODY = wording('Enter at least one email address.')

type Query = Readonly<Record<string, string>>
/** The dialog for invitations: a list of addresses that get one role, or a row for each person. */
interface InviteDraft {
  readonly isOpen: boolean
  readonly error: Wording | null
  readonly emails: string
  readonly role: string
  readonly rows: readonly (Invitee & Partial<Pick<RefusedInvitation, 'reason'>>)[]
  readonly sent: InviteResults['sent']
}
const CLOSED: InviteDraft = { isOpen: false, error: null, emails: '', role: '', rows: [], sent: [] }

export function memberPages(deps: Deps<'people', 'mailer' | 'entitlements'> & WorkspaceServices) {
  const { invitations, members, rights, roles, settings, mailer, entitlements } = deps
  const title = settings.customerRole === undefined ? 'Members' : 'Staff'
  const changeInvitation = invitationChanges(deps)
  const addressForm = formValidator<{ email: string }>(Type.Object({ email: Email }))

  async function view(caller: Caller, tenantId: string, query: Query, draft: InviteDraft = CLOSED) {
    const { q = '', role = '', cursor, done = '' } = query
    const seesInvitations = caller.can('identity.invitation.read')
    const filters = { ...(q !== '' && { q: q.slice(0, 120) }), ...(role !== '' && { 'filter[role]': role }) }
    const mayInvite = caller.can('identity.member.invite')
    const [found, names, pending, seats] = await Promise.all([
      members.listStaff(tenantId, { limit: PAGE_SIZE, ...filters, ...(cursor && { cursor }) }),
      readRoles(roles, tenantId, settings),
      seesInvitations ? invitations.list(tenantId, { limit: PAGE_SIZE, 'filter[status]': 'pending' }) : undefined,
      mayInvite ? entitlements?.check(tenantId, 'identity.seat') : undefined,
    ])
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
        initials: initialsOf(email),
        expiresAt,
        roles: keys.map(names.nameOf),
      })),
      mayResend: caller.can('identity.invitation.create'),
      mayRevoke: caller.can('identity.invitation.revoke'),
      mayInvite,
      // Unlimited, or not a part of the plan.
      seats: seats && seats.limit > 0 ? { used: seats.used, limit: seats.limit, isFull: !seats.allowed } : null,
      invite: inviteView(caller, names, draft),
      sent: draft.sent.filter(({ again }) => !again),
      sentAgain: draft.sent.filter(({ again }) => again),
      links: draft.sent.filter(({ link }) => link !== null),
    }
  }

  function inviteView(caller: Caller, names: RoleNames, { isOpen, error, emails, role, rows }: InviteDraft) {
    const choices = names.choices(caller, [])
    const optionsFor = (chosen: string | undefined) => {
      const selected = choices.some(({ key }) => key === chosen) ? chosen : settings.defaultRole
      return choices.map(({ key, name }) => ({ key, name, chosen: key === selected }))
    }
    const single = rows.flatMap(({ email, roles: held, reason }) =>
      (held.length === 0 ? [undefined] : held).map(each => ({
        email,
        reason: reason ?? null,
        roles: optionsFor(each),
      })),
    )
    return {
      isOpen,
      error,
      emails,
      roles: optionsFor(role),
      rows: single.map((row, index) => ({ ...row, at: index + 1 })),
      choices,
    }
  }

  const emptyRow: Invitee = { email: '', roles: [] }

  async function invite(caller: Caller, tenantId: string, form: Query) {
    assertPermission(caller, 'identity.member.invite')
    if (caller.mustVerifyEmail) throw common.email_not_verified()
    const invitees = inviteesIn(form).map(({ email, roles: chosen }) => ({
      email,
      roles: chosen.length === 0 ? [settings.defaultRole] : chosen,
    }))
    if (form.step === 'each') {
      const spare = Array.from({ length: Math.max(1, EMPTY_ROWS - invitees.length) }, () => emptyRow)
      return { data: await view(caller, tenantId, {}, { ...draftOf(form), rows: [...invitees, ...spare] }) }
    }
    if (invitees.length === 0) {
      const data = await view(caller, tenantId, {}, { ...draftOf(form), error: NOBODY })
      return { data, status: common.validation_failed.status }
    }
    // Before the first mail of several, because a proof repeats the whole form. One invitation checks the same by itself.
    if (invitees.length > 1)
      await rights.assertCallerCanGrant(caller, tenantId, [...new Set(invitees.flatMap(each => each.roles))])
    const { sent, failed } = await inviteAll(invitees, async ({ email: address, roles: chosen }) => {
      const { email } = addressForm({ email: address }, ['email'])
      const wanted = { email, roles: chosen, sendEmail: mailer !== undefined }
      const { invitation, created } = await invitations.invite(tenantId, wanted, caller)
      return { email, link: invitation.link ?? null, again: !created }
    })
    const draft = { ...CLOSED, isOpen: failed.length > 0, rows: failed, sent }
    const status = sent.length === 0 ? common.validation_failed.status : 200
    return { data: await view(caller, tenantId, {}, draft), status }
  }

  /** What was typed, after a refusal. */
  function draftOf(form: Query): InviteDraft {
    const { emails = '', role = '' } = form
    const isPasted = form.emails !== undefined
    return { ...CLOSED, isOpen: true, emails, role, rows: isPasted ? [] : [...inviteesIn(form), emptyRow] }
  }

  const list = page({
    name: 'identity.members',
    path: PATH,
    title,
    allow: 'identity.member.read',
    load: async ({ caller, tenantId, query }) => ({
      data: await view(caller, tenantId, query, { ...CLOSED, isOpen: query.invite !== undefined }),
    }),
    async post({ caller, tenantId, form }) {
      const { intent } = form
      const changes = intent === 'resend' || intent === 'revoke'
      const shown = () => view(caller, tenantId, {}, changes ? CLOSED : draftOf(form))
      return submit(shown, async () => {
        if (!changes) return invite(caller, tenantId, form)
        const sent = await changeInvitation(caller, tenantId, form)
        if (sent.length > 0) return { data: await view(caller, tenantId, {}, { ...CLOSED, sent }) }
        return { redirect: `${PATH}?done=${intent === 'revoke' ? 'revoked' : 'resent'}` }
      })
    },
  })

  return [list, memberPage(deps)]
}
