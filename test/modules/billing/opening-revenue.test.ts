/** The revenue of subscriptions that an installation had before it recorded any. */
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import test from 'ava'
import pg from 'pg'
import { pino } from 'pino'
import { checkFile } from '../../../bin/composition.ts'
import { packageRoot } from '../../../kernel/base/package-root.ts'
import { migrationSets } from '../../../kernel/runtime/index.ts'
import { openDatabase } from '../../../services/postgres/open.ts'
import { createTestDatabase } from '../../../services/postgres/testing.ts'

const log = pino({ level: 'silent' })
/** The one that begins to record revenue. */
const RECORDING = '0006-revenue'

const PLANS = {
  pro: { name: 'Pro', price: 2900, currency: 'EUR', interval: 'month' },
  yearly: { name: 'Yearly', price: 10_000, currency: 'USD', interval: 'year' },
  free: { name: 'Free', price: 0, currency: 'EUR' },
}
/** Workspace, member, state, plan, whether the payment is paused. */
const SUBSCRIPTIONS = [
  ['ten_a', '', 'active', 'pro', false],
  ['ten_b', '', 'past_due', 'pro', false],
  ['ten_c', '', 'active', 'yearly', false],
  ['ten_d', '', 'trialing', 'pro', false],
  ['ten_e', '', 'active', 'pro', true],
  ['ten_f', '', 'canceled', 'pro', false],
  ['ten_g', '', 'active', 'free', false],
  ['ten_h', '', 'active', 'removed', false],
  ['ten_own', '', 'active', 'pro', false],
  ['ten_own', 'mem_a', 'active', 'pro', false],
] as const

test('begins with what is paid then, without trials, pauses and the plan of the operator', async t => {
  const checked = await checkFile(fileURLToPath(new URL('recipes/full.yaml', packageRoot)), {})
  const current = migrationSets([...checked.services, ...checked.modules])
  const { folder } = current.find(({ module }) => module === 'billing') ?? {}
  const former = await mkdtemp(join(tmpdir(), 'larder-migrations-'))
  t.teardown(() => rm(former, { recursive: true, force: true }))
  for (const file of await readdir(folder as URL))
    if (/^\d{4}-[\w-]+\.js$/.test(file) && file < RECORDING)
      await cp(new URL(file, `${folder}/`.replace(/\/+$/, '/')), join(former, file))
  const before = current.map(set => (set.module === 'billing' ? { ...set, folder: pathToFileURL(former) } : set))

  const { ownerUrl, drop } = await createTestDatabase({ migrations: before, log })
  t.teardown(drop)
  const client = new pg.Client(ownerUrl)
  client.on('error', () => undefined)
  await client.connect()
  t.teardown(() => client.end())
  const insert = async (table: string, rows: readonly Readonly<Record<string, unknown>>[]) => {
    for (const row of rows) {
      const names = Object.keys(row)
      const places = names.map((_, index) => `$${index + 1}`)
      await client.query(`insert into ${table} (${names}) values (${places})`, Object.values(row))
    }
  }
  const now = new Date()
  const times = { created_at: now, updated_at: now }
  await client.query("update larder_installation set operator_tenant_id = 'ten_own'")
  // Products of people have several rows for a workspace.
  await client.query('alter table billing_subscriptions drop constraint billing_subscriptions_pkey')
  await insert(
    'billing_plans',
    Object.entries(PLANS).map(([key, definition]) => ({
      key,
      definition: JSON.stringify(definition),
      hash: '-',
      ...times,
    })),
  )
  await insert(
    'billing_subscriptions',
    SUBSCRIPTIONS.map(([tenant_id, member_id, state, plan_key, payment_paused], index) => ({
      tenant_id,
      member_id,
      id: `sub_${index}`,
      state,
      plan_key,
      payment_paused,
      ...times,
    })),
  )

  const database = await openDatabase({ ownerUrl, secrets: ['a secret of thirty-two characters'], log })
  t.teardown(() => database.close())
  await database.migrate(current)
  const { rows } = await client.query(
    'select kind, plan_key, currency, annual::int, subscriptions from billing_revenue_changes order by plan_key',
  )
  t.deepEqual(rows, [
    // Two workspaces, one of which is late, and a customer of the operator's workspace.
    { kind: 'opening', plan_key: 'pro', currency: 'EUR', annual: 3 * 12 * 2900, subscriptions: 3 },
    { kind: 'opening', plan_key: 'yearly', currency: 'USD', annual: 10_000, subscriptions: 1 },
  ])
})
