/** Endpoints of a workspace: created, changed, paused, tested and deleted through the API. */
import type { IncomingHttpHeaders } from 'node:http'
import {
  common,
  type Deps,
  expression,
  fieldError,
  newId,
  type PageOf,
  requireMatch,
  statement,
  statementTime,
  together,
  type Unit,
  wording,
} from '@larder-dev/larder/kernel'
import { type EndpointStatus, endpointEtag, type PauseReason } from '../domain/endpoint.ts'
import { patternsOf, unknownPatterns } from '../domain/event-patterns.ts'
import { TEST_TYPE } from '../domain/event-types.ts'
import { MAX_ATTEMPTS } from '../domain/retry-schedule.ts'
import { DEFAULT_MAX_ENDPOINTS, type WebhooksOptions } from '../options.ts'
import { problems } from '../problems.ts'
import { deliveryTable } from '../records/delivery.ts'
import { type EndpointRow, endpointTable } from '../records/endpoint.ts'
import {
  deleteSteps,
  type EndpointFields,
  insertEndpoint,
  STOP_DELIVERIES,
  updateSteps,
} from './endpoint-repository.ts'
import type { EventCatalog } from './event-catalog.ts'
import type { Sender } from './sender.ts'

/** The gauge that limits endpoints by plan. */
export const ENTITLEMENT = 'webhooks.endpoints'
/** Deliveries per request. */
const MAX_REDELIVERIES = 10_000

export interface EndpointFilter {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly status?: EndpointStatus | undefined
  /** An event type that the endpoints receive. */
  readonly event?: string | undefined
}
export interface EndpointService {
  create(tenantId: string, fields: EndpointFields): Promise<EndpointRow>
  /** Newest first. */
  list(tenantId: string, filter: EndpointFilter): Promise<PageOf<EndpointRow>>
  /** Throws `not_found`, as do the following. */
  get(tenantId: string, id: string): Promise<EndpointRow>
  update(
    tenantId: string,
    id: string,
    patch: Partial<EndpointFields>,
    headers: IncomingHttpHeaders,
  ): Promise<EndpointRow>
  remove(tenantId: string, id: string, headers: IncomingHttpHeaders): Promise<void>
  /** Deliveries that are due while the endpoint is paused are dead, but can be redelivered later. */
  pause(tenantId: string, id: string): Promise<EndpointRow>
  resume(tenantId: string, id: string): Promise<EndpointRow>
  /** Queues a test, which has a single attempt. Returns the id of the delivery. */
  test(tenantId: string, id: string): Promise<string>
  /** Queues dead deliveries of events since then again, oldest first. */
  redeliver(tenantId: string, id: string, since: Date): Promise<{ readonly count: number; readonly has_more: boolean }>
}

type ServiceDeps = Deps<'database' | 'clock' | 'webhookTargets', 'entitlements'> & {
  readonly sender: Sender
  readonly eventCatalog: EventCatalog
}

