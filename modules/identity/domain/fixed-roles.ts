/** Roles that every installation has. */
import type { RoleEntry } from 'larder/kernel'

export const OWNER = 'tenant.owner'
export const MEMBER = 'tenant.member'
export const PLATFORM_ADMIN = 'platform.admin'

/** `content.page.read` is listed even if the recipe has no content module. */
export const FIXED_ROLES: readonly RoleEntry[] = [
  { key: OWNER, name: 'Owner', scope: 'tenant', permissions: ['*'], from: 'identity' },
  { key: MEMBER, name: 'Member', scope: 'tenant', permissions: ['content.page.read'], from: 'identity' },
  { key: PLATFORM_ADMIN, name: 'Platform admin', scope: 'platform', permissions: ['*'], from: 'identity' },
]
