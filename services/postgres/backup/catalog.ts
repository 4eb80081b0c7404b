/**
 * The schema of an installation as statements that create it anew. The names of its roles are `larder_app` and
 * `larder_system`, as in migrations, because a restored database has roles of its own.
 */
import type pg from 'pg'
import { operatorErrors } from '../operator-errors.ts'
import { APP_ROLE, type RoleNames, SYSTEM_ROLE } from '../role-names.ts'

export interface DumpedTable {
  /** In quotes where it needs them, and so are the columns. */
  readonly name: string
  /** Those that are stored: without generated ones. */
  readonly columns: readonly string[]
}
export interface Schema {
  readonly name: string
  /** Run before the rows are written, in this order. */
  readonly before: readonly string[]
  readonly tables: readonly DumpedTable[]
  /** In quotes where they need them. */
  readonly sequences: readonly string[]
  /** Run after the rows are written: constraints, indexes, triggers, row level security and rights. */
  readonly after: readonly string[]
  /** Roles other than those of Larder that the statements name. */
  readonly roles: readonly string[]
}

/** Objects of extensions come with their extension. */
const OWN = (catalog: string, id: string) =>
  `not exists (select from pg_depend x where x.classid = '${catalog}'::regclass and x.objid = ${id} and x.deptype = 'e')`
const HERE = 'current_schema()::regnamespace'

const UNSUPPORTED = `
  select case c.relkind when 'p' then 'partitioned table' when 'f' then 'foreign table' when 'm' then 'materialized view'
      else 'inherited table' end || ' ' || c.oid::regclass as what
  from pg_class c where c.relnamespace = ${HERE} and ${OWN('pg_class', 'c.oid')}
    and (c.relkind in ('p', 'f', 'm') or exists (select from pg_inherits i where c.oid in (i.inhrelid, i.inhparent)))
  union all
  select 'type ' || t.oid::regtype from pg_type t where t.typnamespace = ${HERE} and ${OWN('pg_type', 't.oid')}
    and (t.typtype in ('r', 'm', 'p') or (t.typtype = 'c' and exists (select from pg_class c where c.oid = t.typrelid and c.relkind = 'c'))
      or (t.typtype = 'b' and t.typelem = 0))
  union all
  select 'aggregate ' || p.oid::regprocedure from pg_proc p where p.pronamespace = ${HERE} and p.prokind = 'a' and ${OWN('pg_proc', 'p.oid')}
  union all
  select 'rule ' || quote_ident(r.rulename) from pg_rewrite r join pg_class c on c.oid = r.ev_class
    where c.relnamespace = ${HERE} and r.rulename <> '_RETURN'
  union all
  select 'operator ' || o.oid::regoperator from pg_operator o where o.oprnamespace = ${HERE} and ${OWN('pg_operator', 'o.oid')}
  union all
  select 'text search configuration ' || quote_ident(s.cfgname) from pg_ts_config s where s.cfgnamespace = ${HERE} and ${OWN('pg_ts_config', 's.oid')}
  order by 1`

const EXTENSIONS = `
  select format('create extension if not exists %I', e.extname) as sql
  from pg_extension e where e.extnamespace = ${HERE} order by e.oid`

const COLLATIONS = `
  select format('create collation %I (provider = %s, %s, deterministic = %s)', c.collname,
    case c.collprovider when 'i' then 'icu' when 'b' then 'builtin' else 'libc' end,
    case c.collprovider when 'c' then format('lc_collate = %L, lc_ctype = %L', c.collcollate, c.collctype)
      else format('locale = %L', coalesce(to_jsonb(c) ->> 'colllocale', to_jsonb(c) ->> 'colliculocale')) end,
    c.collisdeterministic::text) as sql
  from pg_collation c where c.collnamespace = ${HERE} and ${OWN('pg_collation', 'c.oid')} order by c.oid`