export function createEndpointService(
  deps: ServiceDeps,
  { maxEndpoints = DEFAULT_MAX_ENDPOINTS }: WebhooksOptions,
): EndpointService {
  const { database, clock, webhookTargets, sender, eventCatalog, entitlements } = deps
  const now = () => new Date(clock.now())

  function assertValid({ url, events }: Partial<EndpointFields>): void {
    const refusal = url === undefined ? undefined : webhookTargets.refusal(url)
    const unknown = events === undefined ? [] : unknownPatterns(events, eventCatalog.types())
    const errors = [
      ...(refusal === undefined ? [] : [fieldError('/url', 'wrong_format', refusal)]),
      ...unknown.map(index => fieldError(`/events/${index}`, 'unknown_event', UNKNOWN_EVENT)),
    ]
    if (errors.length > 0) throw common.validation_failed({}, { errors })
  }

  const get = (tenantId: string, id: string): Promise<EndpointRow> =>
    endpointTable.get(database.tenant(tenantId), { id })

  /** Runs `change` on the locked endpoint and returns the result. */
  const withLocked = <T>(tenantId: string, id: string, change: (unit: Unit, row: EndpointRow) => Promise<T>) =>
    database
      .tenant(tenantId)
      .transaction(async unit => change(unit, await endpointTable.get(unit, { id }, { lock: true })))

  const setStatus = (tenantId: string, id: string, status: EndpointStatus, reason: PauseReason | null) =>
    withLocked(tenantId, id, async (unit, row) => {
      if (row.status === status) return row
      const updated = endpointTable.update(
        unit,
        { id },
        {
          status,
          pause_reason: reason,
          paused_at: status === 'paused' ? now() : null,
          failing_since: null,
          updated_at: now(),
        },
      )
      const stopped = status === 'paused' && unit.query(STOP_DELIVERIES, [id, 'paused', now()])
      return (await together({ updated, stopped })).updated
    })

  return {
    get,
    async create(tenantId, fields) {
      assertValid(fields)
      const id = newId('whe', clock.now())
      return database.tenant(tenantId).transaction(async unit => {
        // Serializes the count.
        const locked = unit.lock('webhooks.endpoints', tenantId)
        const counted = countEndpoints({ database }, tenantId).then(count => {
          if (count >= maxEndpoints) throw problems.too_many_endpoints({ limit: maxEndpoints })
        })
        await together({ lock: locked, count: counted, entitlement: entitlements?.require(tenantId, ENTITLEMENT) })
        return insertEndpoint(unit, tenantId, { ...fields, id, now: now() })
      })
    },
    list: (tenantId, { limit, cursor, status, event }) =>
      endpointTable.page(database.tenant(tenantId), {
        limit,
        cursor,
        where: { tenant_id: tenantId, status },
        and: event === undefined ? [] : [['events && $1::text[]', [patternsOf(event)]]],
      }),
    async update(tenantId, id, patch, headers) {
      assertValid(patch)
      return withLocked(tenantId, id, async (unit, row) => {
        if (row.managed_by !== null) throw common.managed_by_recipe()
        requireMatch(headers, endpointEtag(row))
        const [updated] = await unit.all(updateSteps(id, { url: row.url, ...patch }, now()))
        return endpointTable.records(updated?.rows ?? [])[0] as EndpointRow
      })
    },
    remove: (tenantId, id, headers) =>
      withLocked(tenantId, id, async (unit, row) => {
        // The next start would create it again.
        if (row.managed_by !== null) throw common.managed_by_recipe()
        requireMatch(headers, endpointEtag(row))
        await unit.all(deleteSteps(id, now()))
      }),
    pause: (tenantId, id) => setStatus(tenantId, id, 'paused', 'manual'),
    resume: (tenantId, id) => setStatus(tenantId, id, 'active', null),
    async test(tenantId, id) {
      const { url, host, address } = await get(tenantId, id)
      const messageId = newId('msg', clock.now())
      const at = now()
      const test = deliveryTable.insertStep({
        id: messageId,
        tenant_id: tenantId,
        event_id: newId('evt', clock.now()),
        event_tenant_id: tenantId,
        endpoint_id: id,
        type: TEST_TYPE,
        subject: id,
        url,
        host,
        address,
        payload: { endpoint_id: id },
        occurred_at: at,
        created_at: at,
        updated_at: at,
        status: 'pending',
        next_attempt_at: expression('coalesce($1::timestamptz, statement_timestamp())', statementTime(clock)),
        attempt_count: 0,
        // Later failures would retry a test for more than a day, so its first one is the last.
        failures: MAX_ATTEMPTS - 1,
      })
      await database.tenant(tenantId).defer([test])
      database.afterCommit(sender.wake)
      return messageId
    },
    async redeliver(tenantId, id, since) {
      const result = await withLocked(tenantId, id, async (unit, { status, url, host, address }) => {
        if (status === 'paused') throw problems.endpoint_paused()
        const { rows } = await unit.query<{ found: number; queued: number }>(
          ...REDELIVER({ id, since, now: statementTime(clock), url, host, address, testType: TEST_TYPE }),
        )
        const { found = 0, queued = 0 } = rows[0] ?? {}
        return { count: queued, has_more: found > queued }
      })
      database.afterCommit(sender.wake)
      return result
    },
  }
}

const UNKNOWN_EVENT = wording('matches no event type; GET /v1/webhooks/event-types lists them')

const REDELIVER = statement(`
  with found as (
    select id from webhooks_deliveries
    where endpoint_id = $id and status = 'dead' and occurred_at >= $since and type <> $testType
    order by id limit ${MAX_REDELIVERIES + 1}
  ), queued as (
    update webhooks_deliveries
    set status = 'pending', reason = null, failures = 0, next_attempt_at = coalesce($now::timestamptz, statement_timestamp()),
      updated_at = coalesce($now::timestamptz, statement_timestamp()), url = $url, host = $host, address = $address
    where id = any (array(select id from found order by id limit ${MAX_REDELIVERIES})) and status = 'dead' returning 1
  )
  select (select count(*)::int from found) as found, (select count(*)::int from queued) as queued`)

/** The value of the gauge `webhooks.endpoints`. Endpoints of the recipe don't count. */
export async function countEndpoints({ database }: Deps<'database'>, tenantId: string): Promise<number> {
  const { rows } = await database
    .tenant(tenantId)
    .query<{ count: number }>(
      'select count(*)::int as count from webhooks_endpoints where tenant_id = $1 and managed_by is null',
      [tenantId],
    )
  return rows[0]?.count ?? 0
}
