/** Stored events of email providers. The primary key (provider, event id) makes each event unique. */
import { DAY, type Deps } from 'larder/kernel'
import type { DeliveryEvent } from '../ports.ts'

/** Longer than any provider retries an event. */
const RETENTION_MS = 30 * DAY
const MAX_ATTEMPTS = 10

export interface StoredDeliveryEvent extends DeliveryEvent {
  readonly provider: string
}
export type Outcome = 'done' | 'unknown'

export interface ProviderEventRepository {
  /** Stores new events and wakes the worker. Returns the number of new events. */
  receive(provider: string, events: readonly DeliveryEvent[]): Promise<number>
  /** Unprocessed events, oldest first. */
  waiting(limit: number): Promise<StoredDeliveryEvent[]>
  findTenant(messageId: string): Promise<string | undefined>
  /** Locks the event in the surrounding unit of work. False if another worker has it or has completed it. */
  claim(event: StoredDeliveryEvent): Promise<boolean>
  complete(event: StoredDeliveryEvent, outcome: Outcome): Promise<void>
  /** Counts a failed attempt, and gives up after the last. */
  recordFailure(event: StoredDeliveryEvent): Promise<void>
  sweep(): Promise<void>
}

export function createProviderEventRepository({
  systemDatabase,
  clock,
  jobs,
}: Deps<'systemDatabase' | 'clock' | 'jobs'>): ProviderEventRepository {
  const system = () => systemDatabase.acrossTenants("delivery events don't name a tenant")
  const now = () => new Date(clock.now())
  const keyOf = ({ provider, id }: StoredDeliveryEvent) => [provider, id]
  return {
    receive: (provider, events) =>
      system().transaction(async unit => {
        const { rowCount } = await unit.query(
          // Sorted, so that concurrent batches that share events can't deadlock.
          `insert into comms_provider_events
             (provider, event_id, message_id, type, hard, detail, happened_at, received_at)
           select $1, id, "messageId", type, hard, detail, at, $3
             from jsonb_to_recordset($2::jsonb)
               as event (id text, "messageId" text, type text, hard boolean, detail text, at timestamptz)
            order by id
           on conflict do nothing`,
          [provider, JSON.stringify(events), now()],
        )
        if (rowCount > 0) await jobs.enqueue('comms.process_provider_events', {}, { key: 'provider-events' })
        return rowCount
      }),
    async waiting(limit) {
      const { rows } = await system().query<StoredDeliveryEvent>(
        `select provider, event_id as id, message_id as "messageId", type, hard, detail, happened_at as at
           from comms_provider_events where outcome is null order by received_at, attempts, happened_at limit $1`,
        [limit],
      )
      return rows
    },
    async findTenant(messageId) {
      const { rows } = await system().query<{ tenantId: string }>(
        'select tenant_id as "tenantId" from comms_messages where id = $1',
        [messageId],
      )
      return rows[0]?.tenantId
    },
    async claim(event) {
      const { rowCount } = await system().query(
        `select 1 from comms_provider_events where provider = $1 and event_id = $2 and outcome is null
            for update skip locked`,
        keyOf(event),
      )
      return rowCount > 0
    },
    async complete(event, outcome) {
      await system().query(`update comms_provider_events set outcome = $3 where provider = $1 and event_id = $2`, [
        ...keyOf(event),
        outcome,
      ])
    },
    async recordFailure(event) {
      await system().query(
        `update comms_provider_events
            set attempts = attempts + 1, outcome = case when attempts + 1 >= $3 then 'failed' end
          where provider = $1 and event_id = $2 and outcome is null`,
        [...keyOf(event), MAX_ATTEMPTS],
      )
    },
    async sweep() {
      await system().query('delete from comms_provider_events where received_at < $1', [
        new Date(clock.now() - RETENTION_MS),
      ])
    },
  }
}
