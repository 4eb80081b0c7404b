/**
 * The two roles that everything except a migration runs as. `larder_app…` logs in and is subject to row level security;
 * it switches to `larder_system…` for work across tenants. Roles belong to the whole server, so the roles of each
 * database have names of their own. See docs/decisions/0055-roles-of-an-installation.md.
 */
export interface RoleNames {
  readonly app: string
  readonly system: string
}

/** What migrations write. `withRoleNames` replaces them by the names of the installation. */
export const APP_ROLE = 'larder_app'
export const SYSTEM_ROLE = 'larder_system'

export const rolesWithSuffix = (suffix: string): RoleNames => ({
  app: `${APP_ROLE}${suffix}`,
  system: `${SYSTEM_ROLE}${suffix}`,
})

/** Version 0.1.0 used these in every database of a server. */
export const SHARED_ROLES = rolesWithSuffix('')

export const isShared = ({ app }: RoleNames): boolean => app === SHARED_ROLES.app

/** Undefined unless `rolesWithSuffix` makes the name. These names need no quotes. */
export function rolesOfApp(app: string): RoleNames | undefined {
  const [, suffix] = /^larder_app((?:_[a-z0-9]+)*)$/.exec(app) ?? []
  return suffix === undefined ? undefined : rolesWithSuffix(suffix)
}

export const withRoleNames = (sql: string, names: RoleNames): string =>
  sql.replace(/\blarder_(app|system)\b/g, (_, use: keyof RoleNames) => names[use])