const TYPES = `
  select case t.typtype
    when 'e' then format('create type %I as enum (%s)', t.typname,
      (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid))
    else format('create domain %I as %s%s%s%s%s', t.typname, format_type(t.typbasetype, t.typtypmod),
      case when t.typcollation <> (select b.typcollation from pg_type b where b.oid = t.typbasetype)
        then ' collate ' || (select quote_ident(n.nspname) || '.' || quote_ident(l.collname) from pg_collation l join pg_namespace n on n.oid = l.collnamespace where l.oid = t.typcollation) else '' end,
      coalesce(' default ' || t.typdefault, ''), case when t.typnotnull then ' not null' else '' end,
      coalesce((select string_agg(format(' constraint %I %s', k.conname, pg_get_constraintdef(k.oid)), '' order by k.conname)
        from pg_constraint k where k.contypid = t.oid and k.contype = 'c'), '')) end as sql
  from pg_type t where t.typnamespace = ${HERE} and t.typtype in ('e', 'd') and ${OWN('pg_type', 't.oid')} order by t.oid`

/** Functions over the rows of a table come after the tables. */
const FUNCTIONS = `
  select pg_get_functiondef(p.oid) as sql,
    exists (select from pg_depend d left join pg_type t on d.refclassid = 'pg_type'::regclass and t.oid = d.refobjid
      left join pg_type e on e.oid = t.typelem
      where d.classid = 'pg_proc'::regclass and d.objid = p.oid
        and (d.refclassid = 'pg_class'::regclass or coalesce(nullif(t.typrelid, 0), e.typrelid) <> 0)) as "isLate"
  from pg_proc p where p.pronamespace = ${HERE} and p.prokind <> 'a' and ${OWN('pg_proc', 'p.oid')} order by p.oid`

const sequenceOptions = (name: string) => `concat_ws(' ', ${name} 'start', s.seqstart, 'increment', s.seqincrement,
    'minvalue', s.seqmin, 'maxvalue', s.seqmax, 'cache', s.seqcache, case when s.seqcycle then 'cycle' end)`

const SEQUENCES = `
  select c.oid::regclass::text as name,
    format('create sequence %s as %s %s', c.oid::regclass, s.seqtypid::regtype, ${sequenceOptions('')}) as sql,
    (select d.deptype from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
       and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i') and d.refobjsubid > 0) as owned,
    (select format('alter sequence %s owned by %s.%I', c.oid::regclass, d.refobjid::regclass, a.attname)
     from pg_depend d join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
     where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.refclassid = 'pg_class'::regclass and d.deptype = 'a') as belongs
  from pg_class c join pg_sequence s on s.seqrelid = c.oid
  where c.relnamespace = ${HERE} and ${OWN('pg_class', 'c.oid')} order by c.oid`

const TABLES = `
  select c.oid::regclass::text as name,
    array_remove(array_agg(case when a.attgenerated = '' then quote_ident(a.attname) end order by a.attnum), null) as columns,
    format('create %stable %s (%s)%s', case c.relpersistence when 'u' then 'unlogged ' else '' end, c.oid::regclass,
      string_agg(concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
        case when a.attcollation <> t.typcollation then 'collate ' || l.name end,
        case when a.attgenerated <> '' then format('generated always as (%s) %s', pg_get_expr(d.adbin, d.adrelid),
            case a.attgenerated when 's' then 'stored' else 'virtual' end)
          when a.attidentity <> '' then format('generated %s as identity (%s)',
            case a.attidentity when 'a' then 'always' else 'by default' end,
            (select ${sequenceOptions("'sequence name', i.objid::regclass,")}
             from pg_depend i join pg_sequence s on s.seqrelid = i.objid
             where i.classid = 'pg_class'::regclass and i.refclassid = 'pg_class'::regclass and i.refobjid = c.oid
               and i.refobjsubid = a.attnum and i.deptype = 'i'))
          else 'default ' || pg_get_expr(d.adbin, d.adrelid) end,
        case when a.attnotnull then 'not null' end), ', ' order by a.attnum),
      coalesce(' with (' || (select string_agg(o.option_name || ' = ' || quote_literal(o.option_value), ', ')
        from pg_options_to_table(c.reloptions) o) || ')', '')) as sql,
    array_remove(array_agg(case when a.attstorage <> t.typstorage
      then format('alter table %s alter column %I set storage %s', c.oid::regclass, a.attname,
        case a.attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end) end), null)
    || array_remove(array_agg(case when a.attcompression <> ''
      then format('alter table %s alter column %I set compression %s', c.oid::regclass, a.attname,
        case a.attcompression when 'p' then 'pglz' else 'lz4' end) end), null)
    || array_remove(array_agg(case when coalesce(a.attstattarget, -1) <> -1
      then format('alter table %s alter column %I set statistics %s', c.oid::regclass, a.attname, a.attstattarget) end), null)
    || array_remove(array_agg(case when a.attoptions is not null
      then format('alter table %s alter column %I set (%s)', c.oid::regclass, a.attname,
        (select string_agg(o.option_name || ' = ' || quote_literal(o.option_value), ', ') from pg_options_to_table(a.attoptions) o)) end), null)
      as details
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    left join lateral (select quote_ident(n.nspname) || '.' || quote_ident(l.collname) as name
      from pg_collation l join pg_namespace n on n.oid = l.collnamespace where l.oid = a.attcollation) l on true
  where c.relnamespace = ${HERE} and c.relkind = 'r' and ${OWN('pg_class', 'c.oid')}
  group by c.oid, c.relpersistence, c.reloptions order by c.oid`

