/** Measures deliveries to a responsive receiver while many webhooks for an unresponsive one are pending. */

import { createHooked, startWebhooks } from '../modules/webhooks/fixtures.ts'
import { startReceiver } from '../modules/webhooks/receiver.ts'
import { connectAsOwner, runConcurrently } from './fixtures.ts'

export interface UnresponsiveReceiverResult {
  /** From the response to the creation of a session to the arrival of its webhook at the responsive receiver. */
  readonly delaysMs: readonly number[]
  /** Open requests at the unresponsive receiver. */
  readonly held: number
  /** Webhooks for the unresponsive receiver that are still pending. */
  readonly pending: number
}

const COPY_DELIVERY = `
  insert into webhooks_deliveries (tenant_id, id, event_id, type, session_id, sequence, url, host, address, payload,
    occurred_at, created_at, updated_at, status, next_attempt_at)
  select tenant_id, 'msg_copy_' || n, 'evt_copy_' || n, type, session_id, sequence, url, host, address, payload,
    occurred_at, now(), now(), 'pending', now()
  from webhooks_deliveries cross join generate_series(1, $1::int) n`

export async function deliverBesideUnresponsiveReceiver({
  waiting,
  others,
}: {
  waiting: number
  others: number
}): Promise<UnresponsiveReceiverResult> {
  const [unresponsive, responsive] = [await startReceiver(() => undefined), await startReceiver()]
  const kernel = await startWebhooks()
  const owner = connectAsOwner(kernel.databaseUrl)
  try {
    const ada = await kernel.register('ada@example.test')
    await createHooked(ada, unresponsive.url)
    await unresponsive.came(1)
    await owner.query(COPY_DELIVERY, [waiting])
    const answered = new Map<string, number>()
    await runConcurrently(others, 4, async () => {
      const { id } = await createHooked(ada, responsive.url)
      answered.set(id, Date.now())
    })
    await responsive.came(others)
    const delaysMs = responsive.received.map(({ at, body }) => {
      const [, id = ''] = /"session_id":"([^"]+)"/.exec(body) ?? []
      return at - (answered.get(id) ?? Number.NaN)
    })
    const pending = await owner.value(
      `select count(*)::int from webhooks_deliveries where url = $1 and status = 'pending'`,
      [unresponsive.url],
    )
    return { delaysMs, held: unresponsive.received.length, pending }
  } finally {
    await unresponsive.close()
    await owner.end()
    await kernel.stop()
    await responsive.close()
  }
}
