/** Installations on a server of their own that checks passwords, with owners that are no superusers. */
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { ExecutionContext } from 'ava'
import pg from 'pg'
import { restore } from '../../bin/backup/read.ts'
import { explain } from '../../bin/failure.ts'
import { type Embedded, startEmbedded } from '../../services/postgres/embedded/embedded.ts'
import { startTestKernel, type TestKernel, type TestKernelOptions } from '../../testing/index.ts'
import { log } from '../services/postgres/fixtures.ts'
import { UPGRADE_RECIPE } from '../upgrade/store.ts'
import { type ExitResult, run } from './command.ts'

export const SECRET = 'the secret of an installation with backups'

type Teardown = Pick<ExecutionContext, 'teardown'>

export interface BackupServer {
  url(database: string, user?: string, password?: string): string
  query(sql: string, database?: string): Promise<Record<string, unknown>[]>
  stop(): Promise<void>
}

export async function startServer(t: Teardown): Promise<BackupServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'larder-backup-server-'))
  // The server of a root user runs as another user; its data would be in another folder.
  await chmod(dataDir, 0o755)
  const server: Embedded = await startEmbedded({ dataDir, log, durable: false })
  let isStopped = false
  const url: BackupServer['url'] = (database, username, password = 'pw') =>
    Object.assign(new URL(server.url), { pathname: `/${database}`, ...(username && { username, password }) }).href
  const query: BackupServer['query'] = async (sql, database = 'larder') => {
    const client = new pg.Client(url(database))
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(sql)).rows ?? []
    } finally {
      await client.end()
    }
  }
  const stop = async () => {
    if (isStopped) return
    isStopped = true
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  t.teardown(stop)
  for (const owner of ['ada', 'bob']) await query(`create role ${owner} login createrole password 'pw'`)
  return { url, query, stop }
}

export interface Place {
  readonly database: string
  readonly url: string
  /** LARDER_DATA. */
  readonly folder: string
}

