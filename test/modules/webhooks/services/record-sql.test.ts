import test from 'ava'
import { recordSteps } from '../../../../modules/webhooks/services/record-sql.ts'
import { startWebhooks } from '../fixtures.ts'

test('results of a new product are stored by id, however long its queue is', async t => {
  const { kernel, stop } = await startWebhooks({ role: 'web' })
  t.teardown(stop)
  const attempt = {
    delivery: { id: 'msg_1', host: '127.0.0.1', attempts: 0, failures: 0, endpoint_id: null },
    at: 0,
    duration: 1,
    outcome: { status: 204, error: null, answer: '' },
    result: { status: 'delivered' as const },
  }
  const [[store, values]] = recordSteps([attempt], 'snd_1', { now: Date.now }) as [[string, unknown[]]]
  const plan = await kernel.ports.systemDatabase.acrossTenants('a test reads a query plan').transaction(async unit => {
    await unit.query('set local plan_cache_mode = force_generic_plan')
    await unit.query(`prepare store as ${store}`)
    const { rows } = await unit.query(`explain execute store (${values.map(() => 'null').join(', ')})`)
    return rows.map(row => String(row['QUERY PLAN'])).join('\n')
  })
  const scans = [...plan.matchAll(/(?:Scan using|Index Scan on|Seq Scan on) (\w+)/g)].map(([, relation]) => relation)
  t.deepEqual(scans.sort(), ['webhooks_deliveries_pkey', 'webhooks_host_leases_pkey'])
})
