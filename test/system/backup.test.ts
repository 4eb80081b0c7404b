/** The commands of docs/operations.md with `pg_dump`, and what `pg_dump` says about a restore, with an owner that is no superuser. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { startTestKernel } from '../../testing/index.ts'
import { run } from '../bin/command.ts'
import { seed } from '../upgrade/seed.ts'
import { storedDumps, UPGRADE_RECIPE, UPGRADE_SECRET, UPGRADES } from '../upgrade/store.ts'
import { type DebianPostgres, startDebianPostgres } from './debian-postgres.ts'

const SECRET = 'the secret of an installation with backups'

const dumps = await storedDumps()
let server: DebianPostgres
const ends: (() => Promise<void>)[] = []

test.before(async () => {
  server = await startDebianPostgres({ teardown: end => void ends.push(end) })
  await server.query(`create role ada login createrole createdb password 'pw'`)
})
test.after.always(async () => {
  for (const end of ends) await end()
})

/** The number of rows of every table, and a hash of them. */
async function contentOf({ query }: DebianPostgres, database: string): Promise<Record<string, unknown>[]> {
  const [row] = await query(
    `select string_agg(format('select %L as name, count(*)::int as rows, md5(string_agg(r::text, ''|'' order by r::text)) as hash
       from %I r', tablename, tablename), ' union all ' order by tablename) as sql
     from pg_tables where schemaname = 'public'`,
    database,
  )
  return query(`${row?.sql} order by 1`, database)
}

async function temporaryFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-backup-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test.serial('a backup of an owner that is no superuser restores every row of every table', async t => {
  const folder = await temporaryFolder(t)
  await server.query('create database original owner ada')
  const options = { recipe: UPGRADE_RECIPE, env: { LARDER_SECRET: SECRET, LARDER_DATA: folder } }
  const first = await startTestKernel({ ...options, database: server.url('original', 'ada') })
  const ids = await seed(first).finally(() => first.stop())

  const file = join(folder, 'larder.dump')
  const source = server.url('original', 'ada')
  await server.run('pg_dump', ['--enable-row-security', '--no-owner', '--format=custom', `--file=${file}`, source])
  const original = await contentOf(server, 'original')
  t.true(original.length > 80)
  t.true(original.filter(({ rows }) => Number(rows) > 0).length > 50)

  // Another server has none of the roles.
  const other = await startDebianPostgres(t)
  await other.query(`create role bob login createrole password 'pw'`)
  await other.query('create database restored owner bob')
  const target = other.url('restored', 'bob')
  const text = await server.run('pg_restore', ['--file=-', file])
  const roles = [...new Set(text.match(/\blarder_(?:app|system)(?:_[0-9]+)*\b/g))]
  t.is(roles.length, 2)
  await other.run('psql', [target, ...roles.flatMap(name => ['-c', `create role ${name}`])])
  const restore = ['--enable-row-security', '--no-owner', '--exit-on-error', `--dbname=${target}`]
  await other.run('pg_restore', [...restore, file])
  t.deepEqual(await contentOf(other, 'restored'), original)

  const second = await startTestKernel({ ...options, database: target, role: 'web' })
  try {
    const owner = second.as(ids.ownerToken, ids.tenantId)
    const { body } = await owner.get<{ data: unknown[] }>('/v1/data/courses?q=weaving')
    t.true(body.data.length > 0, 'the functions of a search see the rows')
  } finally {
    await second.stop()
  }
})

const larder = (t: ExecutionContext, folder: string, database: string, ...args: string[]) =>
  run(t, args, folder, {
    DATABASE_URL: server.url(database, 'ada'),
    LARDER_SECRET: SECRET,
    LARDER_DATA: folder,
    LARDER_RECIPE: UPGRADE_RECIPE,
  })

