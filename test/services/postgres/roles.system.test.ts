/** Several databases on one server that checks passwords, with owners that are no superusers. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import pg from 'pg'
import { subkey } from '../../../kernel/internal.ts'
import { type Embedded, startEmbedded } from '../../../services/postgres/embedded/embedded.ts'
import { type OpenDatabase, type OpenOptions, openDatabase } from '../../../services/postgres/open.ts'
import { createSchemaOwner } from '../../../services/postgres/schema-owner.ts'
import { insert, log, sets } from './fixtures.ts'

const [FIRST, SECOND] = ['the secret of the first installation', 'the secret of another installation']

let dataDir: string
let server: Embedded
test.before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'larder-roles-'))
  // The server of a root user runs as another user; its data would be in another folder.
  await chmod(dataDir, 0o755)
  server = await startEmbedded({ dataDir, log })
  for (const owner of ['ada', 'bob']) await asAdmin(`create role ${owner} login createrole password 'pw'`)
  await asAdmin(`create role humble login password 'pw'`)
})
test.after.always(async () => {
  await server?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows ?? []
  } finally {
    await client.end()
  }
}
const asAdmin = (sql: string, database = 'larder') => query(urlOf(database, undefined), sql)

function urlOf(database: string, username: string | undefined, password = 'pw'): string {
  return Object.assign(new URL(server.url), { pathname: `/${database}`, ...(username && { username, password }) }).href
}

let databases = 0
/** Creates an empty database, or a copy of another one. */
async function create(owner: string, template = 'template0'): Promise<string> {
  const name = `installation_${++databases}`
  await asAdmin(`create database ${name} owner ${owner} template ${template}`)
  await asAdmin(`alter schema public owner to ${owner}`, name)
  return name
}

/** What a restore by another owner leads to. */
const giveTables = (database: string, owner: string) =>
  asAdmin(
    `do $$ declare t text; begin
       for t in select c.oid::regclass from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       loop execute format('alter table %s owner to ${owner}', t); end loop;
       for t in select p.oid::regprocedure from pg_proc p where p.pronamespace = 'public'::regnamespace
       loop execute format('alter function %s owner to ${owner}', t); end loop;
     end $$`,
    database,
  )

const open = (name: string, owner: string, secret: string, more: Partial<OpenOptions> = {}) =>
  openDatabase({ ownerUrl: urlOf(name, owner), secrets: [secret], log, ...more })

/** Rows of one tenant, and of all. */
async function works(db: OpenDatabase, id: string): Promise<{ own: number; all: number }> {
  const own = db.database.tenant('ten_a')
  await own.query(insert, ['ten_a', id, id])
  await db.database.tenant('ten_b').query(insert, ['ten_b', `${id}-b`, `${id}-b`])
  const all = await db.systemDatabase.acrossTenants('test').query('select from test_things')
  return { own: (await own.query('select from test_things')).rowCount, all: all.rowCount }
}

const ROLES_IN_USE = `
  select distinct r.rolname as name from pg_shdepend s join pg_roles r on r.oid = s.refobjid
    join pg_database d on d.oid = s.dbid
  where s.refclassid = 'pg_authid'::regclass and d.datname = current_database() and r.rolname like 'larder%' order by 1`
const rolesIn = async (name: string) => (await asAdmin(ROLES_IN_USE, name)).map(row => String(row.name))

test.serial('two installations on one server serve with their own secrets', async t => {
  const [one, two] = [await create('ada'), await create('bob')]
  const first = await open(one, 'ada', FIRST)
  await first.migrate(sets)
  const second = await open(two, 'bob', SECOND)
  await second.migrate(sets)
  t.deepEqual(await works(first, 'x'), { own: 1, all: 2 })
  t.deepEqual(await works(second, 'x'), { own: 1, all: 2 })
  const late = await open(one, 'ada', FIRST)
  await late.migrate(sets)
  await late.ready()
  for (const db of [first, second, late]) await db.close()
})

test.serial('the role of an installation cannot connect to the database of another', async t => {
  const [one, two] = [await create('ada'), await create('bob')]
  const [first, second] = [await open(one, 'ada', FIRST), await open(two, 'bob', SECOND)]
  for (const db of [first, second]) await db.migrate(sets)
  const { username, password } = new URL(first.appUrl)
  await t.throwsAsync(query(urlOf(two, username, password), 'select 1'), { message: /permission denied for database/ })
  for (const db of [first, second]) await db.close()
})

