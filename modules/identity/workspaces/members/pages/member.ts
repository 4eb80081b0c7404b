/** One member of the current workspace: roles, ownership, removal. */
import { type Caller, page, Type } from '@larder-dev/larder/kernel'
import { createValidator } from '@larder-dev/larder/kernel/internal'
import { RoleKeys } from '../../../domain/fields.ts'
import { OWNER } from '../../../domain/fixed-roles.ts'
import { RECENT_AUTH } from '../../../domain/recent-proof.ts'
import { assertPermission, checkedValues, submit } from '../../../pages/form.ts'
import { memberRow, readRoles } from '../../roles/pages/role-choices.ts'
import type { WorkspaceServices } from '../../services.ts'

const UPDATE = 'identity.member.update'
const REMOVE = 'identity.member.remove'
const ROLE = 'role:'
const needsRecentAuth = ({ intent = '' }: Readonly<Record<string, string>>) =>
  intent === 'transfer' || intent === 'second-factor'

export function memberPage({ memberFactors, members, profiles, roles, settings }: WorkspaceServices) {
  const checkRoles = createValidator().body(Type.Object({ roles: RoleKeys }))

  async function view(
    caller: Caller,
    tenantId: string,
    id: string,
    done: string,
    locale: string,
    chosen?: readonly string[],
  ) {
    const [member, names] = await Promise.all([members.get(tenantId, id), readRoles(roles, tenantId, settings)])
    const row = memberRow(member, names, caller)
    return {
      ...row,
      path: `/workspace/members/${id}`,
      roles: names.choices(caller, chosen ?? member.roles).map(choice => ({ ...choice, box: ROLE + choice.key })),
      since: member.createdAt,
      done,
      error: null,
      details: profiles.memberFields()?.form(member.profile, locale) ?? null,
      mayUpdate: caller.can(UPDATE),
      mayRemove: !row.self && caller.can(REMOVE),
      mayRemoveFactor: settings.totp && !row.self && caller.roles.includes(OWNER) && caller.can(UPDATE),
      mayTransfer: !row.self && caller.roles.includes(OWNER) && caller.can(UPDATE),
    }
  }

  return page({
    name: 'identity.member',
    path: '/workspace/members/:id',
    title: 'Member',
    allow: 'identity.member.read',
    recentAuth: { within: RECENT_AUTH, forms: needsRecentAuth },
    async load({ caller, tenantId, params, query, locale }) {
      const data = await view(caller, tenantId, String(params.id), query.done ?? '', locale)
      return { data, title: data.name }
    },
    async post({ caller, tenantId, params, form, locale }) {
      const id = String(params.id)
      const keys = checkedValues(form, ROLE)
      const shown = () => view(caller, tenantId, id, '', locale, form.intent === 'roles' ? keys : undefined)
      return submit(shown, async () => {
        if (form.intent === 'remove') {
          assertPermission(caller, REMOVE)
          await members.remove(tenantId, id, caller)
          return { redirect: '/workspace/members?done=removed' }
        }
        assertPermission(caller, UPDATE)
        if (form.intent === 'second-factor') {
          await memberFactors.remove(tenantId, id, caller)
          return { redirect: `/workspace/members/${id}?done=saved` }
        }
        if (form.intent === 'transfer') {
          await members.transferOwnership(tenantId, id, caller)
          return { redirect: '/workspace/members?done=transferred' }
        }
        checkRoles({ roles: keys })
        await members.setRoles(tenantId, id, keys, caller)
        return { redirect: `/workspace/members/${id}?done=saved` }
      })
    },
  })
}
