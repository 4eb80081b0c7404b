import { readFileSync } from 'node:fs'
import test from 'ava'
import { startTestKernel, type TestKernel } from '../../testing/index.ts'
import { dialSocket } from '../fixtures/socket.ts'

let kernel: TestKernel
test.before(async () => {
  // Without a worker, so that everything waits.
  kernel = await startTestKernel({
    role: 'web',
    recipe: { modules: { identity: {}, comms: {}, webhooks: {}, messaging: {}, automations: {} } },
  })
})
test.after.always(() => kernel?.stop())

const scrape = async () => (await kernel.get<string>('/metrics')).body
const seriesValue = async (series: string) =>
  Number(
    (await scrape())
      .split('\n')
      .find(line => line.startsWith(`${series} `))
      ?.slice(series.length),
  )

test.serial('docs/operations.md describes each metric, and no other', async t => {
  const served = [...(await scrape()).matchAll(/^# HELP (larder_\w+)/gm)].map(([, name]) => name).sort()
  const docs = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  const described = [...docs.matchAll(/^\| `(larder_\w+)` \| .+ \| .+ \|$/gm)].map(([, name]) => name).sort()
  t.deepEqual(served, described)
})

test.serial('only counters end in _total, as promtool checks', async t => {
  const types = [...(await scrape()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => ({ name, type }))
  t.true(types.length > 30)
  t.deepEqual(
    types.filter(({ name = '', type }) => name.endsWith('_total') !== (type === 'counter')),
    [],
  )
})

test.serial('counts connections to the database', async t => {
  const { systemDatabase } = kernel.kernel.ports
  const used = 'larder_database_connections{state="used"}'
  const before = await seriesValue(used)
  await systemDatabase.acrossTenants('a test holds a connection').transaction(async unit => {
    await unit.query('select 1')
    t.true((await seriesValue(used)) > before)
  })
  t.true((await seriesValue('larder_database_connections{state="idle"}')) >= 0)
  t.is(await seriesValue('larder_database_connections{state="waiting"}'), 0)
})

test.serial('counts open sockets', async t => {
  const person = await kernel.register('ada@example.test')
  const socket = await dialSocket(`${kernel.url}/v1/realtime`, {
    headers: { authorization: `Bearer ${person.token}` },
  })
  t.is(await seriesValue('larder_sockets'), 1)
  socket.cut()
})

test.serial('counts pending events, jobs, waiting mail and webhook endpoints', async t => {
  const ben = await kernel.register('ben@example.test')
  const mail = await ben.post('/v1/communications/templates/comms.test/test', { to: 'ben@example.test' })
  t.is(mail.status, 202, JSON.stringify(mail.body))
  const url = 'https://hooks.example.com/larder'
  await ben.post('/v1/webhooks/endpoints', { url, events: ['*'] })
  t.true((await seriesValue('larder_events_pending')) > 0)
  t.is(await seriesValue('larder_jobs{name="comms.deliver",state="waiting"}'), 1)
  t.is(await seriesValue('larder_mails_waiting'), 1)
  t.is(await seriesValue('larder_webhook_endpoints{status="active"}'), 1)
})
