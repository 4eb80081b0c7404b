/** Turns events into pending deliveries, in the transaction of the event listener. */
import { type Deps, newId } from 'larder/kernel'
import { toPayload, webhookType } from '../domain/payload.ts'
import { parseTarget } from '../domain/targets.ts'
import type { Webhooks } from '../ports.ts'

/** After a 410, later deliveries of the session to that URL are stored as dead. They can still be retried. */
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
    async enqueue({ id, type, tenantId, occurredAt, payload }) {
      const { webhook } = payload
      const webhookName = webhookType(type)
      const target = webhook ? parseTarget(webhook.url) : undefined
      if (!webhook || !target || !webhook.events.includes(webhookName)) return
      await database
        .tenant(tenantId)
        .query(INSERT, [
          tenantId,
          newId('msg'),
          id,
          webhookName,
          payload.session_id,
          payload.sequence,
          webhook.url,
          target.host,
          target.address,
          JSON.stringify(toPayload(payload)),
          occurredAt,
          new Date(clock.now()),
        ])
      database.afterCommit(webhookSender.wake)
    },
  }
}
