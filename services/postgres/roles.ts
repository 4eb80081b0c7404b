/** Creates and checks the roles that everything except a migration runs as. */
import pg from 'pg'
import type { Logger } from 'pino'
import type { AppAccess } from './app-access.ts'
import { isRejectedLogin, isWrongPassword } from './errors.ts'
import { operatorErrors } from './operator-errors.ts'
import { describeServer } from './owner.ts'
import { freeRoles, isInUse, namedRoles, otherDatabases, type Query } from './role-catalog.ts'
import { APP_ROLE, isShared, type RoleNames, SHARED_ROLES, SYSTEM_ROLE, withRoleNames } from './role-names.ts'
import { copyRights, removeRights, takeFunctions } from './role-rights.ts'

const MAX_ATTEMPTS = 20
const INSUFFICIENT_PRIVILEGE = '42501'
const DEPENDENT_OBJECTS = '2BP01'
/** Another process changed the roles: unique_violation, duplicate_object, tuple concurrently updated. */
const CONCURRENT_CHANGE_SQLSTATES = new Set(['23505', '42710', 'XX000'])

/**
 * Creates missing roles and grants, and sets a working password. Runs as the owner, under the migration lock. Returns the
 * connection of the app role that tried the password, if there is one, for `checkAppRole`.
 */
export async function ensureRoles(query: Query, access: AppAccess, log: Logger): Promise<pg.Client | undefined> {
  for (let tries = 1; ; tries++)
    try {
      return await ensureOnce(query, access, log)
    } catch (error) {
      if (!CONCURRENT_CHANGE_SQLSTATES.has(sqlState(error)) || tries === MAX_ATTEMPTS) throw error
      await new Promise(resolve => setTimeout(resolve, 10 + Math.random() * 40))
    }
}

async function ensureOnce(query: Query, access: AppAccess, log: Logger): Promise<pg.Client | undefined> {
  const named = await namedRoles(query)
  const known = await rolesToKeep(query, access, named)
  const kept = known && (await keep(query, access, known))
  if (kept) return kept.login
  const own = await freeRoles(query, named)
  try {
    await createRoles(query, own, access.passwords.length > 0)
    access.useRoles(own)
    await limitConnections(query, [own, ...named])
    for (const former of named) await moveRights(query, former, own, log)
    return await ensurePassword(query, access)
  } catch (error) {
    if (sqlState(error) === INSUFFICIENT_PRIVILEGE) throw await rolesMissing(query, own, known, error)
    throw error
  }
}

/** The roles that this database keeps if their password works; undefined if it needs roles of its own. */
async function rolesToKeep(
  query: Query,
  access: AppAccess,
  named: readonly RoleNames[],
): Promise<RoleNames | undefined> {
  const current = named.at(-1)
  // An administrator created the roles of `DATABASE_APP_URL`. The login of 0.1.0 was a member of the shared ones.
  if (access.passwords.length === 0) return current ?? ((await isShareable(query, access)) ? SHARED_ROLES : undefined)
  if (!current || !isShared(current)) return current
  return (await mayCreateRoles(query)) ? undefined : current
}

async function isShareable(query: Query, access: AppAccess): Promise<boolean> {
  const { rows } = await query(
    `select exists (select from pg_roles app, pg_roles login where app.rolname = $1 and login.rolname = $2
       and not login.rolsuper and pg_has_role(login.oid, app.oid, 'member')) as holds`,
    [SHARED_ROLES.app, access.login()],
  )
  return rows[0]?.holds === true
}

async function mayCreateRoles(query: Query): Promise<boolean> {
  const { rows } = await query('select rolsuper or rolcreaterole as may from pg_roles where rolname = current_user')
  return rows[0]?.may === true
}

/** Returns undefined if the roles belong to another database, or somebody else created them, and their password is unknown. */
async function keep(
  query: Query,
  access: AppAccess,
  roles: RoleNames,
): Promise<{ login: pg.Client | undefined } | undefined> {
  access.useRoles(roles)
  const login = await firstLogin(access)
  if (!login && access.passwords.length > 0 && (await otherDatabases(query, roles)).length > 0) return undefined
  try {
    await createRoles(query, roles, access.passwords.length > 0)
    await limitConnections(query, [roles])
    return { login: login ?? (await ensurePassword(query, access)) }
  } catch (error) {
    if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error
    if (login || access.passwords.length === 0) throw await rolesMissing(query, roles, undefined, error)
    return undefined
  }
}