test.serial('a copy with another secret is refused until a rotation, and then gets roles of its own', async t => {
  const name = await create('ada')
  const original = await open(name, 'ada', FIRST)
  await original.migrate(sets)
  const { roles } = original.roles
  await original.close()
  const copyName = await create('ada', name)
  const running = await open(name, 'ada', FIRST)
  await running.migrate(sets)
  const copy = await open(copyName, 'ada', SECOND)
  await t.throwsAsync(copy.migrate(sets), { message: /another LARDER_SECRET/ })
  t.true(await copy.replaceSecret())
  await copy.migrate(sets)
  t.deepEqual(await works(copy, 'copied'), { own: 1, all: 2 })
  t.deepEqual(await works(running, 'kept'), { own: 1, all: 2 })
  t.deepEqual(running.roles.roles, roles)
  t.deepEqual(await rolesIn(copyName), [copy.roles.roles.app, copy.roles.roles.system])
  t.deepEqual(await rolesIn(name), [roles.app, roles.system])
  for (const db of [running, copy]) await db.close()
})

test.serial('a copy that somebody else owns is refused until a rotation, and then gets roles of its own', async t => {
  const name = await create('ada')
  const original = await open(name, 'ada', FIRST)
  await original.migrate(sets)
  await original.close()
  const copyName = await create('bob', name)
  await giveTables(copyName, 'bob')
  const copy = await open(copyName, 'bob', SECOND)
  await t.throwsAsync(copy.migrate(sets), { message: /another LARDER_SECRET/ })
  t.true(await copy.replaceSecret())
  await copy.migrate(sets)
  t.deepEqual(await works(copy, 'copied'), { own: 1, all: 2 })
  t.deepEqual(await rolesIn(copyName), [copy.roles.roles.app, copy.roles.roles.system])
  await copy.close()
})

test.serial('says whose role a copy names if the owner may not create roles', async t => {
  const name = await create('ada')
  const original = await open(name, 'ada', FIRST)
  await original.migrate(sets)
  const { app } = original.roles.roles
  await original.close()
  const copyName = await create('humble', name)
  await giveTables(copyName, 'humble')
  const copy = await open(copyName, 'humble', SECOND)
  t.true(await copy.replaceSecret())
  await t.throwsAsync(copy.migrate(sets), {
    message: new RegExp(
      `names the role ${app}, which belongs to the database ${name}\\..*create role larder_app_`,
      's',
    ),
  })
  await copy.close()
})

/** A process of version 0.1.0, whose roles all databases of a server share. */
async function startFormer(name: string): Promise<OpenDatabase> {
  const password = subkey(FIRST, 'database app role').toString('base64url')
  await asAdmin(
    `create role larder_system nologin; create role larder_app login noinherit password '${password}';
     grant larder_system to larder_app, ada with admin option; grant larder_app to ada with admin option, inherit false`,
  )
  const db = await open(name, 'ada', FIRST, { appUrl: urlOf(name, 'larder_app', password) })
  await db.migrate(sets)
  return db
}

test.serial('a process of a version with shared roles serves until it ends, and then its roles go', async t => {
  const name = await create('ada')
  const former = await startFormer(name)
  t.deepEqual(await rolesIn(name), ['larder_app', 'larder_system'])
  t.deepEqual(await works(former, 'one'), { own: 1, all: 2 })
  const next = await open(name, 'ada', FIRST)
  await next.migrate(sets)
  t.deepEqual(await works(next, 'two'), { own: 2, all: 4 })
  t.deepEqual(await works(former, 'three'), { own: 3, all: 6 })
  t.deepEqual(await rolesIn(name), ['larder_app', next.roles.roles.app, 'larder_system', next.roles.roles.system])
  await former.close()
  await next.migrate(sets)
  t.deepEqual(await rolesIn(name), [next.roles.roles.app, next.roles.roles.system])
  t.deepEqual(await works(next, 'four'), { own: 4, all: 8 })
  t.deepEqual(await asAdmin(`select from pg_roles where rolname in ('larder_app', 'larder_system')`), [])
  await next.close()
})

test.serial('a process of a version with shared roles uses what is created while it runs', async t => {
  const name = await create('ada')
  const former = await startFormer(name)
  await former.ready()
  const next = await open(name, 'ada', FIRST)
  await next.migrate(sets)
  const schemaOwner = createSchemaOwner({
    connection: { db: next } as Parameters<typeof createSchemaOwner>[0]['connection'],
    log,
  })
  await schemaOwner.connect(({ transaction }) =>
    transaction(migrator => migrator.tenantTable('test_new', 'id text primary key')),
  )
  await former.database.tenant('ten_a').query(`insert into test_new values ('ten_a', '1')`)
  t.is((await next.database.tenant('ten_a').query('select from test_new')).rowCount, 1)
  await former.close()
  await next.migrate(sets)
  await next.close()
})

test.serial('another login that is connected keeps the right to connect', async t => {
  const name = await create('ada')
  const watcher = new pg.Client(urlOf(name, 'humble'))
  watcher.on('error', () => {})
  await watcher.connect()
  const db = await open(name, 'ada', FIRST)
  await db.migrate(sets)
  await t.notThrowsAsync(query(urlOf(name, 'humble'), 'select 1'))
  await t.throwsAsync(query(urlOf(name, 'bob'), 'select 1'), { message: /permission denied for database/ })
  await watcher.end()
  await db.close()
})
