import type { ServicesOf } from '@larder-dev/larder/kernel'
import type { UserServices } from '../users/services.ts'
import { createChecklist } from './checklist.ts'
import { createApiKeys } from './keys/api-keys.ts'
import { createLastWorkspace } from './last-workspace.ts'
import { createInvitations } from './members/invitations.ts'
import type { MemberFactors } from './members/member-factors.ts'
import { createMembers } from './members/members.ts'
import { createMemberships } from './members/memberships.ts'
import { createAccessChanges } from './roles/access-changes.ts'
import { createRights } from './roles/rights.ts'
import { createRoles } from './roles/roles.ts'
import { createTenants } from './tenants.ts'

export const workspaceServices = {
  accessChanges: createAccessChanges,
  apiKeys: createApiKeys,
  checklist: createChecklist,
  invitations: createInvitations,
  lastWorkspace: createLastWorkspace,
  members: createMembers,
  memberships: createMemberships,
  rights: createRights,
  roles: createRoles,
  tenants: createTenants,
}
/** Those of this feature and of the features below it. */
export type WorkspaceServices = ServicesOf<typeof workspaceServices> &
  UserServices & { readonly memberFactors: MemberFactors }