/** @param isOurs whether no administrator manages the roles. */
async function createRoles(query: Query, { app, system }: RoleNames, isOurs: boolean): Promise<void> {
  const { rows } = await query(
    `select (select true from pg_roles where rolname = $1) as app, (select true from pg_roles where rolname = $2) as system,
       (select rolinherit from pg_roles where rolname = $1) as inherits`,
    [app, system],
  )
  if (!rows[0]?.system) await query(`create role ${system} nologin`)
  if (!rows[0]?.app) await query(`create role ${app} login noinherit`)
  // Somebody created it for a restore. With the rights of the other role, it would see the rows of all tenants.
  else if (rows[0].inherits && isOurs) await query(`alter role ${app} noinherit`)
  const { rows: members } = await query(
    `select pg_has_role($1, $2, 'member') as app, pg_has_role(current_user, $2, 'usage') as owner,
       has_schema_privilege($1, current_schema(), 'usage') and has_schema_privilege($2, current_schema(), 'usage') as reads`,
    [app, system],
  )
  if (!members[0]?.app) await query(`grant ${system} to ${app}`)
  // Forced row level security applies to an owner that is not a superuser: its migrations would see no rows.
  if (!members[0]?.owner) await query(`grant ${system} to current_user`)
  if (!members[0]?.reads) {
    const [schema] = (await query('select quote_ident(current_schema()) as name')).rows
    await query(`grant usage on schema ${schema?.name} to ${app}, ${system}`)
  }
}

/**
 * Without the right of everybody to connect, roles of other installations can't open this database. Other programs
 * that are connected now keep the right. Only the owner of the database can change it.
 */
async function limitConnections(
  query: Query,
  [{ app }, ...others]: readonly [RoleNames, ...RoleNames[]],
): Promise<void> {
  const { rows } = await query(
    `select quote_ident(d.datname) as name, pg_has_role(current_user, d.datdba, 'usage') as mine,
       exists (select from aclexplode(acl) a where a.grantee = 0 and a.privilege_type = 'CONNECT') as open,
       exists (select from aclexplode(acl) a where a.grantee = $1::regrole and a.privilege_type = 'CONNECT') as granted
     from pg_database d, coalesce(d.datacl, acldefault('d', d.datdba)) acl where d.datname = current_database()`,
    [app],
  )
  const [database] = rows
  if (!database?.mine) return
  if (!database.granted) await query(`grant connect on database ${database.name} to ${app}`)
  if (!database.open) return
  const { rows: connected } = await query(
    `select distinct quote_ident(r.rolname) as name from pg_stat_activity a join pg_roles r on r.oid = a.usesysid
      where a.datname = current_database() and not r.rolsuper
        and (r.rolname !~ '^larder_app(_|$)' or r.rolname = any ($1))`,
    [others.map(role => role.app)],
  )
  for (const { name } of connected) await query(`grant connect on database ${database.name} to ${name}`)
  await query(`revoke connect on database ${database.name} from public`)
}

async function moveRights(query: Query, from: RoleNames, to: RoleNames, log: Logger): Promise<void> {
  await copyRights(query, from, to)
  await takeFunctions(query, from, to)
  log.info({ from: from.app, to: to.app }, 'the database has roles of its own')
}

/**
 * Takes the rights of roles that this database had before, unless a process that is still running uses them: that of a
 * version whose roles all databases share. Such a process can use what was created since. Runs after the migrations.
 */
export async function settleFormerRoles(query: Query, access: AppAccess, log: Logger): Promise<void> {
  const used: RoleNames[] = []
  for (const former of await namedRoles(query)) {
    if (former.app === access.roles.app) continue
    if (await isInUse(query, former)) {
      await copyRights(query, access.roles, former)
      used.push(former)
      log.info({ role: former.app }, 'a running process uses the former role; a later migrate removes its rights')
    } else await forget(query, former)
  }
  access.useFormerRoles(used)
}

async function forget(query: Query, roles: RoleNames): Promise<void> {
  await removeRights(query, roles)
  const { rows } = await query(
    `select quote_ident(d.datname) as name from pg_database d, aclexplode(d.datacl) a
      where d.datname = current_database() and a.grantee = $1::regrole and pg_has_role(current_user, d.datdba, 'usage')`,
    [roles.app],
  )
  for (const { name } of rows) await query(`revoke connect on database ${name} from ${roles.app}`)
  if ((await otherDatabases(query, roles)).length > 0) return
  for (const role of [roles.app, roles.system]) await dropIfUnused(query, role)
}

/** A role of somebody else, or with rights elsewhere, stays. */
async function dropIfUnused(query: Query, role: string): Promise<void> {
  try {
    await query(`drop role ${role}`)
  } catch (error) {
    if (![INSUFFICIENT_PRIVILEGE, DEPENDENT_OBJECTS].includes(sqlState(error))) throw error
  }
}

