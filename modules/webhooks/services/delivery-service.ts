/** Deliveries of a workspace: list, details, retry, retention. */
import { common, DAY, type Deps, type PageOf, statementTime } from '@larder-dev/larder/kernel'
import type { DeliveryStatus } from '../domain/delivery.ts'
import { TEST_TYPE } from '../domain/event-types.ts'
import { toContent, type WebhookMessage } from '../domain/payload.ts'
import { problems } from '../problems.ts'
import { type DeliveryRecord, type DeliveryWithAttempts, deliveryTable } from '../records/delivery.ts'
import type { EndpointRow } from '../records/endpoint.ts'

/** Applies to deliveries that are not pending. */
const RETENTION_MS = 30 * DAY
const BATCH_SIZE = 1000
const DETAILS = `select ${deliveryTable.columns()}, event_tenant_id, occurred_at, payload, attempt_log as attempts
  from webhooks_deliveries where id = $1`
const RETRY = `update webhooks_deliveries
  set status = 'pending', reason = null, failures = 0, delivered_at = null, updated_at = now, next_attempt_at = now,
    url = coalesce($3, url), host = coalesce($4, host), address = coalesce($5, address)
  from coalesce($2::timestamptz, statement_timestamp()) as now where id = $1 returning ${deliveryTable.columns()}`

/** A delivery, with its endpoint if that still exists. */
type RetryTarget = { readonly type: string; readonly endpoint_id: string | null } & {
  readonly [Key in 'status' | 'url' | 'host' | 'address']: EndpointRow[Key] | null
}

export interface DeliveryFilter {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly status?: DeliveryStatus | undefined
  readonly session_id?: string | undefined
  readonly endpoint_id?: string | undefined
  readonly type?: string | undefined
}

export type Deliveries = ReturnType<typeof createDeliveries>

export function createDeliveries({ database, systemDatabase, clock }: Deps<'database' | 'systemDatabase' | 'clock'>) {
  return {
    /** Newest first. Pages by id: ids are UUIDv7 and sort by time of creation. */
    list: (tenantId: string, { limit, cursor, status, ...where }: DeliveryFilter): Promise<PageOf<DeliveryRecord>> =>
      deliveryTable.page(database.tenant(tenantId), {
        limit,
        cursor,
        where: { tenant_id: tenantId, ...where },
        // A plan for any status would read all deliveries to find a few, and can't use partial indexes.
        and: status === undefined ? [] : [[`status = '${status}'`]],
      }),
    /** Throws `not_found`. */
    async get(tenantId: string, id: string): Promise<DeliveryWithAttempts> {
      const [row] = await deliveryTable.query<WebhookMessage & Pick<DeliveryWithAttempts, 'attempts'>>(
        database.tenant(tenantId),
        DETAILS,
        [id],
      )
      if (!row) throw common.not_found({ what: 'delivery' })
      return { ...row, payload: toContent(row, lastAttemptAt(row.attempts)) }
    },
    /**
     * Restarts the retry schedule under the same id, with the current URL of the endpoint. A pending delivery is sent
     * immediately. Throws `endpoint_paused` and `endpoint_deleted`.
     */
    retry: (tenantId: string, id: string): Promise<DeliveryRecord> =>
      database.tenant(tenantId).transaction(async unit => {
        const { rows: found } = await unit.query<RetryTarget>(
          `select d.type, d.endpoint_id, e.status, e.url, e.host, e.address
           from webhooks_deliveries d left join webhooks_endpoints e on e.id = d.endpoint_id where d.id = $1`,
          [id],
        )
        const [target] = found
        if (!target) throw common.not_found({ what: 'delivery' })
        if (target.endpoint_id !== null && target.status === null) throw problems.endpoint_deleted()
        if (target.status === 'paused' && target.type !== TEST_TYPE) throw problems.endpoint_paused()
        const values = [id, statementTime(clock), target.url, target.host, target.address]
        const [retried] = await deliveryTable.query(unit, RETRY, values)
        if (!retried) throw common.not_found({ what: 'delivery' })
        return retried
      }),
    /** Deletes what is pending and the endpoints, and stops later deliveries. Skips those whose result is being stored. */
    async stopTenant(tenantId: string): Promise<void> {
      await database.tenant(tenantId).defer([
        ['insert into webhooks_stopped_tenants values ($1) on conflict do nothing', [tenantId]],
        [
          `delete from webhooks_deliveries where id = any (array(
             select id from webhooks_deliveries where tenant_id = $1 and status = 'pending' for update skip locked))`,
          [tenantId],
        ],
        ['delete from webhooks_endpoints where tenant_id = $1', [tenantId]],
      ])
    },
    /**
     * Deletes the events of a deleted tenant that endpoints of the recipe received. The event of the deletion itself
     * has no personal data, and stays.
     */
    async deleteEventsOf(tenantId: string): Promise<void> {
      await systemDatabase.acrossTenants("events of a deleted tenant are deleted from the operator's deliveries").query(
        `delete from webhooks_deliveries
           where event_tenant_id = $1 and event_tenant_id <> tenant_id and type <> 'identity.tenant.deleted'`,
        [tenantId],
      )
    },
    /** Ends deliveries that are due and unsent, and returns their number. Each can be retried. */
    async giveUp(): Promise<number> {
      const { rowCount } = await systemDatabase
        .acrossTenants('deliveries of a restored installation are given up')
        .query(
          `update webhooks_deliveries set status = 'dead', reason = 'paused', next_attempt_at = null, updated_at = $1
           where status = 'pending' and next_attempt_at <= $1`,
          [new Date(clock.now())],
        )
      return rowCount
    },
    /** Deletes deliveries past the retention period and expired secrets. */
    async sweep(signal: AbortSignal): Promise<void> {
      const unit = systemDatabase.acrossTenants('deliveries of every tenant are deleted after 30 days')
      const before = new Date(clock.now() - RETENTION_MS)
      await unit.query('delete from webhooks_secrets where expires_at <= $1', [new Date(clock.now())])
      for (let deleted = BATCH_SIZE; deleted === BATCH_SIZE && !signal.aborted; )
        deleted = (
          await unit.query(
            `delete from webhooks_deliveries where id = any (array(select id from webhooks_deliveries
             where status <> 'pending' and updated_at <= $1 limit ${BATCH_SIZE}))`,
            [before],
          )
        ).rowCount
    },
  }
}

/** Time of the last attempt in milliseconds; undefined before the first. */
const lastAttemptAt = (attempts: DeliveryWithAttempts['attempts']): number | undefined => {
  const last = attempts.at(-1)
  return last && new Date(last.at).getTime()
}