test.serial('pg_dump describes a restored database as it does the original', async t => {
  const folder = await temporaryFolder(t)
  await server.query('create database restored owner ada')
  // What migrations of a product may create.
  await server.query(
    `create type mood as enum ('calm', 'busy');
     create domain percentage as integer default 0 check (value between 0 and 100);
     create sequence product_numbers start 7 increment 3;
     create table product_things (id serial primary key, mood mood not null default 'calm', share percentage,
       number bigint default nextval('product_numbers'), code varchar(9) collate "C" unique deferrable, span int4range,
       twice integer generated always as (id * 2) stored, exclude using gist (span with &&)) with (fillfactor = 80);
     alter table product_things alter column code set storage external, alter column id set statistics 500;
     create view product_calm with (security_invoker = true) as select * from product_things where mood = 'calm';
     create function product_first() returns setof product_things language sql as 'select * from product_things limit 1';
     create statistics product_statistics on mood, share from product_things;
     create index on product_things (lower(code)) include (share) where share > 3;
     alter table product_things add constraint later check (share < 90) not valid;
     create function product_touch() returns trigger language plpgsql as 'begin return new; end';
     create trigger touch before update of share on product_things for each row when (new.share > 1) execute function product_touch();
     alter table product_things disable trigger touch;
     comment on table product_things is 'Things of the product';
     comment on column product_things.share is 'In percent';
     grant select (id, mood) on product_things to public;
     do $$ declare o text; begin
       foreach o in array array['table product_things', 'view product_calm', 'sequence product_numbers', 'type mood', 'domain percentage',
         'function product_first()', 'function product_touch()', 'statistics product_statistics']
       loop execute 'alter ' || o || ' owner to ada'; end loop; end $$`,
    'original',
  )
  const archive = join(folder, 'backup.tar.gz')
  const made = await larder(t, folder, 'original', 'backup', archive, '--without-files')
  t.is(made.code, 0, made.err)
  const { code, err } = await larder(t, folder, 'restored', 'restore', archive)
  t.is(code, 0, err)
  const described = async (database: string) => {
    const text = await server.run('pg_dump', ['--schema-only', '--schema=public', server.url(database)])
    const statements = text
      .replaceAll(/^(--.*|\\(un)?restrict .*)$/gm, '')
      .replaceAll(/\blarder_(app|system)_\d+\b/g, 'larder_$1')
      // PostgreSQL writes a condition in another form once it has read what it wrote.
      .replaceAll(/::(text|character varying)(\[\])?|[()]/g, '')
      .split(/;\n/)
    return statements.map(statement => statement.trim().replaceAll(/\s+/g, ' ')).sort()
  }
  const [original, restored] = [await described('original'), await described('restored')]
  t.deepEqual(
    restored.filter(part => !original.includes(part)),
    original.filter(part => !restored.includes(part)),
  )
})

test.serial('a backup names what it cannot contain', async t => {
  const folder = await temporaryFolder(t)
  await server.query('create table parts (at date) partition by range (at)', 'original')
  const { code, err } = await larder(t, folder, 'original', 'backup', join(folder, 'backup.tar.gz'))
  t.is(code, 1)
  t.regex(err, /cannot contain.*partitioned table parts/)
})

for (const { name, ids } of dumps)
  test.serial(`the commands of its README restore, plan and migrate ${name}, which then starts`, async t => {
    const readme = await readFile(join(UPGRADES, 'README.md'), 'utf8')
    const [block = ''] = /(?: {4}.+\n)+/.exec(readme.split('## Restore one')[1] ?? '') ?? []
    const database = `dump_${name.replaceAll(/\W/g, '_')}`
    const folder = await temporaryFolder(t)
    const { hostname, port, password } = new URL(server.url(database, 'ada'))
    const { stdout } = await promisify(execFile)('bash', ['-ec', block], {
      cwd: join(UPGRADES, name),
      env: {
        PATH: process.env.PATH,
        NO_COLOR: '1',
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: 'ada',
        PGPASSWORD: password,
        PGDATABASE: database,
        DATABASE_URL: server.url(database, 'ada'),
        LARDER_DATA: folder,
      },
    })
    t.regex(stdout, /^\w+\/\d{4}-\S+ {2}(only adds|does not only add)/m)
    t.regex(stdout, /^\d+ migrations\. .*Requests wait for/m)
    t.regex(stdout, /Locks are those of PostgreSQL 1\d\.\d+; the server has 15\./)
    const kernel = await startTestKernel({
      recipe: UPGRADE_RECIPE,
      role: 'web',
      database: server.url(database, 'ada'),
      env: { LARDER_SECRET: UPGRADE_SECRET, LARDER_DATA: folder },
    })
    t.teardown(() => kernel.stop())
    const { body } = await kernel.post('/v1/auth/login', { email: ids.ownerEmail, password: ids.password })
    const owner = kernel.as(body.token, ids.tenantId)
    t.is((await owner.get<{ data: unknown[] }>('/v1/data/courses?q=weaving')).body.data.length, 1)
    const file = await owner.get<{ url: string }>(`/v1/media/${ids.mediaId}/download-url`)
    t.is((await fetch(file.body.url.replace(/^https?:\/\/[^/]+/, kernel.url))).status, 200)
  })
