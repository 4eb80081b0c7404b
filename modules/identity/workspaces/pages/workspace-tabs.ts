import { type Caller, defineTexts } from '@larder-dev/larder/kernel'
import type { IdentitySettings } from '../../options.ts'
import type { Tab } from '../../pages/account-tabs.ts'

const SSO = '/workspace/sso'
const LABELS = defineTexts({
  settings: 'General',
  members: 'Members',
  staff: 'Staff',
  invitations: 'Invitations',
  roles: 'Roles',
  keys: 'API keys',
  sso: 'Single sign-on',
  audit: 'Audit log',
})
const TABS: readonly (Tab & { readonly permission?: string })[] = [
  { label: LABELS.settings, path: '/workspace/settings' },
  { label: LABELS.members, path: '/workspace/members', permission: 'identity.member.read' },
  { label: LABELS.invitations, path: '/workspace/invitations', permission: 'identity.invitation.read' },
  { label: LABELS.roles, path: '/workspace/roles', permission: 'identity.role.read' },
  { label: LABELS.keys, path: '/workspace/api-keys', permission: 'identity.api_key.read' },
  { label: LABELS.sso, path: SSO, permission: 'identity.sso.read' },
  { label: LABELS.audit, path: '/workspace/audit', permission: 'identity.audit.read' },
]

/** Pages of the current workspace that the caller has permission to open. That of the operator isn't a customer's. */
export const workspaceTabs = (
  caller: Caller,
  { enterprise, customerRole }: Pick<IdentitySettings, 'enterprise' | 'customerRole'>,
): readonly Tab[] =>
  TABS.filter(({ path, permission }) => {
    if (caller.isCustomer || (path === SSO && !enterprise)) return false
    return permission === undefined || caller.can(permission)
  }).map(({ label, path }) => ({
    label: label === LABELS.members && customerRole !== undefined ? LABELS.staff : label,
    path,
  }))
