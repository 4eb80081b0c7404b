import test from 'ava'
import { metrics } from '../../../services/outbox/metrics.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { createOutboxFixture } from './fixtures.ts'

test('metrics count pending events and failed deliveries, with the age of the oldest event', async t => {
  const fixture = await createOutboxFixture()
  t.teardown(() => fixture.end())
  const sources = metrics({ systemDatabase: fixture.db.systemDatabase, clock: fixture.clock })
  const read = async () => {
    const values = await Promise.all(sources.map(async ({ name, read }) => [name, await read()] as const))
    return Object.fromEntries(
      values.flatMap(([name, all]) => all.map(({ labels, value }) => [`${name} ${labels.state ?? ''}`.trim(), value])),
    )
  }
  await fixture.publish(2)
  fixture.clock.forward(60_000)
  const before = await read()
  t.like(before, { larder_events_pending: 2, 'larder_deliveries pending': 0, 'larder_deliveries dead': 0 })
  t.true((before.larder_events_oldest_seconds as number) >= 60)
  await fixture.relay({
    fails: async () => {
      throw new Error('always')
    },
  })
  await waitFor(async () => (await read())['larder_deliveries pending'] === 2)
  t.like(await read(), { larder_events_pending: 0, larder_events_oldest_seconds: 0 })
  await fixture.asOwner(`update larder_deliveries set state = 'dead'`)
  t.like(await read(), { 'larder_deliveries pending': 0, 'larder_deliveries dead': 2 })
})
