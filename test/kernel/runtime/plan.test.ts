import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import pg from 'pg'
import { pino } from 'pino'
import { checkFile, readSettings } from '../../../bin/composition.ts'
import { RecipeError } from '../../../kernel/recipe/index.ts'
import { bootKernel, migrationSets } from '../../../kernel/runtime/kernel.ts'
import { planRecipe, type RecipePlan } from '../../../kernel/runtime/plan/plan.ts'
import { createTestDatabase } from '../../../services/postgres/testing.ts'

const log = pino({ level: 'silent' })
const PRODUCT = 'recipe: 1\nproduct: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }\n'
const BASE = `${PRODUCT}modules:\n  identity: {}\n  comms: {}\n`
const ROLE = (permissions: string) => `roles:\n  tenant.support: { name: Support, permissions: [${permissions}] }\n`
const MAIL = '---\nsubject: Hello\n---\n<p>Hello</p>'

/** A module of a team with a table, a part of the recipe, and what the test wants of its plan. */
const parcels = (plan: string, table = 'parcels_boxes') => ({
  'modules/parcels/module.js': `import { defineModule, Type } from '@larder-dev/larder/kernel'
export default defineModule({
  name: 'parcels',
  needs: ['database', 'operator'],
  sections: { parcels: Type.Record(Type.String(), Type.Object({ weight: Type.Integer() })) },
  reconcile: async ({ database, operator }, _options, { sections }) => {
    for (const [key, { weight }] of Object.entries(sections.parcels ?? {}))
      await database.tenant(operator.tenantId).query(
        'insert into ${table} (tenant_id, id, weight) values ($1, $2, $3) on conflict (id) do update set weight = excluded.weight',
        [operator.tenantId, key, weight])
  },
  ${plan}
  migrations: new URL('./migrations/', import.meta.url),
})`,
  'modules/parcels/migrations/0001-parcels.js': `export const up = m => m.tenantTable('${table}', 'id text primary key, weight integer not null')`,
})
const USE = '  parcels: { use: ./modules/parcels }\nparcels:\n  small: { weight: 1 }\n  large: { weight: 9 }\n'
const PLAN_HOOK = `plan: async ({ database, operator }, _options, { sections }) => {
    const { rows } = await database.tenant(operator.tenantId).query('select id, weight from parcels_boxes')
    const wanted = sections.parcels ?? {}
    return [
      ...Object.keys(wanted).filter(key => !rows.some(row => row.id === key)).map(key => ({ change: 'add', subject: 'parcel ' + key })),
      ...rows.filter(row => !(row.id in wanted)).map(row => ({ change: 'remove', subject: 'parcel ' + row.id, breaks: 'it is still needed' })),
    ]
  },`
const WRITING_PLAN_HOOK = `plan: async ({ database, operator }) => {
    await database.tenant(operator.tenantId).query("insert into parcels_boxes values ($1, 'x', 1)", [operator.tenantId])
    return []
  },`

interface Shop {
  readonly folder: string
  write(files: Readonly<Record<string, string>>): void
  plan(): Promise<RecipePlan>
  apply(): Promise<void>
  sql(text: string): Promise<Record<string, unknown>[]>
}

