/** The roles that the specification fixes, and the operator's. */

import type { RoleEntry } from 'larder/kernel'
export const OWNER = 'tenant.owner'
export const MEMBER = 'tenant.member'
export const PLATFORM_ADMIN = 'platform.admin'

/** Exact: `content.page.read` stands here whether or not this recipe has pages. */
export const FIXED_ROLES: readonly RoleEntry[] = [
  { key: OWNER, name: 'Owner', scope: 'tenant', permissions: ['*'], from: 'identity' },
  { key: MEMBER, name: 'Member', scope: 'tenant', permissions: ['content.page.read'], from: 'identity' },
  { key: PLATFORM_ADMIN, name: 'Platform admin', scope: 'platform', permissions: ['*'], from: 'identity' },
]