const VIEWS = `
  select format('create view %s%s as %s', c.oid::regclass,
    coalesce(' with (' || (select string_agg(o.option_name || ' = ' || quote_literal(o.option_value), ', ')
      from pg_options_to_table(c.reloptions) o) || ')', ''), rtrim(pg_get_viewdef(c.oid), ';')) as sql
  from pg_class c where c.relnamespace = ${HERE} and c.relkind = 'v' and ${OWN('pg_class', 'c.oid')} order by c.oid`

/** @param kinds of `pg_constraint`. */
const constraints = (kinds: string, condition = 'true') => `
  select format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) as sql
  from pg_constraint k join pg_class c on c.oid = k.conrelid
  where k.connamespace = ${HERE} and k.contype in (${kinds}) and c.relkind = 'r' and ${condition} and ${OWN('pg_class', 'c.oid')}
  order by k.conrelid::regclass::text, k.contype <> 'p', k.conname`

/** One that isn't valid is what an interrupted \`create index concurrently\` left. */
const INDEXES = `
  select pg_get_indexdef(i.indexrelid) as sql from pg_index i join pg_class c on c.oid = i.indrelid
  where c.relnamespace = ${HERE} and c.relkind = 'r' and i.indisvalid and ${OWN('pg_class', 'c.oid')}
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
  order by i.indexrelid`

const STATISTICS = `select pg_get_statisticsobjdef(s.oid) as sql from pg_statistic_ext s where s.stxnamespace = ${HERE} order by s.oid`

const TRIGGERS = `
  select pg_get_triggerdef(t.oid) as sql,
    case t.tgenabled when 'O' then null else format('alter table %s %s trigger %I', t.tgrelid::regclass,
      case t.tgenabled when 'D' then 'disable' when 'R' then 'enable replica' else 'enable always' end, t.tgname) end as detail
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = ${HERE} and not t.tgisinternal and ${OWN('pg_class', 'c.oid')} order by t.oid`

