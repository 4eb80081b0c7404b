/** Runs a relay until it is killed. Its two handlers record their effects and sometimes fail. */
import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../../../kernel/base/units.ts'
import type { AnyEvent } from '../../../services/outbox/deliveries.ts'
import { createRelay } from '../../../services/outbox/relay.ts'
import { effect, log, openTestDatabase } from './fixtures.ts'

const [ownerUrl = ''] = process.argv.slice(2)
const db = await openTestDatabase(ownerUrl, 'worker')
const started = Date.now()
/** One minute per second, so that retries are due at once. */
const clock = { now: () => started + (Date.now() - started) * 60 }

const run = (handler: string) => async (event: AnyEvent) => {
  await effect(db, handler, event)
  if (Math.random() < 0.02) throw new Error('now and then')
  // Leaves time for a kill during the handler.
  await sleep(1)
}
const handlers = ['a', 'b'].map(handler => ({ handler, event: 'test.thing.made', run: run(handler) }))
await createRelay({ db, handlers, log, clock, concurrency: 2, batchSize: Math.round(SECOND / 40) }).start()
process.send?.('ready')
