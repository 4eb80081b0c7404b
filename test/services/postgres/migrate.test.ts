import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { OperatorError } from '@larder-dev/larder/kernel/internal'
import test from 'ava'
import pg from 'pg'
import { pino } from 'pino'
import { measure, startTransaction } from '../../../services/postgres/migration-effects.ts'
import { openDatabase } from '../../../services/postgres/open.ts'
import { createTestDatabase } from '../../../services/postgres/testing.ts'
import { createFixture, type Fixture, log, secret, sets } from './fixtures.ts'

const run = promisify(execFile)
let fixture: Fixture
let folder: string
test.before(async () => {
  fixture = await createFixture()
})
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-migrations-'))
})
test.afterEach.always(() => rm(folder, { recursive: true, force: true }))
test.after.always(() => fixture.end())

const file = (name: string, body: string) =>
  writeFile(join(folder, name), `export const up = async ({ query, tenantTable }) => {\n${body}\n}\n`)
const set = (module: string) => ({ module, folder: pathToFileURL(folder) })
const tables = async (like: string) =>
  (
    await fixture.asOwner<{ name: string }>('select relname as name from pg_class where relname like $1 order by 1', [
      like,
    ])
  ).map(({ name }) => name)

test.serial('runs migrations once and in order, and lists them by module', async t => {
  await file('0002-more.js', "await query('alter table once add more int')")
  await file('0001-once.js', "await query('create table once (id int)')")
  await writeFile(join(folder, '0001-once.d.ts'), '')
  await writeFile(join(folder, 'README.md'), '')
  for (let i = 0; i < 2; i++) await fixture.migrate([...sets, set('order')])
  const applied = await fixture.appliedMigrations()
  t.deepEqual(
    applied.get('order')?.map(({ name }) => name),
    ['0001-once', '0002-more'],
  )
  t.true(applied.get('order')?.[0]?.appliedAt instanceof Date)
  t.true(applied.has('kernel'))
})

test.serial('rolls a failed migration back and names it', async t => {
  await file('0001-good.js', "await query('create table good (id int)')")
  await file('0002-bad.js', "await query('create table bad (id int); select 1 / 0')")
  const error = await t.throwsAsync(fixture.migrate([set('failing')]), {
    message: /^Migration 0002-bad of module failing failed.*division by zero/,
  })
  t.true(OperatorError.is(error))
  t.deepEqual(await tables('good'), ['good'])
  t.deepEqual(await tables('bad'), [])
  t.deepEqual((await fixture.appliedMigrations()).get('failing')?.length, 1)
})

