/** Pending deliveries. A process leases their hosts for a few seconds at a time. */
import { type Deps, IS_HELD_SQL, isSuspendedSql, SECOND, statement, statementTime } from '@larder-dev/larder/kernel'
import type { ClaimedDelivery } from '../domain/delivery.ts'
import { createEndpointHealth } from './endpoint-health.ts'
import { type RecordedAttempt, recordSteps } from './record-sql.ts'

/** Hosts of a killed process become available after this time. A running process renews its leases. */
export const LEASE_MS = 8 * SECOND
/** Rows claimed per host. */
export const CLAIM_ROWS_PER_HOST = 32
/** Rows claimed per host whose addresses respond quickly, so that requests don't wait for claims. */
const CLAIM_ROWS_PER_QUICK_HOST = 256
/** Hosts per claim. */
const CLAIM_HOSTS = 64
/** Rows claimed per tenant. */
const CLAIM_ROWS_PER_TENANT = 1024
/** Oldest due rows per host among which addresses take turns. */
const FAIRNESS_WINDOW = 500

/** What a claim omits, because the process holds it, or enough of it. */
export interface ClaimLimits {
  /** Ids of the deliveries that the process holds. */
  readonly held?: readonly string[]
  /** Hosts of which the process no longer holds a delivery, so that other processes may claim them. */
  readonly idleHosts?: readonly string[]
  readonly hosts?: readonly string[]
  readonly addresses?: readonly string[]
  readonly tenants?: readonly string[]
  /** `host tenant`: their rows come after those of other tenants of the host. */
  readonly hostTenants?: readonly string[]
  /** Hosts of which a claim may take more rows. */
  readonly quickHosts?: readonly string[]
}
export interface Claim {
  readonly deliveries: readonly ClaimedDelivery[]
  /** Whether the claim reached its limit of hosts or of rows per tenant, so that more rows are likely due. */
  readonly isPartial: boolean
  /** Due deliveries that now go to another URL of their endpoint. The next claim finds them. */
  readonly moved: number
}
export interface Attempt extends RecordedAttempt {
  readonly delivery: ClaimedDelivery
}

const NOW = 'coalesce($now::timestamptz, statement_timestamp())'
/** @param duration milliseconds. */
const leaseEnd = (now: string, duration: string): string =>
  `coalesce(${now}::timestamptz, statement_timestamp()) + ${duration}::float8 * interval '1 millisecond'`

/** Deliveries of suspended tenants wait, and all of them in an installation that was restored. */
const IS_SENDABLE = `tenant_id <> all($tenants) and not ${isSuspendedSql('webhooks_deliveries.tenant_id')}
  and not ${IS_HELD_SQL}`

/**
 * A host is claimed by one process at a time, so that the limit of concurrent requests applies across processes. Its
 * deliveries aren't marked, because an update costs more than all else in a claim: the process knows which ones it holds.
 * The recursive query skips from host to host in the index, so that a long queue of one host costs no more than one row.
 * Within a host, tenants take turns, and addresses within a tenant. The due ids are an array, so that PostgreSQL selects
 * them once. `held` are deliveries to omit; `hosts`, `addresses` and `tenants` are omitted, too. On `crowdedHosts`, the query
 * also looks past `hostTenants`, given as `host tenant`.
 */
