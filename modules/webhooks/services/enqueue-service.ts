/** From an event to a delivery that waits: in the transaction that marks the event's listener done. */
import { type Deps, newId } from 'larder/kernel'
import { payloadOf, webhookType } from '../domain/payload.ts'
import { targetOf } from '../domain/targets.ts'
import type { Webhooks } from '../ports.ts'

/** A session whose address said that it is gone is not asked again; the delivery is listed and can be replayed. */
const INSERT = `
  insert into webhooks_deliveries (tenant_id, id, event_id, type, session_id, sequence, url, host, address, payload,
    occurred_at, created_at, updated_at, status, reason, next_attempt_at)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12,
    case when gone then 'dead' else 'pending' end, case when gone then 'gone' end, case when not gone then $12::timestamptz end
  from (select exists (select 1 from webhooks_deliveries
    where session_id = $5 and url = $7 and reason = 'gone') as gone) known
  on conflict (event_id) do nothing`

export function createWebhooks({
  database,
  clock,
  webhookSender,
}: Deps<'database' | 'clock' | 'webhookSender'>): Webhooks {
  return {
    async announce({ id, type, tenantId, occurredAt, payload }) {
      const { webhook } = payload
      const name = webhookType(type)
      const target = webhook ? targetOf(webhook.url) : undefined
      if (!webhook || !target || !webhook.events.includes(name)) return
      await database
        .tenant(tenantId)
        .query(INSERT, [
          tenantId,
          newId('msg'),
          id,
          name,
          payload.session_id,
          payload.sequence,
          webhook.url,
          target.host,
          target.address,
          JSON.stringify(payloadOf(payload)),
          occurredAt,
          new Date(clock.now()),
        ])
      database.afterCommit(webhookSender.wake)
    },
  }
}
