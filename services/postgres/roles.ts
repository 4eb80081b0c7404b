/**
 * The two roles that everything but a migration runs as: `larder_app` logs in and is held by row level security,
 * `larder_system` is what it becomes for work across tenants. Roles belong to the whole server: another database's
 * migration may be making them at the same moment.
 */
import pg from 'pg'
import { APP_ROLE, type AppAccess, SYSTEM_ROLE } from './app-access.ts'
import { isWrongPassword } from './errors.ts'

type Query = (sql: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>

const TRIES = 20
/** Insufficient privilege. */
const FORBIDDEN = '42501'
/** Made, or changed, by another in the meantime: unique violation, duplicate object, tuple concurrently updated. */
const RACED = new Set(['23505', '42710', 'XX000'])

/** Makes what is missing, and sees to it that one of the accepted passwords fits. As the owner, under the lock. */
export async function ensureRoles(query: Query, access: AppAccess): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      await ensure(query, access)
      return
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === FORBIDDEN) throw new Error(sqlToRun(), { cause: error })
      if (!RACED.has(code ?? '') || tries === TRIES) throw error
      await new Promise(resolve => setTimeout(resolve, 10 + Math.random() * 40))
    }
}

async function ensure(query: Query, access: AppAccess): Promise<void> {
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
  // An owner that is no superuser is held by forced row level security too: its migrations would see no rows.
  if (!members[0]?.owner) await query(`grant ${SYSTEM_ROLE} to current_user`)
  if (!members[0]?.reads) {
    const [schema] = (await query('select quote_ident(current_schema()) as name')).rows
    await query(`grant usage on schema ${schema?.name} to ${APP_ROLE}, ${SYSTEM_ROLE}`)
  }
  await ensurePassword(query, access)
}

/**
 * Any accepted password will do: during a rotation processes that know the older secret alone may still be running. It
 * is changed when none fits any more.
 */
async function ensurePassword(query: Query, access: AppAccess): Promise<void> {
  for (const password of access.passwords) {
    access.use(password)
    if (await fits(access)) return
  }
  const [newest] = access.passwords
  if (!newest) return
  await query(`alter role ${APP_ROLE} login password ${pg.escapeLiteral(newest)}`)
  access.use(newest)
}

async function fits(access: AppAccess): Promise<boolean> {
  const client = new pg.Client({ connectionString: access.url(true) })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    // 28000: the role may not log in; it is about to.
    if (isWrongPassword(error) || (error as { code?: string }).code === '28000') return false
    throw error
  } finally {
    await client.end()
  }
}

/** @throws Error when the role that serves requests could pass row level security. */
export async function checkAppRole(access: AppAccess): Promise<void> {
  const client = new pg.Client({ connectionString: access.url(true) })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query(HELD, [APP_ROLE, SYSTEM_ROLE])
    const wrong = Object.entries(rows[0] as Record<string, boolean>).filter(([, holds]) => !holds)
    if (wrong.length > 0)
      throw new Error(
        `the database login '${client.user}' cannot serve requests, because ${wrong.map(([rule]) => WHY[rule]).join('; ')}`,
      )
  } finally {
    await client.end()
  }
}

const HELD = `
  select not r.rolsuper as plain, not r.rolbypassrls as held,
    not exists (select from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
      and pg_has_role(session_user, c.relowner, 'member')) as stranger,
    pg_has_role(session_user, $1, 'member') as app, pg_has_role(session_user, $2, 'member') as system,
    not pg_has_role(session_user, $2, 'usage') and not pg_has_role($1, $2, 'usage') as apart
  from pg_roles r where r.rolname = session_user`

const WHY: Readonly<Record<string, string>> = {
  plain: 'it is a superuser, and row level security does not hold superusers',
  held: 'it may bypass row level security',
  stranger: 'it owns tables of Larder, or may become their owner',
  app: `it is no member of ${APP_ROLE}: grant ${APP_ROLE} to it`,
  system: `it is no member of ${SYSTEM_ROLE}: grant ${SYSTEM_ROLE} to it`,
  apart: `it has the rights of ${SYSTEM_ROLE} without asking for them: grant ${SYSTEM_ROLE} with inherit false`,
}

const sqlToRun =
  (): string => `the owner of the database may not make the roles that Larder runs as. Let an administrator run:

  create role ${SYSTEM_ROLE} nologin;
  create role ${APP_ROLE} login noinherit password '…';
  grant ${SYSTEM_ROLE} to ${APP_ROLE};
  grant ${SYSTEM_ROLE} to <the owner in DATABASE_URL>;

and name that login in DATABASE_APP_URL.`