test.serial('rolls back a migration whose connection is lost, and runs it again', async t => {
  await file('0001-cut.js', "await query('create table cut (id int); select pg_sleep(30)')")
  const migrating = t.throwsAsync(fixture.migrate([set('cutting')]), {
    message: /Migration 0001-cut of module cutting failed and was rolled back/,
  })
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'larder owner' and datname = current_database() and query like '%pg_sleep(30)'`
  while ((await fixture.asOwner(end)).length === 0);
  await migrating
  t.deepEqual(await tables('cut'), [])
  // Under another name, because an imported file stays cached.
  await rm(join(folder, '0001-cut.js'))
  await file('0001-cut-again.js', "await query('create table cut (id int)')")
  await fixture.migrate([set('cutting')])
  t.deepEqual(await tables('cut'), ['cut'])
})

test.serial('repeats a migration that the server rolled back because of a deadlock', async t => {
  await fixture.asOwner('create table first (id int); create table second (id int)')
  await file(
    '0001-both.js',
    "await query('alter table first add more int'); await query('alter table second add more int')",
  )
  const request = new pg.Client(fixture.ownerUrl)
  request.on('error', () => {})
  await request.connect()
  t.teardown(() => request.end())
  // The migration is the one that looks for the deadlock, 3 seconds after it began to wait.
  await request.query(`set deadlock_timeout = '1 h'`)
  await request.query('begin; lock table second in access share mode')
  await file('0000-look.js', `await query("set deadlock_timeout = '3 s'")`)
  const migrating = fixture.migrate([set('deadlocked')])
  const waiting = `select pid from pg_stat_activity
    where application_name = 'larder owner' and datname = current_database() and wait_event_type = 'Lock'`
  while ((await fixture.asOwner(waiting)).length === 0);
  await request.query('lock table first in access share mode; commit')
  await migrating
  t.deepEqual((await fixture.appliedMigrations()).get('deadlocked')?.length, 2)
  t.deepEqual(await fixture.asOwner('select more from first, lateral (select more from second) s(other)'), [])
})

/** Applies both migrations, and removes the second file, as in the release before. */
async function leaveLater(module: string, mark: string): Promise<void> {
  await file('0001-first.js', "await query('select 1')")
  await file('0002-second.js', "await query('select 1')")
  await writeFile(join(folder, '0002-second.js'), `${mark}\nexport const up = async () => {}`)
  await fixture.migrate([set(module)])
  await rm(join(folder, '0002-second.js'))
}

test.serial('starts beside a migration of a later release that only adds', async t => {
  await leaveLater('beside', 'export const expands = true')
  await t.notThrowsAsync(fixture.migrate([set('beside')]))
  const applied = await fixture.appliedMigrations()
  t.deepEqual(
    applied.get('beside')?.map(({ name, expands }) => [name, expands]),
    [
      ['0001-first', false],
      ['0002-second', true],
    ],
  )
})

test.serial(
  'refuses an unmarked migration of a later release, and names it with the release that applied it',
  async t => {
    const later = await openDatabase({ ownerUrl: fixture.ownerUrl, secrets: [secret], log, release: '7.8.9' })
    t.teardown(() => later.close())
    await file('0001-first.js', "await query('select 1')")
    await file('0002-second.js', "await query('select 1')")
    await later.migrate([set('ahead')])
    await rm(join(folder, '0002-second.js'))
    const today = new Date().toISOString().slice(0, 4)
    const error = await t.throwsAsync(fixture.migrate([set('ahead')]))
    t.true(OperatorError.is(error))
    t.regex(error.message, new RegExp(`^Module ahead .* 0002-second \\(applied by Larder 7\\.8\\.9 on ${today}-`))
    t.notRegex(error.message, /0001-first/)
  },
)

test.serial('refuses an unmarked migration of a later release among marked ones', async t => {
  await leaveLater('mixed', '')
  await file('0003-third.js', '')
  await writeFile(join(folder, '0002-second.js'), 'export const up = async () => {}')
  await writeFile(join(folder, '0003-third.js'), 'export const expands = true\nexport const up = async () => {}')
  await fixture.migrate([set('mixed')])
  await rm(join(folder, '0002-second.js'))
  await rm(join(folder, '0003-third.js'))
  await t.throwsAsync(fixture.migrate([set('mixed')]), { message: /0002-second .*0003-third / })
})

test.serial('refuses a renamed migration although it only adds', async t => {
  await leaveLater('renamed', 'export const expands = true')
  await file('0002-other.js', "await query('create table renamed_twice ()')")
  await t.throwsAsync(fixture.migrate([set('renamed')]), { message: /Module renamed .* 0002-second / })
  t.deepEqual(await tables('renamed_twice'), [])
})

test.serial('refuses a marked migration without a file before the last one of this release', async t => {
  await leaveLater('gap', 'export const expands = true')
  await file('0003-third.js', "await query('select 1')")
  await writeFile(join(folder, '0002-second.js'), 'export const expands = true\nexport const up = async () => {}')
  await fixture.migrate([set('gap')])
  await rm(join(folder, '0002-second.js'))
  await t.throwsAsync(fixture.migrate([set('gap')]), { message: /Module gap .* 0002-second / })
})

test.serial('rejects a mark that is no boolean', async t => {
  await writeFile(join(folder, '0001-marked.js'), "export const expands = 'yes'\nexport const up = async () => {}")
  await t.throwsAsync(fixture.migrate([set('marking')]), {
    message: /0001-marked exports an 'expands' that is neither/,
  })
  t.false((await fixture.appliedMigrations()).has('marking'))
})

test.serial('reads and completes the records of versions without marks', async t => {
  await file('0001-first.js', "await query('select 1')")
  await fixture.migrate([set('unmarked')])
  await fixture.asOwner('alter table larder_migrations drop column expands, drop column release')
  const before = (await fixture.appliedMigrations()).get('unmarked')
  t.deepEqual(
    before?.map(({ expands, release }) => ({ expands, release })),
    [{ expands: false, release: null }],
  )
  await rm(join(folder, '0001-first.js'))
  await t.throwsAsync(fixture.migrate([set('unmarked')]), { message: /0001-first \(applied on / })
})

test.serial('measures the lock of each statement of a migration, what waits for it, and its work', async t => {
  const client = new pg.Client(fixture.ownerUrl)
  client.on('error', () => {})
  await client.connect()
  t.teardown(() => client.end())
  await client.query('create table planned (id int, note text); create table planned_away (id int)')
  const effects = async (sql: string): Promise<string[]> => {
    const transaction = await startTransaction(client, ['planned', 'planned_away', 'planned_nowhere'])
    await measure(client, transaction, sql, [])
    await client.query('rollback')
    return [...transaction.total.values()].map(({ table, lock, blocks, indexes, ...rest }) =>
      [table, lock, blocks, ...Object.entries(rest).flatMap(([name, isSo]) => (isSo ? [name] : [])), ...indexes].join(
        ' ',
      ),
    )
  }
  for (const [sql, ...expected] of [
    ['select * from planned', 'planned AccessShareLock nothing scanned'],
    ["insert into planned values (1, 'one')", 'planned RowExclusiveLock nothing'],
    ['create index planned_id on planned (id)', 'planned ShareLock writes scanned planned_id'],
    [
      `create trigger touched before update on planned for each row
       execute function suppress_redundant_updates_trigger()`,
      'planned ShareRowExclusiveLock writes',
    ],
    ['alter table planned alter column id set statistics 100', 'planned ShareUpdateExclusiveLock nothing'],
    ['alter table planned add column more int', 'planned AccessExclusiveLock reads and writes'],
    [
      'alter table planned add column more float default random()',
      'planned AccessExclusiveLock reads and writes rewritten scanned',
    ],
    ['alter table planned add check (id > 0)', 'planned AccessExclusiveLock reads and writes scanned'],
    ['drop table planned_away', 'planned_away AccessExclusiveLock reads and writes dropped'],
    ['create table planned_new (id int)'],
  ] as const)
    t.deepEqual(await effects(sql), expected, sql)
})

test.serial('rejects a file that is not named like a migration', async t => {
  await file('1-short.js', '')
  await t.throwsAsync(fixture.migrate([set('naming')]), { message: /1-short\.js of module naming must be named/ })
})

test.serial('loads a migration in TypeScript', async t => {
  await writeFile(
    join(folder, '0001-typed.ts'),
    'export const up = async ({ query }: { query(sql: string): Promise<unknown> }) => { await query("create table typed ()") }',
  )
  await fixture.migrate([set('typed')])
  t.deepEqual(await tables('typed'), ['typed'])
})

test.serial('three concurrent processes migrate an empty database once', async t => {
  const database = `racing_${process.pid}`
  await fixture.asOwner(`create database ${database}`)
  const ownerUrl = Object.assign(new URL(fixture.ownerUrl), { pathname: `/${database}` }).href
  const open = new URL('../../../services/postgres/open.js', import.meta.url).href
  const pino = import.meta.resolve('pino')
  const code = `
    import { openDatabase } from '${open}'
    import { pino } from '${pino}'
    const log = pino({ level: 'silent' })
    const db = await openDatabase({ ownerUrl: '${ownerUrl}', secrets: ['${secret}'], log })
    await db.migrate(${JSON.stringify(sets)}.map(({ module, folder }) => ({ module, folder: new URL(folder) })))
    console.log(await db.operatorTenantId())
    await db.close()`
  try {
    const started = await Promise.all([1, 2, 3].map(() => run(process.execPath, ['--input-type=module', '-e', code])))
    const operators = new Set(started.map(({ stdout }) => stdout.trim()))
    t.is(operators.size, 1)
    t.regex([...operators][0] ?? '', /^ten_/)
  } finally {
    await fixture.asOwner(`drop database ${database} with (force)`)
  }
})

test.serial('runs work under the same lock one at a time', async t => {
  let inside = 0
  const most: number[] = []
  const work = async () => {
    most.push(++inside)
    await fixture.ready()
    inside--
  }
  await Promise.all([1, 2, 3, 4].map(() => fixture.withLock('a name', work)))
  t.deepEqual(most, [1, 1, 1, 1])
  t.is(await fixture.withLock('a name', async () => 'the answer'), 'the answer')
})

test.serial('a new database logs its migrations as one line', async t => {
  const { ownerUrl, drop } = await createTestDatabase({ migrations: [] })
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: undefined }, { write: line => void lines.push(JSON.parse(line)) })
  const db = await openDatabase({ ownerUrl, secrets: [secret], log })
  for (let number = 1; number <= 20; number++)
    await file(`${String(number).padStart(4, '0')}-step.js`, "await query('select 1')")
  await db.migrate([set('steps')])
  await file('0021-later.js', "await query('select 1')")
  await db.migrate([set('steps')])
  await db.close()
  await drop()
  t.deepEqual(
    lines.filter(({ msg }) => msg === 'migrated').map(({ count, migrations }) => ({ count, migrations })),
    [
      { count: 20, migrations: undefined },
      { count: undefined, migrations: ['steps/0021-later'] },
    ],
  )
})
