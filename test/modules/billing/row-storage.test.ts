import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import pg from 'pg'
import { createRowScan } from '../../../modules/billing/services/row-scan.ts'
import { createRowStorage } from '../../../modules/billing/services/row-storage.ts'
import type { Person } from '../../../testing/index.ts'
import { codeOf, problem } from '../../fixtures/people.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { BILLING, billingRecipe, buy } from './fixtures.ts'

const KEY = 'storage.rows_mb'
const SECOND = 1000
const HOUR = 3600 * SECOND
const MIB = 1024 * 1024
/** Random text, which hardly compresses. */
const body = (megabytes: number) =>
  Array.from({ length: megabytes * 100_000 }, () => Math.random().toString(36).slice(2, 14))
    .join(' ')
    .slice(0, megabytes * 1e6)

const { kernel, clock, people } = withPeople(test, {
  recipe: billingRecipe(
    {},
    {
      entitlements: { [KEY]: { kind: 'gauge', unit: 'MiB' } },
      plans: {
        free: { name: 'Free', price: 0, entitlements: { [KEY]: 0.3 } },
        pro: { name: 'Pro', price: 100, currency: 'EUR', entitlements: { [KEY]: 100 } },
      },
      modules: { content: {}, forms: {}, messaging: {}, comms: {}, media: {} },
    },
  ),
  clock: true,
})

const used = async (person: Person): Promise<number> => {
  clock.forward(6 * SECOND)
  const { body } = await person.get(`${BILLING}/entitlements`)
  return body.data.find(({ key }) => key === KEY)?.used ?? -1
}
/** Later than the delay of PostgreSQL's statistics, so that the scan replaces what was counted. */
const measure = async () => {
  clock.forward(15 * SECOND)
  await kernel.kernel.ports.jobs.enqueue('billing.measure_rows', {})
  await kernel.settled()
}
const CONVERSATIONS = '/v1/messaging/conversations'
let pages = 0
const createPage = (person: Person, text: string) =>
  person.post('/v1/content/pages', { slug: `page-${++pages}`, title: 'Page', body: text })

test.serial('counts written bytes at once, and refuses writes over the limit', async t => {
  const ada = await people.person()
  t.is((await createPage(ada, body(0.1))).status, 201)
  const before = await used(ada)
  t.true(before > 0.15, `${before} MiB`)
  const refused = await createPage(ada, body(0.1))
  t.is(codeOf(refused), '403 entitlement_exceeded')
  t.like(problem(refused), { key: KEY, limit: 0.3, upgrade: ['pro'] })
  await buy(ada, 'pro')
  t.is((await createPage(ada, body(0.1))).status, 201)
})

test.serial('a scan replaces what was counted, for each tenant', async t => {
  const [ada, eve] = [await people.person(), await people.person()]
  await createPage(ada, body(0.1))
  await createPage(eve, 'short')
  await measure()
  const [large, small] = [await used(ada), await used(eve)]
  t.true(large > 0.15 && large < 0.3, `${large} MiB`)
  t.true(small > 0 && small < 0.01, `${small} MiB`)
})

test.serial('a scan right after a write leaves what was counted, because it may not have seen the write', async t => {
  const ada = await people.person()
  await createPage(ada, body(0.1))
  await kernel.kernel.ports.jobs.enqueue('billing.measure_rows', {})
  await kernel.settled()
  const counted = await used(ada)
  t.true(counted > 0.15, `${counted} MiB`)
})

test.serial('counts a write once although the clock of the process was set back after it', async t => {
  const { systemDatabase, caches } = kernel.kernel.ports
  let ahead = HOUR
  const clock = { now: () => Date.now() + ahead, isSystem: true }
  const storage = createRowStorage({ systemDatabase, clock, caches })
  const tenantId = 'ten_without_rows'
  storage.add(tenantId, MIB)
  ahead = 0
  await createRowScan({ systemDatabase, clock }).run(AbortSignal.timeout(10 * SECOND))
  // PostgreSQL's statistics have seen the write after this time.
  await systemDatabase
    .acrossTenants('scans of tables belong to no tenant')
    .query("update billing_row_scans set scanned_at = statement_timestamp() + interval '15 s'")
  t.is(await storage.used(tenantId), 0)
})

test.serial('deleting frees storage', async t => {
  const ada = await people.person()
  // PostgreSQL reports changes of a table with a delay of some seconds.
  const measured = (accept: (megabytes: number) => boolean) =>
    waitFor(
      async () => {
        await pause(200)
        await measure()
        return used(ada)
      },
      accept,
      40,
    )
  const { body: page } = await createPage(ada, body(0.1))
  await measured(megabytes => megabytes > 0.1)
  t.is((await ada.delete(`/v1/content/pages/${page.id}`)).status, 204)
  await measured(megabytes => megabytes < 0.05)
  t.is((await createPage(ada, body(0.1))).status, 201)
})

test.serial('limits forms, public submissions and messages', async t => {
  const ada = await people.person()
  const bob = await people.colleague(ada, ['tenant.member'])
  const form = { name: 'Form', access: 'public', schema: { type: 'object', properties: { text: { type: 'string' } } } }
  const { body: made } = await ada.post('/v1/forms', form)
  const started = await ada.post(CONVERSATIONS, { participantIds: [bob.userId] })
  t.is((await createPage(ada, body(0.15))).status, 201)
  const text = body(0.05)
  t.is(
    codeOf(await ada.post('/v1/forms', { ...form, schema: { ...form.schema, description: text } })),
    '403 entitlement_exceeded',
  )
  const publicly = await kernel.post(`/v1/forms/${made.id}/submit`, { data: { text } })
  t.is(codeOf(publicly), '403 form_full')
  t.false(JSON.stringify(publicly.body).includes('limit'))
  t.is((await createPage(ada, body(0.004))).status, 201)
  const sent = await ada.post(`${CONVERSATIONS}/${started.body.id}/messages`, { body: text.slice(0, 9000) })
  t.is(codeOf(sent), '403 entitlement_exceeded')
})

test.serial(
  'measures every table with a tenant, except those of core services and billing, and the audit log',
  async t => {
    await measure()
    const client = new pg.Client(kernel.databaseUrl)
    client.on('error', error => t.fail(error.message))
    await client.connect()
    t.teardown(() => client.end())
    const { rows: scanned } = await client.query('select table_name as name from billing_row_scans order by 1')
    const { rows: tables } = await client.query(
      `select table_name as name from information_schema.columns
      where column_name = 'tenant_id' and table_schema = current_schema() and table_name !~ '^(larder|billing)_' and table_name <> 'identity_audit' order by 1`,
    )
    t.deepEqual(scanned, tables)
    t.true(scanned.length > 10)
  },
)