const COMMENTS = `
  select format('comment on %s is %L', o.what, d.description) as sql from pg_description d join (
    select 'pg_class'::regclass as catalog, c.oid, 0 as part, case c.relkind when 'v' then 'view ' when 'i' then 'index '
        when 'S' then 'sequence ' else 'table ' end || c.oid::regclass as what
      from pg_class c where c.relnamespace = ${HERE} and c.relkind in ('r', 'v', 'i', 'S')
    union all select 'pg_class'::regclass, c.oid, a.attnum, format('column %s.%I', c.oid::regclass, a.attname)
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 where c.relnamespace = ${HERE} and c.relkind in ('r', 'v')
    union all select 'pg_proc'::regclass, p.oid, 0, 'routine ' || p.oid::regprocedure from pg_proc p where p.pronamespace = ${HERE}
    union all select 'pg_trigger'::regclass, t.oid, 0, format('trigger %I on %s', t.tgname, t.tgrelid::regclass)
      from pg_trigger t join pg_class c on c.oid = t.tgrelid where c.relnamespace = ${HERE} and not t.tgisinternal
    union all select 'pg_constraint'::regclass, k.oid, 0, format('constraint %I on %s', k.conname, k.conrelid::regclass)
      from pg_constraint k where k.connamespace = ${HERE} and k.conrelid <> 0 and k.contype <> 'n'
    union all select 'pg_policy'::regclass, p.oid, 0, format('policy %I on %s', p.polname, p.polrelid::regclass)
      from pg_policy p join pg_class c on c.oid = p.polrelid where c.relnamespace = ${HERE}
    union all select 'pg_type'::regclass, t.oid, 0, case t.typtype when 'd' then 'domain ' else 'type ' end || t.oid::regtype
      from pg_type t where t.typnamespace = ${HERE} and t.typtype in ('e', 'd')
    union all select 'pg_collation'::regclass, l.oid, 0, format('collation %I', l.collname) from pg_collation l where l.collnamespace = ${HERE}
  ) o on o.catalog = d.classoid and o.oid = d.objoid and o.part = d.objsubid
  where not exists (select from pg_depend x where x.classid = d.classoid and x.objid = d.objoid and x.deptype = 'e')
  order by 1`

const POLICIES = `
  select format('create policy %I on %s as %s for %s to %s%s%s', p.polname, p.polrelid::regclass,
    case when p.polpermissive then 'permissive' else 'restrictive' end,
    case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
    (select string_agg(case r.oid when 0 then 'public' else quote_ident(pg_get_userbyid(r.oid)) end, ', ' order by r.at)
     from unnest(p.polroles) with ordinality as r (oid, at)),
    coalesce(' using (' || pg_get_expr(p.polqual, p.polrelid) || ')', ''),
    coalesce(' with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')', '')) as sql
  from pg_policy p join pg_class c on c.oid = p.polrelid
  where c.relnamespace = ${HERE} and ${OWN('pg_class', 'c.oid')} order by p.polrelid::regclass::text, p.polname`

const ROW_SECURITY = `
  select unnest(array_remove(array[
    case when c.relrowsecurity then format('alter table %s enable row level security', c.oid::regclass) end,
    case when c.relforcerowsecurity then format('alter table %s force row level security', c.oid::regclass) end], null)) as sql
  from pg_class c where c.relnamespace = ${HERE} and c.relkind = 'r' and ${OWN('pg_class', 'c.oid')} order by 1`

/** Rights of everybody but the owner. Everybody may call a new function. */
const RIGHTS = `
  with given as (
    select a.grantee, a.privilege_type as privilege, a.is_grantable as grantable,
      case c.relkind when 'S' then 'sequence ' else 'table ' end || c.oid::regclass as target
    from pg_class c, aclexplode(c.relacl) a
    where c.relnamespace = ${HERE} and c.relkind in ('r', 'v', 'S') and a.grantee <> c.relowner and ${OWN('pg_class', 'c.oid')}
    union all
    select a.grantee, format('%s (%I)', a.privilege_type, t.attname), a.is_grantable, 'table ' || c.oid::regclass
    from pg_class c join pg_attribute t on t.attrelid = c.oid and not t.attisdropped, aclexplode(t.attacl) a
    where c.relnamespace = ${HERE} and c.relkind in ('r', 'v') and ${OWN('pg_class', 'c.oid')}
    union all
    select a.grantee, a.privilege_type, a.is_grantable, 'routine ' || p.oid::regprocedure
    from pg_proc p, aclexplode(p.proacl) a
    where p.pronamespace = ${HERE} and a.grantee not in (0, p.proowner) and ${OWN('pg_proc', 'p.oid')}
    union all
    select a.grantee, a.privilege_type, a.is_grantable, format('schema %I', n.nspname)
    from pg_namespace n, aclexplode(n.nspacl) a
    where n.oid = ${HERE} and a.grantee not in (0, n.nspowner) and pg_get_userbyid(a.grantee) <> current_user
  )
  select format('revoke execute on routine %s from public', p.oid::regprocedure) as sql
  from pg_proc p where p.pronamespace = ${HERE} and p.proacl is not null and ${OWN('pg_proc', 'p.oid')}
    and not exists (select from aclexplode(p.proacl) a where a.grantee = 0)
  union all
  select sql from (select format('grant %s on %s to %s%s', string_agg(privilege, ', ' order by privilege), target,
    case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end,
    case when grantable then ' with grant option' else '' end) as sql
  from given group by target, grantee, grantable order by target, grantee) as granted`

