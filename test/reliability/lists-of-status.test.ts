/**
 * Lists of one status, which the home screen of the console reads every minute. Few rows have it, or none, so a plan that
 * goes through the rows by their id reads all of them.
 */
import test from 'ava'
import pg from 'pg'
import { createRunReader } from '../../modules/automations/services/history/run-reader.ts'
import { createMessageListing } from '../../modules/comms/services/message-listing.ts'
import { createItemRepository } from '../../modules/media/services/item-repository.ts'
import { createDeliveries } from '../../modules/webhooks/services/delivery-service.ts'
import type { TestKernel } from '../../testing/index.ts'
import { shareKernel } from '../fixtures/shared-kernel.ts'
import { startFull } from '../recipes/shipped-kernels.ts'

type Statement = readonly [text: string, values: readonly unknown[]]

let kernel: TestKernel
shareKernel(test, startFull, full => {
  kernel = full
  return Promise.resolve()
})

const statements: Statement[] = []
const unit = {
  query(...statement: Statement) {
    statements.push(statement)
    return Promise.resolve({ rows: [], rowCount: 0 })
  },
}
// The lists use no more of what they are given.
const deps = { database: { tenant: () => unit }, systemDatabase: { acrossTenants: () => unit } } as never

const LISTS: Readonly<Record<string, () => Promise<unknown>>> = {
  messages: () => createMessageListing(deps).list('ten_a', { status: 'failed' }),
  'messages of all workspaces': () => createMessageListing(deps).listAll({ status: 'bounced' }),
  'messages of one workspace': () => createMessageListing(deps).listAll({ status: 'bounced', tenantId: 'ten_a' }),
  files: () => createItemRepository(deps).list('ten_a', { status: 'rejected' }),
  deliveries: () => createDeliveries(deps).list('ten_a', { status: 'dead' }),
  runs: () =>
    createRunReader(deps).list({ caller: {} as never, tenantId: undefined, isOperator: true }, { state: 'failed' }),
}
/** Lists in a unit of work across workspaces. */
const OF_ALL = new Set(['messages of all workspaces', 'messages of one workspace', 'runs'])

test('a list of one status names it in its statement, and reads no rows of another one', async t => {
  const client = new pg.Client(kernel.databaseUrl)
  client.on('error', () => {})
  await client.connect()
  t.teardown(() => client.end())
  // Row level security adds the workspace to the lists of one.
  const { rows: roles } = await client.query(
    "select roles[1] as name from pg_policies where tablename = 'media_items' and policyname = 'tenant'",
  )
  await client.query('set plan_cache_mode = force_generic_plan')
  // As with a large table. Those of the test are small.
  for (const way of ['seqscan', 'bitmapscan', 'sort']) await client.query(`set enable_${way} = off`)
  for (const [name, list] of Object.entries(LISTS)) {
    statements.length = 0
    await list()
    await client.query(`set role ${OF_ALL.has(name) ? 'none' : pg.escapeIdentifier(String(roles[0]?.name))}`)
    t.is(statements.length, 1, name)
    for (const [text, values] of statements) {
      // For a large table, PostgreSQL prefers the order of the ids if it doesn't know the status.
      t.regex(text, /(status|state) = '/, name)
      await client.query(`prepare list as ${text}`)
      const given = values.map(value => pg.escapeLiteral(String(value))).join()
      const { rows } = await client.query(`explain execute list (${given})`)
      await client.query('deallocate list')
      const plan = rows.map(row => row['QUERY PLAN']).join('\n')
      t.regex(plan, /Index Scan Backward/, name)
      t.notRegex(plan, /Filter: .*(status|state)/, name)
    }
  }
})