const CLAIM = statement(`
  with recursive hosts as (
    (select host, next_attempt_at from webhooks_deliveries
     where status = 'pending' and ${IS_SENDABLE} and id not in (select unnest($held::text[]))
     order by host, next_attempt_at limit 1)
    union all
    select n.host, n.next_attempt_at from hosts, lateral (
      select host, next_attempt_at from webhooks_deliveries
      where status = 'pending' and host > hosts.host and ${IS_SENDABLE}
        and id not in (select unnest($held::text[]))
      order by host, next_attempt_at limit 1) n
  ), free as materialized (
    select host from hosts where next_attempt_at <= ${NOW} and host <> all($hosts)
      and not exists (select 1 from webhooks_host_leases l
        where l.host = hosts.host and l.claimed_by <> $processId and l.expires_at > ${NOW})
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
             where status = 'pending' and host = free.host and next_attempt_at <= ${NOW} and address <> all($addresses)
               and ${IS_SENDABLE} and (free.host <> all($crowdedHosts) or host || ' ' || tenant_id = any($hostTenants))
               and id not in (select unnest($held::text[]))
             order by next_attempt_at limit ${FAIRNESS_WINDOW})
            union all
            (select id, tenant_id, address, next_attempt_at from webhooks_deliveries
             where free.host = any($crowdedHosts) and status = 'pending' and host = free.host and next_attempt_at <= ${NOW}
               and ${IS_SENDABLE} and host || ' ' || tenant_id <> all($hostTenants)
               and id not in (select unnest($held::text[]))
             order by next_attempt_at limit ${FAIRNESS_WINDOW})) near) address_turns) turns
      order by turn, next_attempt_at limit ${CLAIM_ROWS_PER_QUICK_HOST}) d
    where d.number <= case when free.host = any($quickHosts) then ${CLAIM_ROWS_PER_QUICK_HOST} else ${CLAIM_ROWS_PER_HOST} end
  ), shared as materialized (
    select id from (
      select id, row_number() over (partition by tenant_id order by turn, next_attempt_at) as number from due) numbered
    where number <= ${CLAIM_ROWS_PER_TENANT}
  ), claimed as materialized (
    select d.id, d.tenant_id, event_id, endpoint_id, event_tenant_id, subject, type, d.url, d.host, d.address, payload,
      occurred_at, d.depth, d.traceparent, attempts, failures, e.status as endpoint_status, coalesce(e.url <> d.url, false) as moved,
      s.tenant_id is not null as tenant_stopped
    from webhooks_deliveries d left join webhooks_endpoints e on e.id = d.endpoint_id
    left join webhooks_stopped_tenants s on s.tenant_id = d.tenant_id
    where d.id = any (array(select id from shared))
  ), leased as (
    insert into webhooks_host_leases (host, claimed_by, expires_at)
    select distinct host, $processId, ${leaseEnd('$now', '$leaseMs')} from claimed where not moved
    on conflict (host) do update set claimed_by = excluded.claimed_by, expires_at = excluded.expires_at
  )
  select d.*, endpoint_id || ' ' || subject as "orderKey",
    case when row_number() over (partition by tenant_id, endpoint_id) = 1 then (
      select array_agg(s.sealed order by s.expires_at desc nulls first) from webhooks_secrets s
      where s.tenant_id = d.tenant_id and s.endpoint_id is not distinct from d.endpoint_id
        and (s.expires_at is null or s.expires_at > ${NOW})) end as secrets
  from claimed d order by moved, occurred_at, id`)

/** Not a part of the claim, which commits without waiting for the disk. */
const REDIRECT = `update webhooks_deliveries d set url = e.url, host = e.host, address = e.address
  from webhooks_endpoints e where d.id = any($1) and e.id = d.endpoint_id`

const RELEASE_HOSTS = 'delete from webhooks_host_leases where claimed_by = $1 and host = any($2)'

const STOP_SESSION = `
  update webhooks_deliveries set status = 'dead', reason = 'gone', next_attempt_at = null, updated_at = $4
  where tenant_id = $1 and session_id = $2 and url = $3 and status = 'pending'`

/** A lease doesn't wait for the disk: a server that crashes and loses it has lost its connections, too. */
const WITHOUT_FLUSH = `set_config('synchronous_commit', 'off', true)`

/** The values of a claim don't change its plan, which takes longer to make than to run. */
const GENERIC_PLAN = `set_config('plan_cache_mode', 'force_generic_plan', true)`

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
function shareSecrets<Claimed extends ClaimedDelivery>(claimed: readonly Claimed[]): Claimed[] {
  const ownerOf = ({ tenant_id, endpoint_id }: ClaimedDelivery) => `${tenant_id} ${endpoint_id}`
  const secrets = new Map(claimed.filter(delivery => delivery.secrets).map(each => [ownerOf(each), each.secrets]))
  return claimed.map(delivery => ({ ...delivery, secrets: secrets.get(ownerOf(delivery)) ?? null }))
}