/** Functions that run with the rights of the system role. The new owner needs the right to create for the change. */
const OWNED = `
  select format('alter routine %s owner to %I', p.oid::regprocedure, pg_get_userbyid(p.proowner)) as sql
  from pg_proc p where p.pronamespace = ${HERE} and pg_get_userbyid(p.proowner) = $1 and ${OWN('pg_proc', 'p.oid')} order by p.oid`

const ROLES = `
  select distinct pg_get_userbyid(r.oid) as name from (
    select unnest(p.polroles) from pg_policy p join pg_class c on c.oid = p.polrelid where c.relnamespace = ${HERE}
    union select a.grantee from pg_class c, aclexplode(c.relacl) a where c.relnamespace = ${HERE} and a.grantee <> c.relowner
    union select a.grantee from pg_class c join pg_attribute t on t.attrelid = c.oid, aclexplode(t.attacl) a where c.relnamespace = ${HERE}
    union select a.grantee from pg_proc p, aclexplode(p.proacl) a where p.pronamespace = ${HERE} and a.grantee <> p.proowner
    union select a.grantee from pg_namespace n, aclexplode(n.nspacl) a where n.oid = ${HERE} and a.grantee <> n.nspowner
      and pg_get_userbyid(a.grantee) <> current_user
  ) as r (oid) where r.oid <> 0 and pg_get_userbyid(r.oid) <> all ($1) order by 1`

/** Tables of which this login sees only some rows: neither a bypass nor a policy shows it all of them. */
const HIDDEN = `
  select c.oid::regclass::text as name from pg_class c
  where c.relnamespace = ${HERE} and c.relkind = 'r' and c.relrowsecurity and ${OWN('pg_class', 'c.oid')}
    and (c.relforcerowsecurity or not pg_has_role(current_user, c.relowner, 'usage'))
    and not exists (select from pg_roles r where r.rolname = current_user and (r.rolsuper or r.rolbypassrls))
    and (exists (select from pg_policy p where p.polrelid = c.oid and not p.polpermissive)
      or not exists (select from pg_policy p where p.polrelid = c.oid and p.polcmd in ('*', 'r')
        and pg_get_expr(p.polqual, p.polrelid) = 'true'
        and exists (select from unnest(p.polroles) r (oid) where r.oid = 0 or pg_has_role(current_user, r.oid, 'usage'))))
  order by 1`

type Sql = { readonly sql: string }

/** @throws OperatorError `backup_unsupported` for objects that `readSchema` leaves out, and `backup_hides_rows`. */
export async function assertDumpable(client: pg.ClientBase, { system }: RoleNames): Promise<void> {
  const { rows: unsupported } = await client.query<{ what: string }>(UNSUPPORTED)
  if (unsupported.length > 0)
    throw operatorErrors.backup_unsupported({ objects: unsupported.map(({ what }) => what).join(', ') })
  const { rows: hidden } = await client.query<{ name: string }>(HIDDEN)
  if (hidden.length > 0)
    throw operatorErrors.backup_hides_rows({ tables: hidden.map(({ name }) => name).join(', '), system })
}

