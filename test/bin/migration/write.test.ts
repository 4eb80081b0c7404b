/** Writes migrations of a module in a folder, and applies them to an embedded PostgreSQL. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import test from 'ava'
import type { ModuleFiles } from '../../../bin/migration/module.ts'
import { writeMigration } from '../../../bin/migration.ts'
import { createFixture, type Fixture, sets } from '../../services/postgres/fixtures.ts'

let fixture: Fixture
let folder: string
let module: string
/** Each test has tables of its own. */
let modules = 0
test.before(async () => {
  fixture = await createFixture()
})
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-migration-'))
  await mkdir(join(folder, 'migrations'))
  module = `shop${++modules}`
})
test.afterEach.always(() => rm(folder, { recursive: true, force: true }))
test.after.always(() => fixture.end())

/** Imports read a file once, so each version is a file of its own. */
let versions = 0
/** @param properties of the records of `<module>_items`, as code. @param options of the table. */
async function records(properties: string, options = ''): Promise<ModuleFiles> {
  const file = join(folder, `records${versions++}.ts`)
  await writeFile(
    file,
    `import { Bytes, Nullable, OneOf, Timestamp, Type, table } from '@larder-dev/larder/kernel'
export const itemTable = table('${module}_items', Type.Object({ id: Type.String(), ${properties} }), {
  what: 'item', hidden: { tenantId: Type.String() }, ${options}
})\n`,
  )
  return files(file)
}
const files = (record: string): ModuleFiles => ({
  name: module,
  migrations: pathToFileURL(join(folder, 'migrations/')),
  records: [pathToFileURL(record)],
  language: 'ts',
})
const write = async (name: string, record: Promise<ModuleFiles>) => writeMigration(fixture, await record, name)
const migrate = () => fixture.migrate([...sets, { module, folder: pathToFileURL(join(folder, 'migrations')) }])
const written = () => readdir(join(folder, 'migrations'))
const rowsOf = (sql: string) => fixture.asOwner(sql)

test.serial('writes the table of a record, and then its new columns, until nothing differs', async t => {
  const first = await write('items', records('title: Type.String()'))
  t.is(first.file, join(folder, 'migrations', '0001-items.ts'))
  await migrate()
  await fixture.database
    .tenant('ten_a')
    .query(`insert into ${module}_items (tenant_id, id, title) values ('ten_a', 'itm_1', 'Chair')`)

  const more = "title: Type.String(), dueAt: Nullable(Timestamp), user: Nullable(Type.String()), state: OneOf(['open'])"
  const second = await write('more', records(more, "defaults: { state: 'open' }"))
  t.is(second.file, join(folder, 'migrations', '0002-more.ts'))
  t.regex(await readFile(second.file as string, 'utf8'), /add column "user" text/)
  await migrate()
  t.deepEqual(await rowsOf(`select id, title, due_at, "user", state from ${module}_items`), [
    { id: 'itm_1', title: 'Chair', due_at: null, user: null, state: 'open' },
  ])
  const third = await write('again', records(more, "defaults: { state: 'open' }"))
  t.deepEqual(third, { changes: [], unwritten: [], leftovers: [], file: undefined })
  t.deepEqual(await written(), ['0001-items.ts', '0002-more.ts'])
})

test.serial('stores every kind of default as the record has it', async t => {
  await write('items', records(''))
  await migrate()
  await rowsOf(`insert into ${module}_items (tenant_id, id) values ('ten_a', 'itm_1')`)
  const properties = [
    'title: Type.String()',
    'words: Type.Array(Type.String())',
    'none: Type.Array(Type.Integer())',
    'settings: Type.Object({ note: Type.String() })',
    'at: Timestamp',
    'digest: Bytes',
    'count: Type.Integer()',
    'price: Type.Number()',
    'isOpen: Type.Boolean()',
  ]
  const title = ["it's \\\\ \\n", '"`$', '{title}'].join('')
  const defaults = `{ title: ${JSON.stringify(title)}, words: ['a"b', "it's, {}"], none: [], isOpen: true, count: -3, price: 0.5,
    settings: { note: ${JSON.stringify(title)} }, at: '2026-01-02T03:04:05.000Z', digest: Buffer.from('ab') }`
  await write('defaults', records(properties.join(', '), `defaults: ${defaults}`))
  await migrate()
  t.deepEqual(await rowsOf(`select * from ${module}_items`), [
    {
      tenant_id: 'ten_a',
      id: 'itm_1',
      title,
      words: ['a"b', "it's, {}"],
      none: [],
      settings: { note: title },
      at: new Date('2026-01-02T03:04:05.000Z'),
      digest: Buffer.from('ab'),
      count: '-3',
      price: 0.5,
      is_open: true,
    },
  ])
})

