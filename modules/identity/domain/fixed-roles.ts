/** Roles that every installation has. */

export const OWNER = 'tenant.owner'
export const MEMBER = 'tenant.member'
export const PLATFORM_ADMIN = 'platform.admin'

export const FIXED_ROLES = {
  [OWNER]: { name: 'Owner', permissions: ['*'] },
  [MEMBER]: { name: 'Member', permissions: [] },
  [PLATFORM_ADMIN]: { name: 'Platform admin', scope: 'platform', permissions: ['*'] },
} as const

/** Listed even if the recipe has no content module. */
export const FIXED_GRANTS = { [MEMBER]: ['content.page.read'] }
