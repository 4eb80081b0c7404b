/** A receiver of webhooks that takes everything and answers nothing, with much that waits for it; others go on. */

import { createHooked, startWebhooks } from '../modules/webhooks/fixtures.ts'
import { startReceiver } from '../modules/webhooks/receiver.ts'
import { asOwner, atOnce } from './fixtures.ts'

export interface Passed {
  /** Milliseconds from the answer to whoever created a session to the arrival of its webhook, at a receiver that lives. */
  readonly ages: readonly number[]
  /** Requests that the dead one holds. */
  readonly held: number
  /** Webhooks that still wait for it. */
  readonly waiting: number
}

const COPY = `
  insert into webhooks_deliveries (tenant_id, id, event_id, type, session_id, sequence, url, host, address, payload,
    occurred_at, created_at, updated_at, status, next_attempt_at)
  select tenant_id, 'msg_copy_' || n, 'evt_copy_' || n, type, session_id, sequence, url, host, address, payload,
    occurred_at, now(), now(), 'pending', now()
  from webhooks_deliveries cross join generate_series(1, $1::int) n`

export async function passTheDead({ waiting, others }: { waiting: number; others: number }): Promise<Passed> {
  const [dead, alive] = [await startReceiver(() => undefined), await startReceiver()]
  const kernel = await startWebhooks()
  const owner = asOwner(kernel.databaseUrl)
  try {
    const ada = await kernel.register('ada@example.test')
    await createHooked(ada, dead.url)
    await dead.came(1)
    await owner.query(COPY, [waiting])
    const answered = new Map<string, number>()
    await atOnce(others, 4, async () => {
      const { id } = await createHooked(ada, alive.url)
      answered.set(id, Date.now())
    })
    await alive.came(others)
    const ages = alive.received.map(({ at, body }) => {
      const [, id = ''] = /"session_id":"([^"]+)"/.exec(body) ?? []
      return at - (answered.get(id) ?? Number.NaN)
    })
    const left = await owner.number(
      `select count(*)::int from webhooks_deliveries where url = $1 and status = 'pending'`,
      [dead.url],
    )
    return { ages, held: dead.received.length, waiting: left }
  } finally {
    await dead.close()
    await owner.end()
    await kernel.stop()
    await alive.close()
  }
}
