import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { OperatorError } from '@larder-dev/larder/kernel/internal'
import test from 'ava'
import { pino } from 'pino'
import { openDatabase } from '../../../services/postgres/open.ts'
import { createTestDatabase } from '../../../services/postgres/testing.ts'
import { createFixture, type Fixture, secret, sets } from './fixtures.ts'

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

test.serial('rejects an applied migration without a file', async t => {
  await file('0001-old.js', "await query('select 1')")
  await fixture.migrate([set('renaming')])
  await rm(join(folder, '0001-old.js'))
  await file('0001-new.js', "await query('select 1')")
  await t.throwsAsync(fixture.migrate([set('renaming')]), { message: /Module renaming has no file for .*0001-old/ })
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