/** Reads the schema of the connection, whose `search_path` must have it alone, so that names are written without it. */
export async function readSchema(client: pg.ClientBase, roles: RoleNames): Promise<Schema> {
  const all = async <Row = Sql>(text: string, values?: unknown[]): Promise<Row[]> =>
    (await client.query(text, values)).rows as Row[]
  const sql = async (text: string, values?: unknown[]) => (await all(text, values)).map(row => neutral(row.sql, roles))
  const [schema] = await all<{ name: string }>('select current_schema() as name')
  const functions = await all<Sql & { isLate: boolean }>(FUNCTIONS)
  const written = (isLate: boolean) =>
    functions.filter(each => each.isLate === isLate).map(each => neutral(each.sql, roles))
  const sequences = await all<Sql & { name: string; owned: string | null; belongs: string | null }>(SEQUENCES)
  const tables = await all<DumpedTable & Sql & { details: string[] }>(TABLES)
  const triggers = await all<Sql & { detail: string | null }>(TRIGGERS)
  const owned = await sql(OWNED, [roles.system])
  const quoted = (await all<{ name: string }>('select quote_ident(current_schema()) as name'))[0]?.name
  return {
    name: schema?.name ?? '',
    tables: tables.map(({ name, columns }) => ({ name, columns })),
    sequences: sequences.map(({ name }) => name),
    roles: (await all<{ name: string }>(ROLES, [[roles.app, roles.system]])).map(({ name }) => name),
    before: [
      ...(await sql(EXTENSIONS)),
      ...(await sql(COLLATIONS)),
      ...(await sql(TYPES)),
      ...written(false),
      // That of an identity column comes with its table.
      ...sequences.filter(({ owned }) => owned !== 'i').map(each => each.sql),
      ...tables.flatMap(table => [table.sql, ...table.details]),
      ...sequences.flatMap(({ belongs }) => belongs ?? []),
      ...written(true),
      ...(await sql(VIEWS)),
      ...(await sql(constraints("'c'", 'k.convalidated'))),
    ],
    after: [
      ...(await sql(constraints("'p', 'u', 'x'"))),
      ...(await sql(INDEXES)),
      ...(await sql(constraints("'f'"))),
      ...(await sql(constraints("'c'", 'not k.convalidated'))),
      ...(await sql(STATISTICS)),
      ...triggers.flatMap(({ sql, detail }) => [neutral(sql, roles), ...(detail ? [detail] : [])]),
      ...(await sql(ROW_SECURITY)),
      ...(await sql(POLICIES)),
      ...(await sql(COMMENTS)),
      ...(await sql(RIGHTS)),
      ...(owned.length > 0 ? [`grant create on schema ${quoted} to ${SYSTEM_ROLE}`] : []),
      ...owned,
      ...(owned.length > 0 ? [`revoke create on schema ${quoted} from ${SYSTEM_ROLE}`] : []),
    ],
  }
}

/** With the names that migrations write, in place of those of the installation. */
const neutral = (sql: string, { app, system }: RoleNames): string =>
  sql.replaceAll(new RegExp(`\\b${app}\\b`, 'g'), APP_ROLE).replaceAll(new RegExp(`\\b${system}\\b`, 'g'), SYSTEM_ROLE)

/** What the schema contains, as `table t`; empty for a new database. */
export async function contentsOf(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ what: string }>(`
    select what from (
      select 'relation ' || c.oid::regclass as what from pg_class c
        where c.relnamespace = ${HERE} and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and ${OWN('pg_class', 'c.oid')}
      union all select 'function ' || p.oid::regprocedure from pg_proc p where p.pronamespace = ${HERE} and ${OWN('pg_proc', 'p.oid')}
      union all select 'type ' || t.oid::regtype from pg_type t
        where t.typnamespace = ${HERE} and t.typtype in ('e', 'd') and ${OWN('pg_type', 't.oid')}
      union all select 'collation ' || quote_ident(l.collname) from pg_collation l
        where l.collnamespace = ${HERE} and ${OWN('pg_collation', 'l.oid')}) as found
    order by what limit 5`)
  return rows.map(({ what }) => what)
}
