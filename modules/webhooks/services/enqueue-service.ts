/** Turns events into pending deliveries, in the transaction of the event listener. */
import { type Deps, type EventEnvelope, newId, type RecipeView, type Step } from 'larder/kernel'
import type { EndpointRow } from '../domain/endpoint.ts'
import { matchesAny, patternsOf } from '../domain/event-patterns.ts'
import { toPayload, webhookType } from '../domain/payload.ts'
import { parseTarget } from '../domain/targets.ts'
import type { Webhooks } from '../ports.ts'
import type { Sections } from '../recipe/sections.ts'
import type { EventCatalog } from './event-catalog.ts'

/** After a 410, later deliveries of the session to that URL are stored as dead. They can still be retried. */
const INSERT_SESSION = `
  insert into webhooks_deliveries (tenant_id, id, event_id, type, session_id, sequence, url, host, address, payload,
    occurred_at, created_at, updated_at, status, reason, next_attempt_at)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12,
    case when gone then 'dead' else 'pending' end, case when gone then 'gone' end, case when not gone then $12::timestamptz end
  from (select exists (select 1 from webhooks_deliveries
    where session_id = $5 and url = $7 and reason = 'gone') as gone) known
  on conflict (event_id, coalesce(endpoint_id, '')) do nothing`

const FIND_ENDPOINTS = `
  select id, url, host, address, status from webhooks_endpoints
  where tenant_id = $1 and events && $2 and (managed_by is not null) = $3`

/** Events for a paused endpoint are stored as dead, so that they can be redelivered later. */
const INSERT_ENDPOINT = `
  insert into webhooks_deliveries (tenant_id, id, event_id, endpoint_id, event_tenant_id, type, subject, url, host, address,
    payload, occurred_at, created_at, updated_at, status, reason, next_attempt_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13,
    case when $14 then 'dead' else 'pending' end, case when $14 then 'paused' end, case when not $14 then $13::timestamptz end)
  on conflict (event_id, coalesce(endpoint_id, '')) do nothing`

type Destination = Pick<EndpointRow, 'id' | 'url' | 'host' | 'address' | 'status'>
type EnqueueDeps = Deps<'database' | 'clock' | 'webhookSender'>

/** Queues session events for the URL of their session. */
export function createWebhooks({ database, clock, webhookSender }: EnqueueDeps): Webhooks {
  return {
    async enqueue({ id, type, tenantId, occurredAt, payload }) {
      const { webhook } = payload
      const webhookName = webhookType(type)
      const target = webhook ? parseTarget(webhook.url) : undefined
      if (!webhook || !target || !webhook.events.includes(webhookName)) return
      await database
        .tenant(tenantId)
        .query(INSERT_SESSION, [
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

export interface EndpointEnqueuer {
  /** Queues the event for the endpoints of its tenant that are subscribed to its type. */
  forTenant(event: AnyEvent): Promise<void>
  /** Queues the event for the endpoints of the recipe, which receive the events of every tenant. */
  forRecipe(event: AnyEvent): Promise<void>
}
type AnyEvent = EventEnvelope<string, unknown>

export function createEndpointEnqueuer(
  deps: EnqueueDeps & Deps<'operator'> & { readonly eventCatalog: EventCatalog },
  _options: unknown,
  { sections }: RecipeView<Sections>,
): EndpointEnqueuer {
  const { database, clock, operator, webhookSender, eventCatalog } = deps

  const subscribed = Object.values(sections.webhooks?.endpoints ?? {}).flatMap(endpoint => endpoint.events)

  async function enqueue(event: AnyEvent, owner: string, managed: boolean): Promise<void> {
    const { id, type, tenantId, subject, occurredAt, payload } = event
    const unit = database.tenant(owner)
    const { rows } = await unit.query<Destination>(FIND_ENDPOINTS, [owner, patternsOf(type), managed])
    if (rows.length === 0) return
    const body = JSON.stringify(eventCatalog.publicPayload(type, payload as object))
    const now = new Date(clock.now())
    await unit.batch(
      rows.map(({ id: endpointId, url, host, address, status }): Step => {
        const facts = [owner, newId('msg'), id, endpointId, tenantId, type, subject]
        return [INSERT_ENDPOINT, [...facts, url, host, address, body, occurredAt, now, status === 'paused']]
      }),
    )
    database.afterCommit(webhookSender.wake)
  }
  return {
    forTenant: event => enqueue(event, event.tenantId, false),
    forRecipe: async event => {
      if (matchesAny(subscribed, event.type)) await enqueue(event, operator.tenantId, true)
    },
  }
}
