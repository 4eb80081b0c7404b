/** Pending deliveries, which a process leases for a few seconds at a time. */
import { type Deps, SECOND } from 'larder/kernel'
import type { EndpointStatus } from '../domain/endpoint.ts'
import type { Scheduled } from '../domain/host-scheduling.ts'
import type { WebhookMessage } from '../domain/payload.ts'
import { createEndpointHealth } from './endpoint-health.ts'
import { type RecordedAttempt, recordSteps } from './record-sql.ts'

/** Deliveries of a killed process become available after this time. A running process renews its leases. */
export const LEASE_MS = 8 * SECOND
/** Rows claimed per host. */
export const CLAIM_ROWS_PER_HOST = 32
/** Rows claimed per host whose addresses respond quickly, so that requests don't wait for claims. */
const CLAIM_ROWS_PER_QUICK_HOST = 256
/** Hosts per claim. */
export const CLAIM_HOSTS = 64
/** Rows claimed per tenant. */
export const CLAIM_ROWS_PER_TENANT = 1024
/** Oldest due rows per host among which addresses take turns. */
const FAIRNESS_WINDOW = 500

export interface ClaimedDelivery extends WebhookMessage, Scheduled {
  readonly tenant_id: string
  readonly url: string
  readonly host: string
  readonly attempts: number
  readonly failures: number
  /** Null for the URL of a session, and after the endpoint was deleted. */
  readonly endpoint_status: EndpointStatus | null
  /**
   * Encrypted signing secrets of the endpoint or workspace, newest first, as one array for its deliveries of a claim;
   * null before the first is created.
   */
  readonly secrets: readonly Buffer[] | null
}
/** What a claim omits, because the process holds enough of it. */
export interface ClaimLimits {
  readonly hosts?: readonly string[]
  readonly addresses?: readonly string[]
  readonly tenants?: readonly string[]
  /** `host tenant`: their rows come after those of other tenants of the host. */
  readonly hostTenants?: readonly string[]
  /** Hosts of which a claim may take more rows. */
  readonly quickHosts?: readonly string[]
}
export interface Attempt extends RecordedAttempt {
  readonly delivery: ClaimedDelivery
}

/**
 * A host is claimed by one process at a time, so that the limit of concurrent requests applies across processes. The
 * recursive query skips from host to host in the index, so that a long queue of one host costs no more than one row.
 * Within a host, tenants take turns, and addresses within a tenant. The due ids are an array, so that PostgreSQL selects
 * them once, and `status || ''` keeps it from reading the whole partial index before the table has statistics. Rows that
 * are locked are skipped: waiting for a row while holding others can end in a deadlock. $4: hosts to omit, $5: addresses
 * to omit, $6: tenants to omit. On the hosts $8, the query also looks past the tenants $7, given as `host tenant`. $9:
 * quick hosts.
 */
const CLAIM = `
  with recursive hosts as (
    (select host, next_attempt_at from webhooks_deliveries
     where status = 'pending' and tenant_id <> all($6) order by host, next_attempt_at limit 1)
    union all
    select n.host, n.next_attempt_at from hosts, lateral (
      select host, next_attempt_at from webhooks_deliveries
      where status = 'pending' and host > hosts.host and tenant_id <> all($6) order by host, next_attempt_at limit 1) n
  ), free as materialized (
    select host from hosts where next_attempt_at <= $1 and host <> all($4)
      and not exists (select 1 from webhooks_deliveries c
        where c.host = hosts.host and c.claimed_by <> $2 and c.status = 'pending' and c.next_attempt_at > $1)
    order by next_attempt_at limit ${CLAIM_HOSTS}
  ), due as materialized (
    select d.* from free, lateral (
      select id, tenant_id, turn, next_attempt_at, row_number() over (order by turn, next_attempt_at) as number from (
        select id, tenant_id, next_attempt_at,
          row_number() over (partition by tenant_id order by address_turn, next_attempt_at) as turn
        from (
          select id, tenant_id, next_attempt_at,
            row_number() over (partition by tenant_id, address order by next_attempt_at) as address_turn
          from (
            (select id, tenant_id, address, next_attempt_at from webhooks_deliveries
             where status = 'pending' and host = free.host and next_attempt_at <= $1 and address <> all($5)
               and tenant_id <> all($6) and (free.host <> all($8) or host || ' ' || tenant_id = any($7))
             order by next_attempt_at limit ${FAIRNESS_WINDOW})
            union all
            (select id, tenant_id, address, next_attempt_at from webhooks_deliveries
             where free.host = any($8) and status = 'pending' and host = free.host and next_attempt_at <= $1
               and tenant_id <> all($6) and host || ' ' || tenant_id <> all($7)
             order by next_attempt_at limit ${FAIRNESS_WINDOW})) near) address_turns) turns
      order by turn, next_attempt_at limit ${CLAIM_ROWS_PER_QUICK_HOST}) d
    where d.number <= case when free.host = any($9) then ${CLAIM_ROWS_PER_QUICK_HOST} else ${CLAIM_ROWS_PER_HOST} end
  ), shared as materialized (
    select id from (
      select id, row_number() over (partition by tenant_id order by turn, next_attempt_at) as number from due) numbered
    where number <= ${CLAIM_ROWS_PER_TENANT}
  ), locked as materialized (
    select id from webhooks_deliveries
    where id = any (array(select id from shared)) and status || '' = 'pending' and next_attempt_at <= $1
    for update skip locked
  ), claimed as (
    update webhooks_deliveries set claimed_by = $2, next_attempt_at = $3 where id = any (array(select id from locked))
    returning id, tenant_id, event_id, endpoint_id, event_tenant_id, subject, type, url, host, address, payload,
      occurred_at, attempts, failures
  )
  select d.*, endpoint_id || ' ' || subject as "orderKey",
    (select e.status from webhooks_endpoints e where e.id = d.endpoint_id) as endpoint_status,
    case when row_number() over (partition by tenant_id, endpoint_id) = 1 then (
      select array_agg(s.sealed order by s.expires_at desc nulls first) from webhooks_secrets s
      where s.tenant_id = d.tenant_id and s.endpoint_id is not distinct from d.endpoint_id
        and (s.expires_at is null or s.expires_at > $1)) end as secrets
  from claimed d order by occurred_at, id`

