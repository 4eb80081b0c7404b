import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import pg from 'pg'
import { writeModule } from '../../bin/new.ts'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { type Env, run, temporaryFolder } from './command.ts'

const SECRET = 'a secret that only tests may know of'
const RECIPE = `recipe: 1
product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }
modules:
  identity: {}
  invoices: { use: ./modules/invoices }
`

/** A product with a module of its own, whose database is migrated unless a test does it. */
async function project(t: ExecutionContext, { migrated = true, embedded = false } = {}) {
  const cwd = await temporaryFolder(t)
  const database = await createTestDatabase({ migrations: [] })
  t.teardown(() => database.drop())
  const env: Env = embedded ? {} : { DATABASE_URL: database.ownerUrl, LARDER_SECRET: SECRET }
  const larder = (...args: string[]) => run(t, args, cwd, env)
  await writeModule('invoices', cwd)
  await writeFile(join(cwd, 'recipe.yaml'), RECIPE)
  if (migrated) t.is((await larder('migrate')).code, 0)
  const records = join(cwd, 'modules', 'invoices', 'records.ts')
  /** Adds properties to the record of the module. */
  const add = async (properties: string) =>
    writeFile(
      records,
      (await readFile(records, 'utf8')).replace('status: ItemStatus,', `status: ItemStatus, ${properties},`),
    )
  const query = async (sql: string) => {
    const client = new pg.Client(database.ownerUrl)
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }
  return { cwd, larder, add, query }
}

