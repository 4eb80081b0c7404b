/**
 * The two roles that everything except a migration runs as: `larder_app` logs in and is subject to row level security;
 * it switches to `larder_system` for work across tenants. Roles belong to the whole server, so a migration of another
 * database may create them at the same time.
 */
import pg from 'pg'
import type { AppAccess } from './app-access.ts'
import { isRejectedLogin, isWrongPassword } from './errors.ts'
import { operatorErrors } from './operator-errors.ts'
import { describeServer } from './owner.ts'
import { APP_ROLE, SYSTEM_ROLE } from './role-names.ts'

type Query = (sql: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>

const MAX_ATTEMPTS = 20
const INSUFFICIENT_PRIVILEGE = '42501'
/** Another process changed the roles: unique_violation, duplicate_object, tuple concurrently updated. */
const CONCURRENT_CHANGE_SQLSTATES = new Set(['23505', '42710', 'XX000'])

/**
 * Creates missing roles and grants, and sets a working password. Runs as the owner, under the migration lock. Returns the
 * connection of the app role that tried the password, if there is one, for `checkAppRole`.
 */
export async function ensureRoles(query: Query, access: AppAccess): Promise<pg.Client | undefined> {
  for (let tries = 1; ; tries++)
    try {
      return await ensureOnce(query, access)
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === INSUFFICIENT_PRIVILEGE) throw operatorErrors.roles_missing({}, { cause: error })
      if (!CONCURRENT_CHANGE_SQLSTATES.has(code ?? '') || tries === MAX_ATTEMPTS) throw error
      await new Promise(resolve => setTimeout(resolve, 10 + Math.random() * 40))
    }
}

async function ensureOnce(query: Query, access: AppAccess): Promise<pg.Client | undefined> {
  const { rows } = await query(
    `select (select true from pg_roles where rolname = $1) as app, (select true from pg_roles where rolname = $2) as system`,
    [APP_ROLE, SYSTEM_ROLE],
  )
  if (!rows[0]?.system) await query(`create role ${SYSTEM_ROLE} nologin`)
  if (!rows[0]?.app) await query(`create role ${APP_ROLE} login noinherit`)
  const { rows: members } = await query(
    `select pg_has_role($1, $2, 'member') as app, pg_has_role(current_user, $2, 'usage') as owner,
       has_schema_privilege($1, current_schema(), 'usage') and has_schema_privilege($2, current_schema(), 'usage') as reads`,
    [APP_ROLE, SYSTEM_ROLE],
  )
  if (!members[0]?.app) await query(`grant ${SYSTEM_ROLE} to ${APP_ROLE}`)
  // Forced row level security applies to an owner that is not a superuser: its migrations would see no rows.
  if (!members[0]?.owner) await query(`grant ${SYSTEM_ROLE} to current_user`)
  if (!members[0]?.reads) {
    const [schema] = (await query('select quote_ident(current_schema()) as name')).rows
    await query(`grant usage on schema ${schema?.name} to ${APP_ROLE}, ${SYSTEM_ROLE}`)
  }
  return ensurePassword(query, access)
}

/**
 * Keeps any accepted password: during a rotation, processes that only have the older secret may still be running. Changes
 * the password only if none of them works.
 */
async function ensurePassword(query: Query, access: AppAccess): Promise<pg.Client | undefined> {
  for (const password of access.passwords) {
    access.usePassword(password)
    const client = await tryLogin(access)
    if (client) return client
  }
  const [newest] = access.passwords
  if (!newest) return undefined
  await query(`alter role ${APP_ROLE} login password ${pg.escapeLiteral(newest)}`)
  access.usePassword(newest)
  return undefined
}

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
  const client = connected ?? (await logIn(access))
  try {
    const { rows } = await client.query(ROLE_CHECKS, [APP_ROLE, SYSTEM_ROLE])
    const wrong = Object.entries(rows[0] as Record<string, boolean>).filter(([, holds]) => !holds)
    if (wrong.length > 0)
      throw operatorErrors.app_role_unsuitable({
        login: client.user ?? '',
        reasons: wrong.map(([check]) => ROLE_PROBLEMS[check]).join('; '),
      })
  } finally {
    await client.end()
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