export function countTenants(deliveries: readonly ClaimedDelivery[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { tenant_id } of deliveries) counts.set(tenant_id, (counts.get(tenant_id) ?? 0) + 1)
  return counts
}

const isPartial = (claimed: readonly ClaimedDelivery[]): boolean =>
  new Set(claimed.map(({ host }) => host)).size >= CLAIM_HOSTS ||
  [...countTenants(claimed).values()].some(count => count >= CLAIM_ROWS_PER_TENANT)

export function createDeliveryQueue(deps: Deps<'systemDatabase' | 'clock' | 'events'>, processId: string) {
  const { systemDatabase, clock } = deps
  const health = createEndpointHealth(deps)
  const everyTenant = () => systemDatabase.acrossTenants('the sender delivers webhooks of every tenant')

  return {
    /** Claims due deliveries of hosts that no other process holds, ordered by the time of their event. */
    async claim({
      held = [],
      idleHosts = [],
      hosts = [],
      addresses = [],
      tenants = [],
      hostTenants = [],
      quickHosts = [],
    }: ClaimLimits = {}): Promise<Claim> {
      const { claimed } = await everyTenant().all({
        // Serializes claims, so that two processes never claim the same host. The key is that of 0.1.0, whose processes
        // claim beside these during an update.
        lock: [`select ${WITHOUT_FLUSH}, ${GENERIC_PLAN}, pg_advisory_xact_lock(hashtext('webhooks.claim'))`],
        ...(idleHosts.length > 0 && { released: [RELEASE_HOSTS, [processId, idleHosts]] as const }),
        claimed: CLAIM({
          now: statementTime(clock),
          processId,
          leaseMs: LEASE_MS,
          hosts,
          addresses,
          tenants,
          hostTenants,
          crowdedHosts: hostsOf(hostTenants),
          quickHosts,
          held,
        }),
      })
      const rows = claimed.rows as unknown as (ClaimedDelivery & { readonly moved: boolean })[]
      const moved = rows.filter(delivery => delivery.moved).map(({ id }) => id)
      if (moved.length > 0) await everyTenant().query(REDIRECT, [moved])
      const deliveries = shareSecrets(rows).filter(delivery => !delivery.moved)
      return { deliveries, isPartial: isPartial(deliveries), moved: moved.length }
    },
    /** Returns the hosts that the process still holds. */
    async renew(hosts: readonly string[]): Promise<readonly string[]> {
      const { renewed } = await everyTenant().all({
        settings: [`select ${WITHOUT_FLUSH}`],
        renewed: [
          `update webhooks_host_leases set expires_at = ${leaseEnd('$4', '$3')}
           where host = any($1) and claimed_by = $2 returning host`,
          [hosts, processId, LEASE_MS, statementTime(clock)],
        ],
      })
      return (renewed.rows as unknown as { host: string }[]).map(({ host }) => host)
    },
    /** Releases all hosts of the process. */
    async release(): Promise<void> {
      await everyTenant().query('delete from webhooks_host_leases where claimed_by = $1', [processId])
    },
    /** Runs in one transaction. Has no effect on deliveries to hosts that another process has claimed meanwhile. */
    async record(attempts: readonly Attempt[]): Promise<void> {
      const steps = [
        ...recordSteps(attempts, processId, clock),
        // The receiver wants no further webhooks of this session.
        ...attempts
          .filter(isGoneSession)
          .map(({ delivery }) => [STOP_SESSION, stopValues(delivery, clock.now())] as const),
        ...health.successSteps(attempts),
      ]
      if (!health.mayPause(attempts)) await everyTenant().all(steps)
      else
        await everyTenant().transaction(async unit => {
          await unit.all(steps)
          await health.recordFailures(unit, attempts)
        })
    },
  }
}
export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>
