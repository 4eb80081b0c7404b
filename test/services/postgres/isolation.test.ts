import test from 'ava'
import type { Database, SystemDatabase } from '../../../kernel/contract/ports.ts'
import { createAppAccess } from '../../../services/postgres/app-access.ts'
import { type ConnectionPool, createPool } from '../../../services/postgres/pool.ts'
import { encodeStatement } from '../../../services/postgres/statements.ts'
import { createUnits } from '../../../services/postgres/unit.ts'
import { createFixture, type Fixture, insert, log, secret } from './fixtures.ts'

const TENANTS = 40
const UNITS = Number(process.env.LARDER_UNITS ?? 1500)
const POOL = 5

let fixture: Fixture
let pool: ConnectionPool
let database: Database
let systemDatabase: SystemDatabase
/** Connections that came back in another state than idle, not counting those that were cut. */
let dirty = 0
test.before(async () => {
  fixture = await createFixture()
  await fixture.migrate([])
  const access = createAppAccess({ ownerUrl: fixture.ownerUrl, secrets: [secret] })
  access.useRoles(fixture.roles.roles)
  const real = createPool({ access, log, maxConnections: POOL, applicationName: 'isolation', pooled: false })
  pool = {
    ...real,
    async connect(tenantId) {
      const connection = await real.connect(tenantId)
      return {
        get status() {
          return connection.status
        },
        run: (...batch) => connection.run(...batch),
        release() {
          if (connection.status !== undefined && connection.status !== 'I') dirty++
          connection.release()
        },
      }
    },
  }
  const units = createUnits(pool, log)
  database = units.database
  systemDatabase = units.systemDatabase
  for (let i = 0; i < TENANTS; i++)
    await database.tenant(`ten_${i}`).query(insert, [`ten_${i}`, `seed_${i}`, `seed ${i}`])
})
test.after.always(async () => {
  await pool?.end()
  await fixture?.end()
})

const look = 'select tenant_id, id from test_things'

test('interleaved units of 40 tenants, with every kind of failure, see no row of another tenant', async t => {
  let foreign = 0
  let kept = 0
  const see = (tenant: string, rows: { tenant_id: string }[]) => {
    foreign += rows.filter(({ tenant_id }) => tenant_id !== tenant).length
  }
  const ways: ((tenant: string, id: string) => Promise<unknown>)[] = [
    async tenant => see(tenant, (await database.tenant(tenant).query<{ tenant_id: string }>(look)).rows),
    async (tenant, id) => {
      const results = await database.tenant(tenant).all([[insert, [tenant, id, id]], [look]])
      kept++
      see(tenant, results[1]?.rows as { tenant_id: string }[])
    },
    (tenant, id) =>
      database.tenant(tenant).transaction(async unit => {
        see(tenant, (await unit.query<{ tenant_id: string }>(look)).rows)
        await unit.query(insert, [tenant, id, id])
        see(tenant, (await unit.query<{ tenant_id: string }>(look)).rows)
        kept++
      }),
    (tenant, id) => database.tenant(tenant).all([[insert, [tenant, id, id]], ['select 1 / 0']]),
    (tenant, id) =>
      database.tenant(tenant).transaction(async unit => {
        await unit.query(insert, [tenant, id, id])
        throw new Error('handler')
      }),
    (tenant, id) =>
      database.tenant(tenant).transaction(async unit => {
        await unit.query(insert, [tenant, id, id])
        await unit.query('select nothing').catch(() => {})
      }),
    (tenant, id) =>
      database.tenant(tenant).transaction(async unit => {
        void unit.query(insert, [tenant, id, id])
        void unit.query('select 1 / 0')
      }),
    (tenant, id) => database.tenant(tenant).query(insert, ['ten_foreign', id, id]),
    (tenant, id) =>
      systemDatabase.acrossTenants('test').transaction(async () => {
        await database.tenant(tenant).query(insert, [tenant, id, id])
        see(tenant, (await database.tenant(tenant).query<{ tenant_id: string }>(look)).rows)
        throw new Error('after')
      }),
  ]
  const settled = await Promise.allSettled(
    Array.from({ length: UNITS }, (_, i) => ways[(i * 7) % ways.length]?.(`ten_${(i * 13) % TENANTS}`, `row_${i}`)),
  )
  t.is(foreign, 0)
  t.is(dirty, 0)
  // Exactly the confirmed writes are stored.
  t.is((await fixture.things()).length, kept + TENANTS)
  t.true(settled.some(({ status }) => status === 'rejected'))

  for (const connection of await Promise.all(Array.from({ length: POOL }, () => pool.connect(null)))) {
    const naked = "select current_user as who, coalesce(current_setting('larder.tenant', true), '') as tenant"
    const { results } = await connection.run([encodeStatement([naked]), encodeStatement([look])], 5000)
    t.deepEqual(results[0]?.rows, [{ who: fixture.roles.roles.app, tenant: '' }])
    t.is(results[1]?.rowCount, 0, 'no tenant, no rows')
    connection.release()
  }
})

test('forces row level security for reading and writing on every tenant table', async t => {
  const tables = await fixture.asOwner<{ name: string; forced: boolean; policies: number; open: boolean }>(`
    select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
      has_any_column_privilege('larder_app', c.oid, 'select, insert, update') as open,
      (select count(*)::int from pg_policy p where p.polrelid = c.oid and p.polqual is not null
        and p.polwithcheck is not null and p.polcmd = '*') as policies
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`)
  t.true(tables.some(({ name, open }) => open && name === 'test_things'))
  for (const { name, forced, policies, open } of tables) {
    t.true(forced, name)
    t.is(policies, open ? 2 : 1, name)
  }
})
