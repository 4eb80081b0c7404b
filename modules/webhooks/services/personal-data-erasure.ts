/** Erases a person who deleted their account from the deliveries of a workspace. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'

/** Deliveries that one statement reads. */
const PAGE_SIZE = 1000

interface DeliveryTexts {
  id: string
  payload: unknown
  log: unknown
}

/** Deliveries that are still pending are sent without the address and the name. */
export const erasePersonalData =
  ({ database }: Deps<'database'>): Registrations['erasePersonalData'] =>
  async ({ tenantId, patterns, redact }) => {
    const unit = database.tenant(tenantId)
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { rows }: { rows: readonly DeliveryTexts[] } = await unit.query<DeliveryTexts>(
        `select id, payload, attempt_log as log from webhooks_deliveries
         where tenant_id = $1 and id > $2 and lower(payload::text || attempt_log::text) like any ($3)
         order by id limit $4`,
        [tenantId, after, patterns, PAGE_SIZE],
      )
      for (const { id, payload, log } of rows)
        await unit.query('update webhooks_deliveries set payload = $2, attempt_log = $3 where id = $1', [
          id,
          JSON.stringify(redact(payload)),
          JSON.stringify(redact(log)),
        ])
      after = rows.length === PAGE_SIZE ? rows.at(-1)?.id : undefined
    }
  }
