/** Stored events of payment providers. The primary key (provider, event id) makes each event unique. */
import { DAY, type Deps, HOUR, SECOND } from 'larder/kernel'
import type { ProviderEvent } from '../domain/provider-event.ts'

/** Events arrive out of order, but not by more than this. */
export const RETRY_WINDOW_MS = 3 * DAY
const RETENTION_MS = 90 * DAY

export interface StoredEvent extends ProviderEvent {
  readonly provider: string
  readonly attempts: number
  readonly receivedAt: Date
}
export type FinalOutcome = 'done' | 'stale' | 'rejected' | 'unknown' | 'failed'
type Key = Pick<StoredEvent, 'provider' | 'id'>

export interface ProviderEventRepository {
  /** Stores new events and wakes the worker. Returns the number of new events. */
  receive(provider: string, events: readonly ProviderEvent[]): Promise<number>
  /** False if the event exists. Joins the surrounding unit of work. */
  insert(provider: string, event: ProviderEvent): Promise<boolean>
  /** Events that are due, in the order in which they occurred. */
  due(limit: number): Promise<StoredEvent[]>
  findTenant(event: ProviderEvent): Promise<string | undefined>
  /** Locks the event in the surrounding unit of work. False if another worker has it or has completed it. */
  claim(key: Key): Promise<boolean>
  complete(key: Key, outcome: FinalOutcome): Promise<void>
  /** Makes waiting events of the same tenant, subscription or customer due: they may apply now. */
  wakeRelated(tenantId: string, event: ProviderEvent): Promise<void>
  /** Schedules the next attempt. */
  postpone(event: StoredEvent): Promise<void>
  sweep(): Promise<void>
}

export function createProviderEventRepository({
  systemDatabase,
  clock,
  jobs,
}: Deps<'systemDatabase' | 'clock' | 'jobs'>): ProviderEventRepository {
  const system = () => systemDatabase.acrossTenants("events of payment providers don't name a tenant")
  const now = () => new Date(clock.now())

  async function insert(provider: string, { id, at, ...event }: ProviderEvent): Promise<boolean> {
    const { rowCount } = await system().query(
      `insert into billing_webhooks (provider, event_id, event, occurred_at, received_at, next_at)
       values ($1, $2, $3, $4, $5, $5) on conflict do nothing`,
      [provider, id, JSON.stringify(event), new Date(at), now()],
    )
    return rowCount > 0
  }

  return {
    insert,
    receive: (provider, events) =>
      system().transaction(async () => {
        let added = 0
        for (const event of events) if (await insert(provider, event)) added++
        if (added > 0) await jobs.enqueue('billing.process_webhooks', {}, { key: 'webhooks' })
        return added
      }),
    async due(limit) {
      const { rows } = await system().query<{
        provider: string
        id: string
        event: Omit<ProviderEvent, 'id' | 'at'>
        at: Date
        attempts: number
        receivedAt: Date
      }>(
        `select provider, event_id as id, event, occurred_at as at, attempts, received_at as "receivedAt"
         from billing_webhooks where outcome is null and next_at <= $1
         order by occurred_at, received_at, event_id limit $2`,
        [now(), limit],
      )
      return rows.map(({ event, at, ...row }) => ({ ...row, ...event, at: at.getTime() }))
    },
    async findTenant({ tenantId, customer, subscription }) {
      const { rows } = await system().query<{ tenantId: string }>(
        `select tenant_id as "tenantId" from billing_subscriptions
         where tenant_id = $1 or provider_subscription = $2 or provider_customer = $3
         order by (tenant_id = $1) desc nulls last, (provider_subscription = $2) desc nulls last limit 1`,
        [tenantId, subscription, customer],
      )
      return rows[0]?.tenantId
    },
    async claim({ provider, id }) {
      const { rowCount } = await system().query(
        `select 1 from billing_webhooks where provider = $1 and event_id = $2 and outcome is null
         for update skip locked`,
        [provider, id],
      )
      return rowCount > 0
    },
    async complete({ provider, id }, outcome) {
      await system().query('update billing_webhooks set outcome = $3 where provider = $1 and event_id = $2', [
        provider,
        id,
        outcome,
      ])
    },
    async wakeRelated(tenantId, { subscription, customer }) {
      await system().query(
        `update billing_webhooks set next_at = $1 where outcome is null and next_at > $1
           and (event->>'tenantId' = $2 or event->>'subscription' = $3 or event->>'customer' = $4)`,
        [now(), tenantId, subscription, customer],
      )
    },
    async postpone({ provider, id, attempts }) {
      const delayMs = Math.min(HOUR, 10 * SECOND * 3 ** Math.min(attempts, 10))
      await system().query(
        'update billing_webhooks set attempts = attempts + 1, next_at = $3 where provider = $1 and event_id = $2',
        [provider, id, new Date(clock.now() + delayMs)],
      )
    },
    async sweep() {
      await system().query('delete from billing_webhooks where outcome is not null and received_at < $1', [
        new Date(clock.now() - RETENTION_MS),
      ])
    },
  }
}
