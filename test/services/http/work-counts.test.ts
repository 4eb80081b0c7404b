import { tracingChannel } from 'node:diagnostics_channel'
import test from 'ava'
import { createWorkCounts } from '../../../services/http/monitoring/work-counts.ts'

const run = (channel: string, message: object, work: () => Promise<unknown>) =>
  tracingChannel<unknown, object>(channel)
    .tracePromise(work, message)
    .catch(() => undefined)
const succeed = async () => undefined
const fail = () => Promise.reject(new Error('failed'))

/** The values of a metric since `createWorkCounts`, by the values of their labels. */
async function valuesOf(counts: ReturnType<typeof createWorkCounts>, metric: string) {
  const values = (await counts.metrics.find(({ name }) => name === metric)?.read()) ?? []
  return Object.fromEntries(values.map(({ labels, value }) => [Object.values(labels).join(' '), value]))
}

test.serial('counts attempts of jobs by name and result', async t => {
  const counts = createWorkCounts()
  t.teardown(counts.close)
  await run('larder.jobs.run', { job: { name: 'test.a' } }, succeed)
  await run('larder.jobs.run', { job: { name: 'test.a' } }, succeed)
  await run('larder.jobs.run', { job: { name: 'test.b' } }, fail)
  t.deepEqual(await valuesOf(counts, 'larder_job_runs_total'), { 'test.a succeeded': 2, 'test.b failed': 1 })
})

test.serial('counts each event of a batch', async t => {
  const counts = createWorkCounts()
  t.teardown(counts.close)
  await run('larder.outbox.delivery', { handler: 'a', events: [{}, {}, {}] }, succeed)
  await run('larder.outbox.delivery', { handler: 'a', events: [{}] }, fail)
  t.deepEqual(await valuesOf(counts, 'larder_event_deliveries_total'), { succeeded: 3, failed: 1 })
})

test.serial('a webhook without a status of success counts as failed', async t => {
  const counts = createWorkCounts()
  t.teardown(counts.close)
  for (const status of [200, 204, 302, 410, 500, null])
    await run('larder.webhooks.send', { webhook: {} }, async () => ({ status }))
  t.deepEqual(await valuesOf(counts, 'larder_webhook_attempts_total'), { accepted: 2, failed: 4 })
})

test.serial('has the value 0 before the first email, so that its rate is known', async t => {
  const counts = createWorkCounts()
  t.deepEqual(await valuesOf(counts, 'larder_mail_attempts_total'), { sent: 0, failed: 0 })
  counts.close()
  await run('larder.comms.mail', { mail: {} }, succeed)
  t.deepEqual(await valuesOf(counts, 'larder_mail_attempts_total'), { sent: 0, failed: 0 })
})
