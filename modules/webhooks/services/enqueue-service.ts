/** Turns events into pending deliveries, in the transaction of the event listener. */
import {
  type Deps,
  type EventEnvelope,
  newId,
  type RecipeView,
  statement,
  statementTime,
} from '@larder-dev/larder/kernel'
import { parseTarget } from '@larder-dev/larder/kernel/internal'
import { matchesAny, patternsOf } from '../domain/event-patterns.ts'
import { toPayload, webhookType } from '../domain/payload.ts'
import { traceparentOf } from '../domain/trace.ts'
import type { WebhookEventPayload, Webhooks } from '../ports.ts'
import type { Sections } from '../recipe/sections.ts'
import type { EndpointRow } from '../records/endpoint.ts'
import type { EventCatalog } from './event-catalog.ts'
import type { Sender } from './sender.ts'

/** Deliveries of a batch differ by a microsecond, so that claims keep the order of its events. */
const QUEUED_AT = `coalesce($now::timestamptz, statement_timestamp()) + (number - cardinality($id::text[])) * interval '1 microsecond'`

/** After a 410, later deliveries of the session to that URL are stored as dead. They can still be retried. */
const INSERT_SESSIONS = statement(`
  insert into webhooks_deliveries (id, tenant_id, event_id, type, session_id, sequence, url, host, address, payload,
    occurred_at, depth, traceparent, created_at, updated_at, status, reason, next_attempt_at)
  select id, tenant_id, event_id, type, session_id, sequence, url, host, address, payload::jsonb, occurred_at, depth, traceparent,
    at, at, case when gone then 'dead' else 'pending' end, case when gone then 'gone' end, case when not gone then at end
  from unnest($id::text[], $tenantId::text[], $eventId::text[], $type::text[], $sessionId::text[],
    $sequence::integer[], $url::text[], $host::text[], $address::text[], $payload::text[],
    $occurredAt::timestamptz[], $depth::integer[], $traceparent::text[]) with ordinality
    as e (id, tenant_id, event_id, type, session_id, sequence, url, host, address, payload, occurred_at, depth,
      traceparent, number),
    lateral (select ${QUEUED_AT} as at, exists (select 1 from webhooks_deliveries d
      where d.session_id = e.session_id and d.url = e.url and d.reason = 'gone') as gone) known
  on conflict (event_id, coalesce(endpoint_id, '')) do nothing`)

const FIND_ENDPOINTS = `
  select tenant_id, id, url, host, address, status from webhooks_endpoints
  where tenant_id = any($1) and events && $2 and (managed_by is not null) = $3`

/** Events for a paused endpoint are stored as dead, so that they can be redelivered later. */
const INSERT_ENDPOINTS = statement(`
  insert into webhooks_deliveries (id, tenant_id, event_id, endpoint_id, event_tenant_id, type, subject, url, host,
    address, payload, occurred_at, depth, traceparent, created_at, updated_at, status, reason, next_attempt_at)
  select id, tenant_id, event_id, endpoint_id, event_tenant_id, type, subject, url, host, address, payload::jsonb,
    occurred_at, depth, traceparent, at, at, case when paused then 'dead' else 'pending' end, case when paused then 'paused' end,
    case when not paused then at end
  from unnest($id::text[], $tenantId::text[], $eventId::text[], $endpointId::text[], $eventTenantId::text[],
    $type::text[], $subject::text[], $url::text[], $host::text[], $address::text[], $payload::text[],
    $occurredAt::timestamptz[], $depth::integer[], $traceparent::text[], $paused::boolean[]) with ordinality
    as e (id, tenant_id, event_id, endpoint_id, event_tenant_id, type, subject, url, host, address, payload,
      occurred_at, depth, traceparent, paused, number),
    lateral (select ${QUEUED_AT} as at) known
  on conflict (event_id, coalesce(endpoint_id, '')) do nothing`)

type Destination = Pick<EndpointRow, 'id' | 'url' | 'host' | 'address' | 'status'> & { readonly tenant_id: string }
type EnqueueDeps = Deps<'systemDatabase' | 'database' | 'clock'> & { readonly sender: Sender }

