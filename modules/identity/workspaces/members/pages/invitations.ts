/** All invitations of the current workspace, with their states. */
import { type Caller, common, type Deps, defineTexts, page } from '@larder-dev/larder/kernel'
import { assertPermission, submit } from '../../../pages/form.ts'
import { workspaceTabs } from '../../pages/workspace-tabs.ts'
import { readRoles } from '../../roles/pages/role-choices.ts'
import type { WorkspaceServices } from '../../services.ts'
import { INVITATION_STATUSES } from '../records/invitation.ts'
import type { SentInvitation } from './invite-form.ts'
import { memberNames } from './member-names.ts'

const PATH = '/workspace/invitations'
const PAGE_SIZE = 50
const STATES: Readonly<Record<(typeof INVITATION_STATUSES)[number], string>> = defineTexts({
  pending: 'Pending',
  accepted: 'Accepted',
  revoked: 'Revoked',
  expired: 'Expired',
})

type Form = Readonly<Record<string, string>>
type Needs = Deps<'people', 'mailer'> & WorkspaceServices

/** Sends an invitation again, or revokes it. Returns the sent link if no module sends mail. */
export function invitationChanges({ invitations, mailer }: Pick<Needs, 'invitations' | 'mailer'>) {
  return async (caller: Caller, tenantId: string, { intent, id = '' }: Form): Promise<readonly SentInvitation[]> => {
    if (intent === 'revoke') {
      assertPermission(caller, 'identity.invitation.revoke')
      await invitations.revoke(tenantId, id, caller)
      return []
    }
    assertPermission(caller, 'identity.invitation.create')
    if (caller.mustVerifyEmail) throw common.email_not_verified()
    const { email, link } = await invitations.resend(tenantId, id, mailer !== undefined, caller)
    return link === undefined ? [] : [{ email, link, again: true }]
  }
}

export function invitationPages(deps: Needs) {
  const { invitations, people, roles, settings } = deps
  const change = invitationChanges(deps)

  async function view(caller: Caller, tenantId: string, query: Form, sent: readonly SentInvitation[] = []) {
    const { cursor, done = '' } = query
    const status = INVITATION_STATUSES.find(state => state === query.status)
    const [{ data, nextCursor }, names] = await Promise.all([
      invitations.list(tenantId, {
        limit: PAGE_SIZE,
        ...(cursor && { cursor }),
        ...(status && { 'filter[status]': status }),
      }),
      readRoles(roles, tenantId, settings),
    ])
    const inviters = data.map(({ invitedBy }) => invitedBy)
    const inviterNames = await memberNames(people, caller, tenantId, inviters)
    const next = new URLSearchParams({ ...(status && { status }), cursor: nextCursor ?? '' })
    return {
      tabs: workspaceTabs(caller, settings),
      done,
      error: null,
      filtered: status !== undefined,
      results: { sent },
      states: INVITATION_STATUSES.map(key => ({ key, title: STATES[key], chosen: key === status })),
      invitations: data.map(invitation => ({
        ...invitation,
        state: STATES[invitation.status],
        pending: invitation.status === 'pending',
        inviter: inviterNames.get(invitation.invitedBy) ?? '',
        roles: invitation.roles.map(names.nameOf),
      })),
      next: nextCursor === null ? null : `${PATH}?${next}`,
      mayResend: caller.can('identity.invitation.create'),
      mayRevoke: caller.can('identity.invitation.revoke'),
    }
  }

  const list = page({
    name: 'identity.invitations',
    path: PATH,
    title: 'Invitations',
    allow: 'identity.invitation.read',
    load: async ({ caller, tenantId, query }) => ({ data: await view(caller, tenantId, query) }),
    post: ({ caller, tenantId, form }) =>
      submit(
        () => view(caller, tenantId, {}),
        async () => {
          const sent = await change(caller, tenantId, form)
          if (sent.length > 0) return { data: await view(caller, tenantId, {}, sent) }
          return { redirect: `${PATH}?done=${form.intent === 'revoke' ? 'revoked' : 'resent'}` }
        },
      ),
  })
  return [list]
}