/** @param foreign the roles that this database names and can't use. */
async function rolesMissing(
  query: Query,
  { app, system }: RoleNames,
  foreign: RoleNames | undefined,
  cause: unknown,
): Promise<Error> {
  const { rows } = await query('select quote_ident(current_user) as owner, quote_ident(current_database()) as database')
  const others = foreign ? await otherDatabases(query, foreign) : []
  const taken = foreign
    ? ` It names the role ${foreign.app}, which belongs to ${others.length > 0 ? `the database ${others.join(', ')}` : 'somebody else'}.`
    : ''
  const { owner, database } = rows[0] as { owner: string; database: string }
  return operatorErrors.roles_missing({ taken, app, system, owner, database }, { cause })
}

/**
 * Keeps any accepted password: during a rotation, processes that only have the older secret may still be running. Changes
 * the password only if none of them works.
 */
async function ensurePassword(query: Query, access: AppAccess): Promise<pg.Client | undefined> {
  const client = await firstLogin(access)
  const [newest] = access.passwords
  if (client || !newest) return client
  await query(`alter role ${access.roles.app} login password ${pg.escapeLiteral(newest)}`)
  access.usePassword(newest)
  return undefined
}

async function firstLogin(access: AppAccess): Promise<pg.Client | undefined> {
  for (const password of access.passwords) {
    access.usePassword(password)
    const client = await tryLogin(access)
    if (client) return client
  }
  return undefined
}

const sqlState = (error: unknown): string => (error as { code?: string }).code ?? ''

/** Returns undefined if the password is wrong. */
async function tryLogin(access: AppAccess): Promise<pg.Client | undefined> {
  try {
    return await logIn(access)
  } catch (error) {
    // 28000: the role may not log in yet.
    if (isWrongPassword(error) || (error as { code?: string }).code === '28000') return undefined
    throw error
  }
}

async function logIn(access: AppAccess, direct = true): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: access.url(direct) })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

/**
 * Closes the connection of `ensureRoles`.
 * @throws OperatorError if the role that serves requests could bypass row level security.
 */
export async function checkAppRole(access: AppAccess, connected: pg.Client | undefined): Promise<void> {
  const client = connected ?? (await logInForChecks(access))
  try {
    const { rows } = await client.query(ROLE_CHECKS, [access.roles.app, access.roles.system])
    const wrong = Object.entries(rows[0] as Record<string, boolean>).filter(([, holds]) => !holds)
    if (wrong.length > 0)
      throw operatorErrors.app_role_unsuitable({
        login: client.user ?? '',
        reasons: wrong.map(([check]) => withRoleNames(ROLE_PROBLEMS[check] ?? '', access.roles)).join('; '),
      })
  } finally {
    await client.end()
  }
}

async function logInForChecks(access: AppAccess): Promise<pg.Client> {
  try {
    return await logIn(access)
  } catch (error) {
    if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error
    const reasons = 'it may not connect to the database (grant connect on the database to it)'
    throw operatorErrors.app_role_unsuitable({ login: access.login(), reasons }, { cause: error })
  }
}

/** @throws OperatorError `pooler_login_rejected` if the pooler in front of the server can't authenticate the app role. */
export async function checkPoolerLogin(access: AppAccess): Promise<void> {
  try {
    const client = await logIn(access, false)
    await client.end()
  } catch (error) {
    // Another failure may pass, and the first statement reports it.
    if (!isRejectedLogin(error)) return
    const url = access.url()
    const login = decodeURIComponent(new URL(url).username)
    throw operatorErrors.pooler_login_rejected(
      { server: describeServer(url), login, reason: (error as Error).message },
      { cause: error },
    )
  }
}

const ROLE_CHECKS = `
  select not r.rolsuper as not_superuser, not r.rolbypassrls as row_security,
    not exists (select from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
      and pg_has_role(session_user, c.relowner, 'member')) as not_owner,
    pg_has_role(session_user, $1, 'usage') as app_member, pg_has_role(session_user, $2, 'member') as system_member,
    not pg_has_role(session_user, $2, 'usage') and not pg_has_role($1, $2, 'usage') as noinherit
  from pg_roles r where r.rolname = session_user`

const ROLE_PROBLEMS: Readonly<Record<string, string>> = {
  not_superuser: 'it is a superuser, and superusers bypass row level security',
  row_security: 'it may bypass row level security',
  not_owner: 'it owns Larder tables, or is a member of their owner',
  app_member: `it is not a member of ${APP_ROLE} that inherits its rights (grant ${APP_ROLE} to it with inherit true)`,
  system_member: `it is not a member of ${SYSTEM_ROLE} (grant ${SYSTEM_ROLE} to it)`,
  noinherit: `it inherits the rights of ${SYSTEM_ROLE} (grant ${SYSTEM_ROLE} with inherit false)`,
}
