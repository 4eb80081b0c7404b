/** Roles that every installation has. */

export const OWNER = 'tenant.owner'
export const MEMBER = 'tenant.member'
export const PLATFORM_ADMIN = 'platform.admin'

export const FIXED_ROLES = {
  [OWNER]: { name: 'Owner', description: 'May do everything, including deleting the workspace', permissions: ['*'] },
  [MEMBER]: { name: 'Member', description: 'Reads pages', permissions: [] },
  [PLATFORM_ADMIN]: {
    name: 'Platform admin',
    description: 'May do everything in the whole installation',
    scope: 'platform',
    permissions: ['*'],
  },
} as const

/** Listed even if the recipe has no content module. */
export const FIXED_GRANTS = { [MEMBER]: ['content.page.read'] }
