/** What the catalogs of PostgreSQL say about the roles of this database. */
import { type RoleNames, rolesOfApp, rolesWithSuffix } from './role-names.ts'

export type Query = (sql: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>

/**
 * The roles that the policies of this database name; those in use come last. Dumps contain policies, so a restored
 * database names the roles of its original. Empty for a database without Larder tables.
 */
export async function namedRoles(query: Query): Promise<RoleNames[]> {
  const { rows } = await query(
    `select r.rolname as name from pg_policy p join pg_roles r on r.oid = any (p.polroles)
      where p.polrelid = to_regclass('larder_installation') and p.polname = 'anyone'`,
  )
  const own = await ownSuffix(query)
  const rank = (app: string) => (isOf(app, own) ? 2 : app.includes('app_') ? 1 : 0)
  return rows
    .map(({ name }) => String(name))
    .sort((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1))
    .flatMap(name => rolesOfApp(name) ?? [])
}

/** The roles that statements run as: those of the policies, or those that `migrate` will create. */
export async function currentRoles(query: Query): Promise<RoleNames> {
  return (await namedRoles(query)).at(-1) ?? rolesWithSuffix(await ownSuffix(query))
}

const isOf = (app: string, suffix: string): boolean =>
  app === rolesWithSuffix(suffix).app || app.startsWith(`${rolesWithSuffix(suffix).app}_`)

/** The id of a database is unique on its server, and a copy of the database has another one. */
async function ownSuffix(query: Query): Promise<string> {
  const { rows } = await query('select oid from pg_database where datname = current_database()')
  return `_${rows[0]?.oid}`
}

/** Names that no other database of the server uses, nor one of `taken`. */
export async function freeRoles(query: Query, taken: readonly RoleNames[]): Promise<RoleNames> {
  const suffix = await ownSuffix(query)
  for (let number = 1; ; number++) {
    const roles = rolesWithSuffix(number === 1 ? suffix : `${suffix}_${number}`)
    if (taken.some(({ app }) => app === roles.app)) continue
    if ((await otherDatabases(query, roles)).length === 0) return roles
  }
}

/** Names of other databases with rights or policies of these roles. */
export async function otherDatabases(query: Query, { app, system }: RoleNames): Promise<string[]> {
  const { rows } = await query(
    `select distinct d.datname as name from pg_shdepend s join pg_roles r on r.oid = s.refobjid
       join pg_database d on d.oid = case s.dbid when 0 then s.objid else s.dbid end
      where s.refclassid = 'pg_authid'::regclass and r.rolname = any ($1) and d.datname <> current_database()
        and (s.dbid <> 0 or s.classid = 'pg_database'::regclass) order by 1`,
    [[app, system]],
  )
  return rows.map(({ name }) => String(name))
}

/** Whether a session of this database has the rights of the app role. */
export async function isInUse(query: Query, { app }: RoleNames): Promise<boolean> {
  const { rows } = await query(
    `select exists (select from pg_stat_activity a join pg_roles r on r.oid = a.usesysid
       where a.datname = current_database() and r.rolname <> current_user and not r.rolsuper
         and pg_has_role(r.oid, $1, 'usage')) as used`,
    [app],
  )
  return rows[0]?.used === true
}
