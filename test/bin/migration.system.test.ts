import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
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
  t.is((await larder('module', 'new', 'invoices')).code, 0)
  await writeFile(join(cwd, 'recipe.yaml'), RECIPE)
  if (migrated) t.is((await larder('migrate')).code, 0)
  const records = join(cwd, 'modules', 'invoices', 'records.ts')
  /** Adds properties to the record of the module. */
  const add = async (properties: string) =>
    writeFile(
      records,
      (await readFile(records, 'utf8')).replace('status: ItemStatus,', `status: ItemStatus, ${properties},`),
    )
  return { cwd, larder, add }
}

test('migration new writes the column of a new property, which the next start applies', async t => {
  const { cwd, larder, add } = await project(t)
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
  t.regex((await larder('migrate')).out, /^invoices +0002-priority +\d{4}-/m)
  t.is((await larder('migration', 'new', 'invoices', 'none')).out, none.out)
})

test('migration new exits with 1, and says what a person has to do', async t => {
  const { larder, add } = await project(t)
  await add('number: Type.Integer()')
  const { code, out } = await larder('migration', 'new', 'invoices', 'number')
  t.is(code, 1)
  t.is(
    out,
    `Wrote no migration.

To do by hand (docs/modules.md, Change a table):
  invoices_items.number is new and required, and the rows that exist have no value for it. Make it Nullable(…), or give it a value in defaults.
`,
  )
})

test('migration new rejects modules and databases for which it can write nothing', async t => {
  const { cwd, larder } = await project(t, { migrated: false })
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
