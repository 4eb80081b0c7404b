/** Copies and removes the rights of roles on the tables, views, sequences and functions of this database. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Query } from './role-catalog.ts'
import type { RoleNames } from './role-names.ts'

/** A table that a long transaction holds must not stop the requests that queue behind this statement. */
const LOCK_TIMEOUT = '1s'
const LOCK_NOT_AVAILABLE = '55P03'
const MAX_TRIES = 60

/** Rights of `$1` as `privilege` and `target`. Rights on a column have the column in `privilege`. */
const RIGHTS = `
  rights as (
    select a.grantee, a.privilege_type as privilege,
      case c.relkind when 'S' then 'sequence ' else 'table ' end || c.oid::regclass as target
    from pg_class c, aclexplode(c.relacl) a where c.relnamespace = current_schema()::regnamespace
    union all
    select a.grantee, format('%s (%I)', a.privilege_type, t.attname), 'table ' || c.oid::regclass
    from pg_class c join pg_attribute t on t.attrelid = c.oid and not t.attisdropped, aclexplode(t.attacl) a
    where c.relnamespace = current_schema()::regnamespace
    union all
    select a.grantee, a.privilege_type, 'function ' || p.oid::regprocedure
    from pg_proc p, aclexplode(p.proacl) a where p.pronamespace = current_schema()::regnamespace
    union all
    select a.grantee, a.privilege_type, format('schema %I', n.nspname)
    from pg_namespace n, aclexplode(n.nspacl) a where n.oid = current_schema()::regnamespace
  )`

/** Those of this table decide which roles the installation uses, so they change last. */
const MARKER_LAST = `(c.oid = to_regclass('larder_installation'))`

const MISSING_GRANTS = `with ${RIGHTS}
  select format('grant %s on %s to %I', string_agg(privilege, ', '), target, $2::text) as sql
  from (select privilege, target from rights where grantee = $1::regrole
        except select privilege, target from rights where grantee = $2::regrole) as missing
  group by target order by target`

const MISSING_POLICIES = `
  select format('alter policy %I on %s to %s', p.polname, c.oid::regclass,
    (select string_agg(case r.oid when 0 then 'public' else quote_ident(pg_get_userbyid(r.oid)) end, ', ' order by r.at)
     from unnest(p.polroles || $2::regrole::oid) with ordinality as r (oid, at))) as sql
  from pg_policy p join pg_class c on c.oid = p.polrelid
  where c.relnamespace = current_schema()::regnamespace
    and $1::regrole = any (p.polroles) and not $2::regrole = any (p.polroles)
  order by ${MARKER_LAST}, c.oid::regclass::text`

const FUNCTIONS = `
  select format('alter function %s owner to %I', p.oid::regprocedure, $2::text) as sql
  from pg_proc p where p.pronamespace = current_schema()::regnamespace and p.proowner = $1::regrole`

const GRANTED = `with ${RIGHTS}
  select format('revoke %s on %s from %I', string_agg(privilege, ', '), target, $1::text) as sql
  from rights where grantee = $1::regrole group by target order by target`

const NAMING_POLICIES = `
  select format('alter policy %I on %s to %s', p.polname, c.oid::regclass,
    (select string_agg(case r.oid when 0 then 'public' else quote_ident(pg_get_userbyid(r.oid)) end, ', ' order by r.at)
     from unnest(array_remove(p.polroles, $1::regrole::oid)) with ordinality as r (oid, at))) as sql
  from pg_policy p join pg_class c on c.oid = p.polrelid
  where c.relnamespace = current_schema()::regnamespace and $1::regrole = any (p.polroles)
    and cardinality(p.polroles) > 1
  order by ${MARKER_LAST}, c.oid::regclass::text`

/** Gives `to` what `from` has. Each statement is a transaction of its own; an interrupted copy is repeated. */
export async function copyRights(query: Query, from: RoleNames, to: RoleNames): Promise<void> {
  for (const use of ['app', 'system'] as const) await runAll(query, MISSING_GRANTS, [from[use], to[use]])
  for (const use of ['system', 'app'] as const) await runAll(query, MISSING_POLICIES, [from[use], to[use]])
}

/** Makes the functions of one role those of the other: they run with the rights of their owner. */
export async function takeFunctions(query: Query, from: RoleNames, to: RoleNames): Promise<void> {
  const { rows } = await query(FUNCTIONS, [from.system, to.system])
  if (rows.length === 0) return
  const [schema] = (await query('select quote_ident(current_schema()) as name')).rows
  // The owner of a function needs this right when it becomes the owner.
  await query(`grant create on schema ${schema?.name} to ${to.system}`)
  for (const { sql } of rows) await query(String(sql))
  await query(`revoke create on schema ${schema?.name} from ${to.system}`)
}

export async function removeRights(query: Query, roles: RoleNames): Promise<void> {
  for (const use of ['system', 'app'] as const) await runAll(query, NAMING_POLICIES, [roles[use]])
  for (const use of ['app', 'system'] as const) await runAll(query, GRANTED, [roles[use]])
}

async function runAll(query: Query, find: string, values: unknown[]): Promise<void> {
  const { rows } = await query(find, values)
  for (const { sql } of rows) await run(query, String(sql))
}

async function run(query: Query, sql: string): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      await query(`set lock_timeout = '${LOCK_TIMEOUT}'`)
      await query(sql)
      await query('reset lock_timeout')
      return
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || tries === MAX_TRIES) throw error
      await pause(100)
    }
}