const STOP_SESSION = `
  update webhooks_deliveries set status = 'dead', reason = 'gone', next_attempt_at = null, updated_at = $4
  where tenant_id = $1 and session_id = $2 and url = $3 and status = 'pending' and claimed_by is null`

/** A lease doesn't wait for the disk: a server that crashes and loses it has lost its connections, too. */
const WITHOUT_FLUSH = `set_config('synchronous_commit', 'off', true)`

const hostsOf = (hostTenants: readonly string[]): string[] => hostTenants.map(text => text.slice(0, text.indexOf(' ')))

const isGoneSession = ({ delivery, result }: Attempt): boolean =>
  delivery.endpoint_id === null && result.status === 'dead' && result.reason === 'gone'

const stopValues = ({ tenant_id, payload, url }: ClaimedDelivery, now: number): unknown[] => [
  tenant_id,
  payload.session_id,
  url,
  new Date(now),
]

/** A claim returns the secrets of an owner once. */
function shareSecrets(claimed: readonly ClaimedDelivery[]): ClaimedDelivery[] {
  const ownerOf = ({ tenant_id, endpoint_id }: ClaimedDelivery) => `${tenant_id} ${endpoint_id}`
  const secrets = new Map(claimed.filter(delivery => delivery.secrets).map(each => [ownerOf(each), each.secrets]))
  return claimed.map(delivery => ({ ...delivery, secrets: secrets.get(ownerOf(delivery)) ?? null }))
}

export function createDeliveryQueue(deps: Deps<'systemDatabase' | 'clock' | 'events'>, processId: string) {
  const { systemDatabase, clock } = deps
  const health = createEndpointHealth(deps)
  const everyTenant = () => systemDatabase.acrossTenants('the sender delivers webhooks of every tenant')
  const leaseEnd = () => new Date(clock.now() + LEASE_MS)

  return {
    /** Claims due rows of hosts that no other process holds, ordered by the time of their event. */
    async claim({
      hosts = [],
      addresses = [],
      tenants = [],
      hostTenants = [],
      quickHosts = [],
    }: ClaimLimits = {}): Promise<ClaimedDelivery[]> {
      const [, claimed] = await everyTenant().batch([
        // Serializes claims, so that two processes never claim the same host.
        [`select ${WITHOUT_FLUSH}, pg_advisory_xact_lock(hashtext('webhooks.claim'))`],
        [
          CLAIM,
          [
            ...[new Date(clock.now()), processId, leaseEnd(), hosts, addresses, tenants],
            ...[hostTenants, hostsOf(hostTenants), quickHosts],
          ],
        ],
      ])
      return shareSecrets((claimed?.rows ?? []) as unknown as ClaimedDelivery[])
    },
    async renew(ids: readonly string[]): Promise<void> {
      await everyTenant().batch([
        [`select ${WITHOUT_FLUSH}`],
        [
          // A locked row is being recorded. Waiting for it while holding others would end in a deadlock.
          `update webhooks_deliveries set next_attempt_at = $3
           where id = any(array(select id from webhooks_deliveries
             where id = any($1) and claimed_by = $2 and status = 'pending' for update skip locked))`,
          [ids, processId, leaseEnd()],
        ],
      ])
    },
    /** Releases rows without an attempt. */
    async release(ids: readonly string[]): Promise<void> {
      await everyTenant().query(
        // The time of creation keeps deliveries without an attempt in order.
        `update webhooks_deliveries
         set next_attempt_at = case when attempts = 0 then created_at else $3 end, claimed_by = null
         where id = any($1) and claimed_by = $2 and status = 'pending'`,
        [ids, processId, new Date(clock.now())],
      )
    },
    /** Runs in one transaction. Has no effect on rows that another process has claimed meanwhile. */
    async record(attempts: readonly Attempt[]): Promise<void> {
      const steps = [
        ...recordSteps(attempts, processId),
        // The receiver wants no further webhooks of this session.
        ...attempts
          .filter(isGoneSession)
          .map(({ delivery }) => [STOP_SESSION, stopValues(delivery, clock.now())] as const),
        ...health.successSteps(attempts),
      ]
      if (!health.mayPause(attempts)) await everyTenant().batch(steps)
      else
        await everyTenant().transaction(async unit => {
          await unit.batch(steps)
          await health.recordFailures(unit, attempts)
        })
    },
  }
}
export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>