test.serial('hides the rows of a new table from other tenants', async t => {
  await write('items', records('title: Type.String()'))
  await migrate()
  await rowsOf(`insert into ${module}_items (tenant_id, id, title) values ('ten_a', 'itm_1', 'Chair')`)
  const ids = async (tenantId: string) =>
    (await fixture.database.tenant(tenantId).query(`select id from ${module}_items`)).rows
  t.deepEqual(await ids('ten_a'), [{ id: 'itm_1' }])
  t.deepEqual(await ids('ten_b'), [])
})

test.serial('widens a check, and lets a column be null', async t => {
  await writeFile(
    join(folder, 'migrations', '0001-items.ts'),
    `export const up = async m => {
  await m.tenantTable('${module}_items', \`id text primary key, note text not null,
    state text not null check (state in ('open', 'it''s'))\`)
}\n`,
  )
  await migrate()
  const found = await write('wider', records("note: Nullable(Type.String()), state: OneOf(['open', \"it's\", 'done'])"))
  t.deepEqual(found.unwritten, [])
  await migrate()
  await rowsOf(`insert into ${module}_items (tenant_id, id, state) values ('ten_a', 'itm_1', 'done')`)
  await t.throwsAsync(rowsOf(`insert into ${module}_items (tenant_id, id, state) values ('ten_a', 'itm_2', 'new')`), {
    message: /violates check constraint/,
  })
  t.deepEqual(await rowsOf(`select note, state from ${module}_items`), [{ note: null, state: 'done' }])
})

test.serial('reports a check of another form that rejects a word of the record', async t => {
  await writeFile(
    join(folder, 'migrations', '0001-items.ts'),
    `export const up = async m => {
  await m.tenantTable('${module}_items', \`id text primary key, state text not null check (length(state) < 5)\`)
}\n`,
  )
  await migrate()
  const found = await write('words', records("state: OneOf(['open', 'finished'])"))
  t.is(found.file, undefined)
  t.regex(found.unwritten.join(), /can't be finished: the check \w+_items_state_check rejects it/)
})

test.serial('writes what it can, and reports the rest', async t => {
  await write('items', records('title: Type.String()'))
  await migrate()
  const found = await write(
    'rest',
    records('title: Type.Integer(), number: Type.Integer(), note: Nullable(Type.String())'),
  )
  t.is(found.changes.length, 1)
  t.is(found.unwritten.length, 2)
  t.regex(await readFile(found.file as string, 'utf8'), /add column note text'/)
})

test.serial('rejects names that no file of a migration may have', async t => {
  const record = await records('title: Type.String()')
  for (const name of ['', 'Items', 'two words', '../up', 'a_b', '-a', 'a-', 'é', 'a.ts', 'a/b', 'x'.repeat(61)])
    await t.throwsAsync(
      writeMigration(fixture, record, name),
      { message: /Invalid migration name|is longer than/ },
      name,
    )
  t.deepEqual(await written(), [])
})

test.serial('rejects a name that another migration of the module has', async t => {
  await write('items', records('title: Type.String()'))
  await migrate()
  await t.throwsAsync(write('items', records('title: Type.String(), note: Nullable(Type.String())')), {
    message: /already has a migration 0001-items/,
  })
})

test.serial('rejects a database that lacks a migration of the module', async t => {
  await write('items', records('title: Type.String()'))
  await t.throwsAsync(write('more', records('title: Type.String()')), {
    message: /The database lacks migrations of \w+: 0001-items\. Run larder migrate first/,
  })
  t.deepEqual(await written(), ['0001-items.ts'])
})

test.serial('rejects a database that has a migration without a file', async t => {
  await write('items', records('title: Type.String()'))
  await migrate()
  await rm(join(folder, 'migrations', '0001-items.ts'))
  await t.throwsAsync(write('more', records('title: Type.String()')), {
    message: /has migrations of \w+ without a file: 0001-items/,
  })
})

test.serial('rejects a database without tables of Larder', async t => {
  const empty = {
    ...fixture,
    withOwner: fixture.withOwner,
    withLock: fixture.withLock,
    appliedMigrations: async () => new Map(),
  }
  await t.throwsAsync(writeMigration(empty, await records('title: Type.String()'), 'items'), {
    message: /no tables of Larder yet\. Run larder migrate first/,
  })
})

test.serial('rejects a module without tables', async t => {
  const file = join(folder, 'records.ts')
  await writeFile(file, 'export const limit = 3\n')
  await t.throwsAsync(writeMigration(fixture, files(file), 'items'), { message: /exports no table from records\.ts/ })
})

test.serial('of two runs at once, one writes the change', async t => {
  const record = await records('title: Type.String()')
  const runs = await Promise.allSettled(['one', 'two', 'one'].map(name => writeMigration(fixture, record, name)))
  t.is(runs.filter(({ status }) => status === 'fulfilled').length, 1)
  t.is((await written()).length, 1)
})