/** An empty database, and an empty folder for files. */
export async function createPlace(t: Teardown, server: BackupServer, database: string, owner = 'ada'): Promise<Place> {
  await server.query(`create database ${database} owner ${owner} template template0`)
  const folder = await mkdtemp(join(tmpdir(), 'larder-backup-files-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return { database, url: server.url(database, owner), folder }
}

export const startIn = (
  { url, folder }: Place,
  role: TestKernelOptions['role'] = 'all',
  recipe: TestKernelOptions['recipe'] = UPGRADE_RECIPE,
  secret = SECRET,
): Promise<TestKernel> =>
  startTestKernel({ recipe, role, database: url, env: { LARDER_SECRET: secret, LARDER_DATA: folder } })

/** Runs `larder` in the folder of the installation, without any program of PostgreSQL on the machine. */
export const larder = (
  t: Teardown,
  { url, folder }: Place,
  args: readonly string[],
  secret = SECRET,
  recipe = UPGRADE_RECIPE,
): Promise<ExitResult> =>
  run(t, args, folder, {
    PATH: '/nonexistent',
    DATABASE_URL: url,
    LARDER_SECRET: secret,
    LARDER_DATA: folder,
    LARDER_RECIPE: recipe,
  })

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * What `larder restore` says when it refuses this archive. It runs in this process: the start of another one costs two
 * seconds of a processor.
 */
export async function refusal({ url, folder }: Place, archive: string, secret = SECRET): Promise<string> {
  const settings = {
    DATABASE_URL: url,
    LARDER_SECRET: secret,
    LARDER_DATA: folder,
    LARDER_RECIPE: UPGRADE_RECIPE,
    LOG_LEVEL: 'warn',
  }
  const former = Object.keys(settings).map(name => [name, process.env[name]] as const)
  const listeners = SIGNALS.map(signal => [signal, process.listeners(signal)] as const)
  Object.assign(process.env, settings)
  try {
    await restore(archive, { recipe: undefined, rotatesSecret: false, keepsFiles: false, withFiles: true })
  } catch (error) {
    return explain(error, process.env)
  } finally {
    for (const [name, value] of former)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    for (const [signal, known] of listeners)
      for (const listener of process.listeners(signal)) if (!known.includes(listener)) process.off(signal, listener)
  }
  throw new Error('it was restored')
}

const COLUMNS_OF_RESTORE = 'held_since, backed_up_at'

/** Of each table, the number of its rows and a hash of them, without what a restore writes; of each sequence, its value. */
export async function contentOf(server: BackupServer, { database }: Place): Promise<Record<string, unknown>> {
  const [row] = await server.query(
    `select string_agg(format('select %L as name, count(*)::int as rows, md5(string_agg(r::text, ''|'' order by r::text)) as hash
       from (select %s from %I) r', c.relname,
         (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
            and a.attname <> all (string_to_array('${COLUMNS_OF_RESTORE}', ', '))), c.relname),
       ' union all ' order by c.relname) as sql
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
    database,
  )
  const tables = await server.query(String(row?.sql), database)
  const sequences = await server.query('select sequencename as name, last_value as value from pg_sequences', database)
  return Object.fromEntries([
    ...tables.map(({ name, rows, hash }) => [String(name), `${rows} ${hash}`]),
    ...sequences.map(({ name, value }) => [String(name), value]),
  ])
}

/** What describes the tables, with the names that migrations write in place of those of the roles. */
export async function schemaOf(server: BackupServer, { database }: Place): Promise<unknown> {
  const rows = await server.query(SCHEMA, database)
  return rows.map(({ what }) =>
    normal(
      String(what)
        .replaceAll(/\blarder_(app|system)_\d+\b/g, 'larder_$1')
        .replaceAll(/\b(ada|bob)\b/g, 'owner'),
    ),
  )
}

/** PostgreSQL writes a condition in another form once it has read what it wrote. */
const normal = (text: string): string =>
  text.startsWith('constraint') ? text.replaceAll(/::(text|character varying)(\[\])?|[()]/g, '') : text

const HERE = `'public'::regnamespace`
const SCHEMA = `
  select what from (
    select format('column %s.%s %s %s %s %s %s %s %s', c.oid::regclass, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
      a.attidentity, a.attgenerated, a.attcollation::regcollation, a.attstorage, pg_get_expr(d.adbin, d.adrelid)) as what
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = ${HERE} and c.relkind in ('r', 'v')
    union all select format('table %s %s %s %s %s', c.oid::regclass, c.relpersistence, c.relrowsecurity, c.relforcerowsecurity, c.reloptions)
    from pg_class c where c.relnamespace = ${HERE} and c.relkind = 'r'
    union all select format('owner of %s %s', c.oid::regclass, pg_get_userbyid(c.relowner)) from pg_class c
    where c.relnamespace = ${HERE} and c.relkind in ('r', 'S', 'v')
    union all select format('right %s %s %s %s', c.oid::regclass, a.privilege_type, a.is_grantable,
      case a.grantee when 0 then 'public' else pg_get_userbyid(a.grantee) end)
    from pg_class c, aclexplode(coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner))) a
    where c.relnamespace = ${HERE} and c.relkind in ('r', 'S', 'v')
    union all select format('column right %s.%s %s %s', c.oid::regclass, t.attname, a.privilege_type, pg_get_userbyid(a.grantee))
    from pg_class c join pg_attribute t on t.attrelid = c.oid, aclexplode(t.attacl) a where c.relnamespace = ${HERE}
    union all select format('constraint %s %s %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid))
    from pg_constraint k where k.connamespace = ${HERE} and k.contype <> 'n'
    union all select format('index %s', pg_get_indexdef(i.indexrelid)) from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = ${HERE}
    union all select format('trigger %s %s', pg_get_triggerdef(g.oid), g.tgenabled) from pg_trigger g join pg_class c on c.oid = g.tgrelid
    where c.relnamespace = ${HERE} and not g.tgisinternal
    union all select format('function %s %s %s', pg_get_functiondef(p.oid), pg_get_userbyid(p.proowner),
      (select string_agg(case a.grantee when 0 then 'public' else pg_get_userbyid(a.grantee) end || ' ' || a.privilege_type, ',' order by a.grantee::regrole::text)
       from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a))
    from pg_proc p where p.pronamespace = ${HERE} and p.prokind = 'f'
      and not exists (select from pg_depend x where x.classid = 'pg_proc'::regclass and x.objid = p.oid and x.deptype = 'e')
    union all select format('policy %s %s %s %s %s %s %s', p.polrelid::regclass, p.polname, p.polcmd, p.polpermissive,
      (select string_agg(case r when 0 then 'public' else pg_get_userbyid(r) end, ',' order by pg_get_userbyid(r)) from unnest(p.polroles) r),
      pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) from pg_policy p
    union all select format('sequence %s %s', s.seqrelid::regclass, to_jsonb(s) - 'seqrelid' - 'seqtypid') from pg_sequence s
    union all select format('comment %s %s %s', d.classoid::regclass,
      (select i.identity from pg_identify_object(d.classoid, d.objoid, d.objsubid) i), d.description)
    from pg_description d where d.objoid >= 16384 and not exists (
      select from pg_depend x where x.classid = d.classoid and x.objid = d.objoid and x.deptype = 'e')
      and d.classoid <> 'pg_extension'::regclass and d.classoid <> 'pg_namespace'::regclass
    union all select format('extension %s', e.extname) from pg_extension e
    union all select format('collation %s %s %s', l.collname, l.collprovider, l.collisdeterministic) from pg_collation l where l.collnamespace = ${HERE}
  ) as described order by what collate "C"`

/** Path and SHA-256 of every file of the storage. */
export async function filesOf({ folder }: Place): Promise<Record<string, string>> {
  const root = join(folder, 'media')
  await mkdir(root, { recursive: true })
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const found: [string, string][] = []
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || path.includes('/scratch/')) continue
    found.push([
      relative(root, path),
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    ])
  }
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)))
}
