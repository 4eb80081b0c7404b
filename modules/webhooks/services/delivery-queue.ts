/** What waits to be sent: rows that one process at a time holds for a few seconds. */
import { type Deps, SECOND } from 'larder/kernel'
import type { Told } from '../domain/payload.ts'
import type { Laned } from '../domain/host-scheduling.ts'
import type { Verdict } from '../domain/retry-schedule.ts'
import type { Answered } from './http-client.ts'

/** A killed process's deliveries go on after this long; a living one renews them. */
export const LEASE = 8 * SECOND
/** Rows taken of one host at a time. */
export const PER_HOST = 32
const HOSTS = 64
/** Of one host, among how many of the oldest due rows turns are taken by address. */
const NEAR = 500

export interface Claimed extends Told, Laned {
  readonly tenant_id: string
  readonly url: string
  readonly host: string
  readonly attempts: number
  readonly failures: number
  /** Of the workspace, newest first, sealed; empty where none was made yet. */
  readonly secrets: readonly Buffer[] | null
}
export interface Attempt {
  readonly delivery: Claimed
  /** Milliseconds since 1970. */
  readonly at: number
  readonly duration: number
  readonly outcome: Answered
  readonly verdict: Verdict
}

/**
 * A host belongs to the process that holds rows of it, so that the limit of requests under way holds over all of
 * them. Hosts are found by hopping along the index, so ten thousand rows of a dead one cost no more than one; within
 * a host addresses take turns. What is due is an array, and so looked for once, whatever the planner knows of the table.
 */
const CLAIM = `
  with recursive hosts as (
    (select host, next_attempt_at from webhooks_deliveries
     where status = 'pending' order by host, next_attempt_at limit 1)
    union all
    select n.host, n.next_attempt_at from hosts, lateral (
      select host, next_attempt_at from webhooks_deliveries
      where status = 'pending' and host > hosts.host order by host, next_attempt_at limit 1) n
  ), free as materialized (
    select host from hosts where next_attempt_at <= $1 and host <> all($4)
      and not exists (select 1 from webhooks_deliveries c
        where c.host = hosts.host and c.claimed_by <> $2 and c.status = 'pending' and c.next_attempt_at > $1)
    order by next_attempt_at limit ${HOSTS}
  ), due as materialized (
    select d.id from free, lateral (
      select id from (
        select id, next_attempt_at, row_number() over (partition by address order by next_attempt_at) as turn
        from (select id, address, next_attempt_at from webhooks_deliveries
          where status = 'pending' and host = free.host and next_attempt_at <= $1 and address <> all($5)
          order by next_attempt_at limit ${NEAR}) near) turns
      order by turn, next_attempt_at limit ${PER_HOST}) d
  )
  update webhooks_deliveries d set claimed_by = $2, next_attempt_at = $3
  where id = any (array(select id from due)) and status = 'pending' and next_attempt_at <= $1
  returning id, tenant_id, type, url, host, address, payload, occurred_at, attempts, failures,
    (select array_agg(s.sealed order by s.expires_at desc nulls first) from webhooks_secrets s
     where s.tenant_id = d.tenant_id and (s.expires_at is null or s.expires_at > $1)) as secrets`

const RECORD = `
  with done as (
    update webhooks_deliveries
    set status = $3, reason = $4, next_attempt_at = $5, failures = $6, attempts = attempts + 1, claimed_by = null,
      response_status = $7, error = $8, delivered_at = case when $3 = 'delivered' then $9::timestamptz end, updated_at = $9
    where id = $1 and claimed_by = $2 and status = 'pending' returning tenant_id, id, attempts
  )
  insert into webhooks_attempts (tenant_id, delivery_id, number, at, duration_ms, status, error, answer)
  select tenant_id, id, attempts, $10, $11, $7, $8, $12 from done`

const STOP = `
  update webhooks_deliveries set status = 'dead', reason = 'gone', next_attempt_at = null, updated_at = $4
  where tenant_id = $1 and session_id = $2 and url = $3 and status = 'pending' and claimed_by is null`

const stopOf = ({ tenant_id, payload, url }: Claimed, now: number): unknown[] => [
  tenant_id,
  payload.session_id,
  url,
  new Date(now),
]

function recordOf({ delivery, at, duration, outcome, verdict }: Attempt, me: string): unknown[] {
  const now = at + duration
  const { status } = verdict
  return [
    delivery.id,
    me,
    status,
    status === 'dead' ? verdict.reason : null,
    status === 'pending' ? new Date(now + verdict.delay) : null,
    status === 'delivered' ? delivery.failures : delivery.failures + 1,
    outcome.status,
    outcome.error,
    new Date(now),
    new Date(at),
    duration,
    outcome.answer,
  ]
}

export function createQueue({ database, clock }: Deps<'database' | 'clock'>, me: string) {
  const everywhere = () => database.system('one sender serves every tenant')
  const lease = () => new Date(clock.now() + LEASE)

  return {
    /** Up to PER_HOST due rows of each host that no other process holds, but none of these hosts and addresses. */
    async claim(hosts: readonly string[] = [], addresses: readonly string[] = []): Promise<Claimed[]> {
      const [, claimed] = await everywhere().batch([
        // One at a time, so that two processes never take the same host.
        [`select pg_advisory_xact_lock(hashtext('webhooks.claim'))`],
        [CLAIM, [new Date(clock.now()), me, lease(), hosts, addresses]],
      ])
      return (claimed?.rows ?? []) as unknown as Claimed[]
    },
    async renew(ids: readonly string[]): Promise<void> {
      await everywhere().query(
        `update webhooks_deliveries set next_attempt_at = $3
         where id = any($1) and claimed_by = $2 and status = 'pending'`,
        [ids, me, lease()],
      )
    },
    /** Gives rows back untried. */
    async release(ids: readonly string[]): Promise<void> {
      await everywhere().query(
        `update webhooks_deliveries set next_attempt_at = $3, claimed_by = null
         where id = any($1) and claimed_by = $2 and status = 'pending'`,
        [ids, me, new Date(clock.now())],
      )
    },
    /** In one transaction; without effect for rows that were lost to another process. */
    async record(attempts: readonly Attempt[]): Promise<void> {
      const gone = attempts.filter(({ verdict }) => verdict.status === 'dead' && verdict.reason === 'gone')
      await everywhere().batch([
        ...attempts.map(attempt => [RECORD, recordOf(attempt, me)] as const),
        // The receiver wants to hear no more of this session.
        ...gone.map(({ delivery }) => [STOP, stopOf(delivery, clock.now())] as const),
      ])
    },
  }
}
export type Queue = ReturnType<typeof createQueue>
