import { fileURLToPath } from 'node:url'
import test from 'ava'
import pg from 'pg'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { waitFor } from '../fixtures/wait.ts'

/** Append-only tables, retained without personal data; see docs/decisions/0012-tenant-deletion.md. */
const RETAINED = ['billing_credit_allocations', 'billing_credit_entries', 'identity_audit']
/** The test fills these through the API. */
const QUEUE_TABLES = ['larder_deliveries', 'larder_events', 'larder_jobs']

interface Column {
  readonly name: string
  readonly type: string
}
/** Foreign keys are satisfied because every text of a tenant has the same value in all tables. */
const sampleValue = ({ name, type }: Column, tenantId: string): unknown => {
  if (name === 'tenant_id') return tenantId
  if (type.endsWith('[]')) return '{}'
  if (type.startsWith('timestamp')) return new Date().toISOString()
  if (type === 'jsonb') return '{}'
  if (type === 'bytea') return Buffer.from(tenantId)
  if (type === 'boolean') return false
  return type === 'text' || type.startsWith('character') ? `x_${tenantId}` : 1
}

const recipe = fileURLToPath(new URL('recipes/full.yaml', packageRoot))

let kernel: TestKernel
let owner: pg.Client
let deleted: Person
let other: Person
test.before(async () => {
  kernel = await startTestKernel({ recipe })
  owner = new pg.Client({ connectionString: kernel.databaseUrl })
  owner.on('error', () => undefined)
  await owner.connect()
  deleted = await kernel.register('deleted@example.test')
  other = await kernel.register('other@example.test')
  await kernel.settled()
})
test.after.always(async () => {
  await owner?.end()
  await kernel?.stop()
})

/** Without tables of shared collections, whose rows belong to the operator's workspace. */
async function tenantTables(): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where column_name = 'tenant_id' and table_schema = current_schema()
       and table_name not like all (select tablename || '%' from pg_policies where policyname = 'shared') order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** Check constraints are dropped and triggers disabled: the rows need no meaning. */
async function fill(tables: readonly string[]): Promise<void> {
  await owner.query(`set session_replication_role = replica`)
  const { rows: checks } = await owner.query<{ name: string; owner: string }>(
    `select conname as name, conrelid::regclass::text as owner from pg_constraint
     where contype = 'c' and connamespace = current_schema()::text::regnamespace and conrelid <> 0`,
  )
  for (const check of checks) await owner.query(`alter table ${check.owner} drop constraint "${check.name}"`)
  for (const table of tables.filter(name => !QUEUE_TABLES.includes(name)))
    for (const { tenantId } of [deleted, other]) await insertRow(table, tenantId)
  await owner.query(`set session_replication_role = origin`)
}

async function insertRow(table: string, tenantId: string): Promise<void> {
  const { rows: columns } = await owner.query<Column>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attnotnull and not atthasdef
       and attidentity = ''`,
    [table],
  )
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const places = columns.map((_, index) => `$${index + 1}`).join(', ')
  const values = columns.map(column => sampleValue(column, tenantId))
  await owner.query(`insert into ${table} (${names}) values (${places}) on conflict do nothing`, values)
}

async function filledTables(tables: readonly string[], tenantId: string): Promise<string[]> {
  const filled: string[] = []
  for (const table of tables) {
    const { rowCount } = await owner.query(`select 1 from ${table} where tenant_id = $1 limit 1`, [tenantId])
    if (rowCount) filled.push(table)
  }
  return filled
}

test.serial('no table keeps rows of a deleted tenant, except the retained ones', async t => {
  const tables = await tenantTables()
  await fill(tables)
  const before = await filledTables(tables, deleted.tenantId)
  t.deepEqual(
    tables.filter(table => !before.includes(table) && !QUEUE_TABLES.includes(table)),
    [],
  )
  const { status } = await deleted
    .with({ 'x-tenant-id': deleted.tenantId })
    .delete(`/v1/identity/tenants/${deleted.tenantId}`)
  t.is(status, 204)
  await kernel.settled()
  t.deepEqual(await filledTables(tables, deleted.tenantId), RETAINED)
  const remaining = await filledTables(tables, other.tenantId)
  t.deepEqual(
    before.filter(table => !remaining.includes(table)),
    [],
  )
})

test.serial('only the listed tables name a deleted tenant', async t => {
  const person = await kernel.register('named@example.test')
  const { tenantId } = person
  await kernel.settled()
  await owner.query(
    `insert into larder_provider_events (inbox, provider, event_id, data, keys, occurred_at, received_at, next_attempt_at, outcome)
     values ('billing', 'stripe', 'evt_1', '{}', $1, now(), now(), now(), 'done'),
       ('billing', 'stripe', 'evt_2', $2, '{}', now(), now(), now(), 'unknown'),
       ('billing', 'stripe', 'evt_3', '{}', '{ten_other}', now(), now(), now(), 'done')`,
    [[tenantId], JSON.stringify({ metadata: { tenantId } })],
  )
  t.is((await person.delete(`/v1/identity/tenants/${tenantId}`)).status, 204)
  await kernel.settled()
  await kernel.kernel.ports.jobs.enqueue('billing.measure_rows', {})
  await kernel.settled()
  const { rows: tables } = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`,
  )
  const naming: string[] = []
  for (const { name } of tables) {
    const { rowCount } = await owner.query(`select 1 from "${name}" r where strpos(r::text, $1) > 0 limit 1`, [
      tenantId,
    ])
    if (rowCount) naming.push(name)
  }
  t.deepEqual(naming, ['identity_audit', 'larder_jobs'])
  t.is((await owner.query('select from larder_provider_events')).rowCount, 1)
})

test.serial('no process keeps what it cached of a deleted tenant', async t => {
  const person = await kernel.register('cached@example.test')
  const other = await startTestKernel({ recipe, database: kernel.databaseUrl, role: 'web' })
  t.teardown(() => other.stop())
  const form = { name: 'Form', access: 'public', schema: { type: 'object', properties: {} } }
  const { id } = (await person.post('/v1/forms', form)).body
  await person.post('/v1/features', { key: 'flag', default: true })
  for (const process of [kernel, other]) {
    const { url } = process
    t.is((await fetch(`${url}/v1/forms/${id}/blank`)).status, 200)
    const client = process.as(person.token, person.tenantId)
    t.is((await client.post('/v1/features/ofrep/v1/evaluate/flags', { context: {} })).status, 200)
    await process.with({ cookie: person.cookie }).get('/')
    t.true(
      process.kernel.ports.caches.count(person.tenantId) >= 3,
      `${process.kernel.ports.caches.count(person.tenantId)}`,
    )
  }
  t.is((await person.delete(`/v1/identity/tenants/${person.tenantId}`)).status, 204)
  await kernel.settled()
  for (const process of [kernel, other]) {
    await waitFor(() => process.kernel.ports.caches.count(person.tenantId) === 0)
    t.is((await fetch(`${process.url}/v1/forms/${id}/blank`)).status, 404)
    t.is((await fetch(`${process.url}/forms/${id}`)).status, 404)
  }
})

test.serial('the audit log of a deleted tenant keeps its entries without details', async t => {
  const { rows } = await owner.query<{ action: string; details: object }>(
    'select action, details from identity_audit where tenant_id = $1',
    [deleted.tenantId],
  )
  t.true(rows.some(({ action }) => action === 'tenant.deleted'))
  t.true(rows.every(({ details }) => Object.keys(details).length === 0))
  const kept = await owner.query(`select 1 from identity_audit where tenant_id = $1 and details <> '{}'`, [
    other.tenantId,
  ])
  t.true((kept.rowCount ?? 0) > 0)
})
