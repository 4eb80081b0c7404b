/** Roles that every installation has. */

export const OWNER = 'tenant.owner'
export const MEMBER = 'tenant.member'
/** The role of everybody who registers in a product of people. */
export const CUSTOMER = 'tenant.customer'
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

/** In a product of people, unless the recipe has its own. */
export const CUSTOMER_ROLE = {
  name: 'Customer',
  description: 'Does what the rules of the product name, and manages their own account',
  permissions: [],
} as const

/** Listed even if the recipe has no content module. */
export const FIXED_GRANTS = { [MEMBER]: ['content.page.read'] }