/** With an empty database, or by default one with the tables of `BASE`. */
async function shop(
  t: ExecutionContext,
  recipe: string,
  files: Readonly<Record<string, string>> = {},
  isEmpty = false,
): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-plan-'))
  writeFileSync(join(folder, 'base.yaml'), BASE)
  const { services, modules } = await checkFile(join(folder, 'base.yaml'), {})
  const database = await createTestDatabase({ migrations: isEmpty ? [] : migrationSets([...services, ...modules]) })
  t.teardown(async () => {
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  const settings = readSettings({
    DATABASE_URL: database.ownerUrl,
    LARDER_SECRET: 'a secret that only tests may know of',
    LARDER_DATA: join(folder, '.larder'),
  })
  const file = join(folder, 'recipe.yaml')
  const write: Shop['write'] = more => {
    for (const [name, text] of Object.entries(more)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
  }
  write({ 'recipe.yaml': recipe, ...files })
  return {
    folder,
    write,
    plan: async () => planRecipe({ checked: await checkFile(file, {}), settings, log }),
    async apply() {
      const kernel = await bootKernel({ checked: await checkFile(file, {}), settings, log, role: 'migrate' })
      await kernel.stop()
    },
    async sql(text) {
      const client = new pg.Client({ connectionString: database.ownerUrl })
      client.on('error', () => {})
      await client.connect()
      try {
        return (await client.query(text)).rows
      } finally {
        await client.end()
      }
    },
  }
}

const lines = ({ changes }: RecipePlan) =>
  changes.map(({ change, of, subject, detail, breaks }) =>
    [change, of, subject, ...(detail ? [detail] : []), ...(breaks ? [`! ${breaks}`] : [])].join(' | '),
  )
/** Covers everything in the database, row by row. */
async function digest({ sql }: Shop): Promise<string> {
  const tables = await sql(
    "select schemaname || '.' || quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1",
  )
  const hash = createHash('sha256')
  for (const { name } of tables)
    hash.update(JSON.stringify([name, await sql(`select * from ${name} order by 1::text`)]))
  return hash.digest('hex')
}

test('lists everything as added before the first start, without writing anything', async t => {
  const own = await shop(t, `${BASE}${USE}${ROLE('communications.message.read')}`, parcels(PLAN_HOOK), true)
  const before = await digest(own)
  const planned = await own.plan()
  t.true(planned.changes.every(({ change, breaks }) => change === 'add' && breaks === undefined))
  const listed = lines(planned)
  t.true(listed.some(line => line.startsWith('add | identity | module identity | tables: 0001-identity, ')))
  t.true(listed.includes('add | parcels | module parcels | tables: 0001-parcels'))
  t.true(listed.includes('add | parcels | parcels small'))
  t.true(listed.includes('add | recipe | role tenant.support | communications.message.read'))
  t.is(await digest(own), before)
})

test('does not create the embedded database', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'larder-plan-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'recipe.yaml'), BASE)
  const settings = readSettings({ LARDER_DATA: join(folder, '.larder') })
  const checked = await checkFile(join(folder, 'recipe.yaml'), {})
  const planned = await planRecipe({ checked, settings, log })
  t.is(planned.place, null)
  t.true(planned.changes.length > 1)
  t.false(existsSync(join(folder, '.larder')))
})

test('lists nothing after applying, and writes nothing', async t => {
  const own = await shop(t, `${BASE}${USE}${ROLE('communications.message.read')}`, parcels(PLAN_HOOK))
  await own.apply()
  const before = await digest(own)
  const planned = await own.plan()
  t.deepEqual(lines(planned), [])
  t.deepEqual(planned.unknown, [])
  t.is(await digest(own), before)
})

test('lists every change of the recipe, and applying makes them', async t => {
  const own = await shop(t, `${BASE}${USE}${ROLE('communications.message.read, identity.member.read')}`, {
    ...parcels(PLAN_HOOK),
    'hello.hbs': MAIL,
  })
  await own.apply()
  const emails = 'emails:\n  identity.welcome: { template: ./hello.hbs }\n  shop.hello: { template: ./hello.hbs }\n'
  own.write({
    'recipe.yaml': `${BASE}${USE.replace('  large: { weight: 9 }', '  huge: { weight: 99 }')}${ROLE('identity.member.read')}${emails}`,
    'modules/parcels/migrations/0002-more.js': 'export const up = async () => {}',
  })
  const before = await digest(own)
  t.deepEqual(lines(await own.plan()), [
    'change | parcels | tables of parcels | 0002-more',
    'change | recipe | role tenant.support | − communications.message.read | ! users with this role lose communications.message.read',
    'change | recipe | mail template identity.welcome | source identity → recipe',
    'add | recipe | mail template shop.hello',
    'add | parcels | parcel huge',
    'remove | parcels | parcel large | ! it is still needed',
  ])
  t.is(await digest(own), before)
  await own.apply()
  // The module of this test only adds.
  t.deepEqual(lines(await own.plan()), ['remove | parcels | parcel large | ! it is still needed'])
})

test('lists a removed module with the rows of its tables, and adds it again later', async t => {
  const own = await shop(t, `${BASE}${USE}`, parcels(PLAN_HOOK))
  await own.apply()
  own.write({ 'recipe.yaml': BASE })
  const gone =
    'remove | parcels | module parcels | keeps its tables (rows): parcels_boxes (2) | ! removes its routes, pages, jobs and permissions; the rows of its tables become unreachable'
  t.deepEqual(lines(await own.plan()), [gone])
  await own.apply()
  t.deepEqual(lines(await own.plan()), [])
  t.is((await own.sql('select * from parcels_boxes')).length, 2)
  own.write({ 'recipe.yaml': `${BASE}${USE}` })
  t.deepEqual(lines(await own.plan()), ['add | parcels | module parcels'])
})

test('lists the changes of a new module before its tables exist', async t => {
  const own = await shop(t, BASE, parcels(PLAN_HOOK))
  await own.apply()
  own.write({ 'recipe.yaml': `${BASE}${USE}` })
  const planned = await own.plan()
  t.deepEqual(lines(planned), [
    'add | parcels | module parcels | tables: 0001-parcels',
    'add | parcels | parcels small',
    'add | parcels | parcels large',
  ])
  t.deepEqual(planned.unknown, [])
})

test('counts the members and tenants that lose a removed role', async t => {
  const own = await shop(t, `${BASE}${ROLE('identity.member.read')}`)
  await own.apply()
  await own.sql(`
    insert into identity_users (id, email, email_key, password_hash, created_at, updated_at)
      select 'usr_' || n, n || '@b.test', n || '@b.test', 'x', now(), now() from generate_series(1, 3) n;
    insert into identity_members (tenant_id, id, user_id, roles, created_at, updated_at)
      select 'ten_' || n % 2, 'mem_' || n, 'usr_' || n, array['tenant.member', 'tenant.support'], now(), now()
        from generate_series(1, 3) n`)
  own.write({ 'recipe.yaml': BASE })
  t.deepEqual(lines(await own.plan()), [
    'remove | recipe | role tenant.support | ! users with this role lose its permissions: identity.member.read',
    'remove | identity | assigned role tenant.support | ! 3 members in 2 tenants lose the permissions of this role',
  ])
})

test('rejects a plan that writes, and names its module', async t => {
  const own = await shop(t, `${BASE}${USE}`, parcels(WRITING_PLAN_HOOK))
  await own.apply()
  await t.throwsAsync(own.plan(), {
    message: /module 'parcels' could not plan: its plan hook tried to write to the database/,
  })
  t.is((await own.sql("select 1 from parcels_boxes where id = 'x'")).length, 0)
})

test('lists a module without a plan as unknown', async t => {
  const own = await shop(t, `${BASE}${USE}`, parcels(''))
  await own.apply()
  const planned = await own.plan()
  t.deepEqual(lines(planned), [])
  t.deepEqual(planned.unknown, ['parcels: module parcels has no plan hook'])
})

test('lists a plan that needs pending migrations as unknown', async t => {
  const own = await shop(t, `${BASE}${USE}`, parcels(PLAN_HOOK))
  await own.apply()
  own.write({
    ...parcels(PLAN_HOOK.replaceAll('id, weight', 'id, weight, colour')),
    'modules/parcels/migrations/0002-colour.js': `export const up = m => m.query('alter table parcels_boxes add colour text')`,
  })
  const planned = await own.plan()
  t.deepEqual(lines(planned), ['change | parcels | tables of parcels | 0002-colour'])
  t.regex(planned.unknown[0] ?? '', /^parcels: known after the pending migrations .*colour/)
})

test('reports an applied migration without a file', async t => {
  const own = await shop(t, `${BASE}${USE}`, parcels(PLAN_HOOK))
  await own.apply()
  rmSync(join(own.folder, 'modules/parcels/migrations/0001-parcels.js'))
  own.write({ 'modules/parcels/migrations/0001-renamed.js': 'export const up = async () => {}' })
  t.like(
    (await own.plan()).changes.find(({ change }) => change === 'remove'),
    {
      subject: 'migrations of parcels',
      detail: '0001-parcels',
    },
  )
})

test('compares a database without a stored recipe as far as possible', async t => {
  const own = await shop(t, `${BASE}${USE}`, parcels(PLAN_HOOK))
  await own.apply()
  await own.sql(`drop table larder_applied_recipe;
    delete from larder_migrations where module = 'postgres' and name = '0004-applied-recipe'`)
  own.write({ 'recipe.yaml': BASE })
  const planned = await own.plan()
  t.like(planned.changes[0], { change: 'remove', subject: 'module parcels' })
  t.like(planned.changes[1], { change: 'change', subject: 'tables of postgres', detail: '0004-applied-recipe' })
  t.regex(planned.unknown[0] ?? '', /no earlier recipe is recorded/)
  await own.apply()
  t.deepEqual(lines(await own.plan()), [])
})

test('rejects an invalid recipe before it queries the database', async t => {
  const own = await shop(t, `${BASE}nope: 1\n`)
  await t.throwsAsync(own.plan(), { instanceOf: RecipeError })
})