test('migration new writes the column of a new property, migrate --plan shows it, and migrate applies it', async t => {
  const { cwd, larder, add, query } = await project(t)
  const none = await larder('migration', 'new', 'invoices', 'none')
  t.deepEqual(
    [none.code, none.out],
    [0, 'No changes: the database has all that the records of invoices need.\n'],
    none.err,
  )

  await add('priority: Nullable(Type.Integer({ minimum: 1, maximum: 5 }))')
  const { code, out, err } = await larder('migration', 'new', 'invoices', 'priority')
  t.is(code, 0, err)
  t.is(
    out,
    `Created modules/invoices/migrations/0002-priority.ts:
  new column invoices_items.priority integer
Review it, and run larder migrate.
`,
  )
  t.regex(
    await readFile(join(cwd, 'modules/invoices/migrations/0002-priority.ts'), 'utf8'),
    /alter table invoices_items add column priority integer'/,
  )
  const planned = await larder('migrate', '--plan')
  t.is(planned.code, 2, planned.err)
  t.is(
    planned.out,
    `invoices/0002-priority  only adds
  alter table invoices_items add column priority integer;

  table           lock              waits             rows     size    work
  invoices_items  ACCESS EXCLUSIVE  reads and writes  unknown  32 KiB  an instant

1 migration. All only add. Requests wait for an instant.
The recipe is applied after the migrations: see larder recipe plan.
`,
  )

  const migration = (name: string, ...lines: string[]) =>
    writeFile(
      join(cwd, 'modules/invoices/migrations', `${name}.js`),
      `export const up = async m => {\n${lines.map(line => `  await m.query(${JSON.stringify(line)})\n`).join('')}}\n`,
    )
  await migration(
    '0003-more',
    'alter table invoices_items add column token text default gen_random_uuid()::text',
    'create index invoices_items_token on invoices_items (token)',
    'update invoices_items set priority = 1 where priority is null',
    'alter table invoices_items add check (priority > 0)',
    'create table invoices_notes (item text, note text)',
    'alter table invoices_notes add column more text',
  )
  const { database, migrations } = JSON.parse((await larder('migrate', '--plan', '--json')).out)
  t.regex(database, /^PostgreSQL at /)
  t.deepEqual(
    migrations.map(({ id, expands }: { id: string; expands: boolean }) => [id, expands]),
    [
      ['invoices/0002-priority', true],
      ['invoices/0003-more', false],
    ],
  )
  const item = { table: 'invoices_items', dropped: false }
  const exclusive = { ...item, lock: 'AccessExclusiveLock', blocks: 'reads and writes' }
  t.deepEqual(
    migrations[1].statements.map(({ tables }: { tables: object[] }) => tables),
    [
      [{ ...exclusive, rewritten: true, scanned: true, indexes: [] }],
      // It has the lock of the statement before.
      [{ ...exclusive, rewritten: false, scanned: true, indexes: ['invoices_items_token'] }],
      [{ ...item, lock: 'RowExclusiveLock', blocks: 'nothing', rewritten: false, scanned: true, indexes: [] }],
      [{ ...exclusive, rewritten: false, scanned: true, indexes: [] }],
      [],
      [],
    ],
  )
  t.like(migrations[1].tables, [{ ...exclusive, rewritten: true, scanned: true, indexes: ['invoices_items_token'] }])

  await migration('0004-wrong', 'alter table invoices_nothing add column x text')
  const wrong = await larder('migrate', '--plan')
  t.deepEqual([wrong.code, wrong.out], [1, ''])
  t.regex(
    wrong.err,
    /Migration 0004-wrong of module invoices would fail\. .*"invoices_nothing" does not exist.*Nothing was changed/s,
  )
  await rm(join(cwd, 'modules/invoices/migrations/0004-wrong.js'))
  t.deepEqual(await query(`select name from larder_migrations where module = 'invoices'`), [{ name: '0001-items' }])
  t.deepEqual(
    await query(
      `select attname from pg_attribute where attrelid = 'invoices_items'::regclass and attname in ('priority', 'token')`,
    ),
    [],
  )

  t.regex((await larder('migrate')).out, /^invoices +0002-priority +\d{4}-/m)
  t.regex(
    (await larder('migration', 'new', 'invoices', 'none')).out,
    /^No changes: .*\n\nLeft as it is:\n.* token\.\n$/,
  )
  const applied = await larder('migrate', '--plan')
  t.is(applied.code, 0)
  t.regex(applied.out, /^PostgreSQL at \S+ has all migrations\.$/m)
  await query(`insert into larder_migrations values ('invoices', '9999-later', now(), false, '9.0.0')`)
  const later = await larder('migrate', '--plan')
  t.is(later.code, 1)
  t.regex(later.err, /no file for migrations .* 9999-later \(applied by Larder 9\.0\.0/)
  await query('update larder_migrations set expands = true')
  t.regex((await larder('migrate', '--plan')).out, /A later release has applied invoices\/9999-later/)
  await query(`delete from larder_migrations where name = '9999-later'`)

  await add('number: Type.Integer()')
  const byHand = await larder('migration', 'new', 'invoices', 'number')
  t.is(byHand.code, 1)
  t.is(
    byHand.out,
    `Wrote no migration.

To do by hand (docs/modules.md, Change a table):
  invoices_items.number is new and required, and the rows that exist have no value for it. Make it Nullable(…), or give it a value in defaults.

Left as it is:
  invoices_items has columns that no record has: token.
`,
  )
})

test('migration new rejects modules and databases for which it can write nothing', async t => {
  const { cwd, larder, query } = await project(t, { migrated: false })
  const fails = async (pattern: RegExp, ...args: string[]) => {
    const { code, out, err } = await larder('migration', 'new', ...args)
    t.deepEqual([code, out], [1, ''], err)
    t.regex(err, pattern)
  }
  await fails(/no tables of Larder yet\. Run larder migrate first/, 'invoices', 'due')
  await fails(/has no module invoice\. Did you mean "invoices"\?/, 'invoice', 'due')
  await fails(/Invalid migration name '\.\.\/due'/, 'invoices', '../due')
  await fails(/Module platform has no migrations/, 'platform', 'due')
  const embedded = await run(t, ['migration', 'new', 'invoices', 'due'], cwd)
  t.is(embedded.code, 1)
  t.regex(embedded.err, /There is no database yet\. Run larder migrate first/)
  const unreachable = await run(t, ['migration', 'new', 'invoices', 'due'], cwd, {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    LARDER_SECRET: SECRET,
  })
  t.is(unreachable.code, 1)
  t.regex(unreachable.err, /can't connect to PostgreSQL at 127\.0\.0\.1:1/)
  const missing = await larder('migration', 'new', 'invoices')
  t.is(missing.code, 2)

  const nowhere = await run(t, ['migrate', '--plan'], cwd)
  t.is(nowhere.code, 1)
  t.regex(nowhere.err, /There is no database yet: .* has none\.\s+Set DATABASE_URL/)
  await query('create table cars (plate text)')
  const foreign = await larder('migrate', '--plan')
  t.is(foreign.code, 1)
  t.regex(foreign.err, /is not a database of Larder: it has relation cars, and no migrations of Larder/)
  t.is((await larder('migrate', '--plans')).code, 2)
})

test('migration new writes the first table of a module that has no folder of migrations yet, with the embedded database', async t => {
  const { cwd, larder } = await project(t, { embedded: true })
  await mkdir(join(cwd, 'modules', 'notes'))
  await writeFile(
    join(cwd, 'modules', 'notes', 'module.js'),
    `import { defineModule } from '@larder-dev/larder/kernel'
export default defineModule({ name: 'notes', migrations: new URL('./migrations/', import.meta.url) })\n`,
  )
  await writeFile(
    join(cwd, 'modules', 'notes', 'records.js'),
    `import { Type, table } from '@larder-dev/larder/kernel'
export const noteTable = table('notes_notes', Type.Object({ id: Type.String(), text: Type.String() }), {
  what: 'note', hidden: { tenantId: Type.String() } })\n`,
  )
  await writeFile(join(cwd, 'recipe.yaml'), `${RECIPE}  notes: { use: ./modules/notes }\n`)
  const { code, out, err } = await larder('migration', 'new', 'notes', 'notes')
  t.is(code, 0, err)
  t.regex(out, /^Created modules\/notes\/migrations\/0001-notes\.js:\n {2}new table notes_notes\n/)
  t.regex((await larder('migrate')).out, /^notes +0001-notes +\d{4}-/m)
})