/** One array for each property, as unnest() takes them. */
const toColumns = <Row extends object>(rows: readonly Row[]): Record<keyof Row, unknown[]> =>
  Object.fromEntries(Object.keys(rows[0] ?? {}).map(name => [name, rows.map(row => row[name as keyof Row])])) as Record<
    keyof Row,
    unknown[]
  >

/** The events of a batch can belong to several tenants. */
const everyTenant = ({ systemDatabase }: EnqueueDeps) =>
  systemDatabase.acrossTenants('a batch of events has deliveries of several tenants')

/** Queues session events for the URL of their session. */
export function createWebhooks(deps: EnqueueDeps): Webhooks {
  const { database, clock, sender } = deps

  function toRow(event: EventEnvelope<string, WebhookEventPayload>) {
    const { id, type, tenantId, occurredAt, depth, payload } = event
    const { webhook, session_id, sequence } = payload
    const name = webhookType(type)
    const target = webhook ? parseTarget(webhook.url) : undefined
    if (!webhook || !target || !webhook.events.includes(name)) return undefined
    const { host, address } = target
    return {
      id: newId('msg'),
      tenantId: tenantId,
      eventId: id,
      type: name,
      sessionId: session_id,
      sequence: sequence,
      url: webhook.url,
      host,
      address,
      payload: JSON.stringify(toPayload(payload)),
      occurredAt,
      depth,
      traceparent: traceparentOf(event),
    }
  }

  return {
    async enqueue(events) {
      const rows = events.map(toRow).filter(row => row !== undefined)
      if (rows.length === 0) return
      await everyTenant(deps).query(...INSERT_SESSIONS({ now: statementTime(clock), ...toColumns(rows) }))
      database.afterCommit(sender.wake)
    },
  }
}

export interface EndpointEnqueuer {
  /** Queues events of one type for the endpoints of their tenants that are subscribed to it. */
  forTenants(events: readonly AnyEvent[]): Promise<void>
  /** Queues events of one type for the endpoints of the recipe, which receive the events of every tenant. */
  forRecipe(events: readonly AnyEvent[]): Promise<void>
}
type AnyEvent = EventEnvelope<string, unknown>

export function createEndpointEnqueuer(
  deps: EnqueueDeps & Deps<'operator'> & { readonly eventCatalog: EventCatalog },
  _options: unknown,
  { sections }: RecipeView<Sections>,
): EndpointEnqueuer {
  const { database, clock, operator, sender, eventCatalog } = deps

  const subscribed = Object.values(sections.webhooks?.endpoints ?? {}).flatMap(endpoint => endpoint.events)

  function toRows(event: AnyEvent, destinations: readonly Destination[]) {
    const { id, type, tenantId, subject, occurredAt, depth, payload } = event
    const body = JSON.stringify(eventCatalog.publicPayload(type, payload as object))
    return destinations.map(({ tenant_id, id: endpointId, url, host, address, status }) => ({
      id: newId('msg'),
      tenantId: tenant_id,
      eventId: id,
      endpointId,
      eventTenantId: tenantId,
      type,
      subject,
      url,
      host,
      address,
      payload: body,
      occurredAt,
      depth,
      traceparent: traceparentOf(event),
      paused: status === 'paused',
    }))
  }

  async function enqueue(
    events: readonly AnyEvent[],
    ownerOf: (event: AnyEvent) => string,
    managed: boolean,
  ): Promise<void> {
    const [first] = events
    if (!first) return
    const owners = [...new Set(events.map(ownerOf))]
    const unit = everyTenant(deps)
    const { rows } = await unit.query<Destination>(FIND_ENDPOINTS, [owners, patternsOf(first.type), managed])
    if (rows.length === 0) return
    const destinationsOf = (event: AnyEvent) => rows.filter(({ tenant_id }) => tenant_id === ownerOf(event))
    const deliveries = events.flatMap(event => toRows(event, destinationsOf(event)))
    await unit.query(...INSERT_ENDPOINTS({ now: statementTime(clock), ...toColumns(deliveries) }))
    database.afterCommit(sender.wake)
  }
  return {
    forTenants: events => enqueue(events, ({ tenantId }) => tenantId, false),
    forRecipe: async events => {
      const [first] = events
      if (first && matchesAny(subscribed, first.type)) await enqueue(events, () => operator.tenantId, true)
    },
  }
}
