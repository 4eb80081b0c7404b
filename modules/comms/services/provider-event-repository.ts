/** News of providers in the database: each once, whatever comes how often. */
import { DAY, type Deps } from 'larder/kernel'
import type { MailNews } from '../ports.ts'

/** As long as a provider could send an event again. */
const KEPT = 30 * DAY
/** Then it is left, and kept for a person to look at. */
const TRIES = 10
const WHY = 'a provider tells of mail whatever its tenant'

export interface StoredNews extends MailNews {
  readonly provider: string
}
export type Outcome = 'done' | 'unknown'

export interface NewsStore {
  /** Keeps what is new and has it looked at; returns how many were new. */
  take(provider: string, news: readonly MailNews[]): Promise<number>
  /** Some that wait, oldest first. */
  waiting(limit: number): Promise<StoredNews[]>
  /** The tenant of a message of ours. */
  tenantOf(messageId: string): Promise<string | undefined>
  /** Takes one in the unit that surrounds the call; false where another worker has it, or had it. */
  claim(news: StoredNews): Promise<boolean>
  end(news: StoredNews, outcome: Outcome): Promise<void>
  /** It could not be looked at: again later, ten times at most. */
  failed(news: StoredNews): Promise<void>
  sweep(): Promise<void>
}

export function createNewsStore({ database, clock, jobs }: Deps<'database' | 'clock' | 'jobs'>): NewsStore {
  const system = () => database.system(WHY)
  const now = () => new Date(clock.now())
  const keyOf = ({ provider, id }: StoredNews) => [provider, id]
  return {
    take: (provider, news) =>
      system().transaction(async unit => {
        const { rowCount } = await unit.query(
          // In one order: two batches that share events wait for each other, never in a circle.
          `insert into comms_provider_events
             (provider, event_id, message_id, type, hard, detail, happened_at, received_at)
           select $1, id, "messageId", type, hard, detail, at, $3
             from jsonb_to_recordset($2::jsonb)
               as news (id text, "messageId" text, type text, hard boolean, detail text, at timestamptz)
            order by id
           on conflict do nothing`,
          [provider, JSON.stringify(news), now()],
        )
        if (rowCount > 0) await jobs.enqueue('comms.intake', {}, { key: 'intake' })
        return rowCount
      }),
    async waiting(limit) {
      const { rows } = await system().query<StoredNews>(
        `select provider, event_id as id, message_id as "messageId", type, hard, detail, happened_at as at
           from comms_provider_events where outcome is null order by received_at, attempts, happened_at limit $1`,
        [limit],
      )
      return rows
    },
    async tenantOf(messageId) {
      const { rows } = await system().query<{ tenantId: string }>(
        'select tenant_id as "tenantId" from comms_messages where id = $1',
        [messageId],
      )
      return rows[0]?.tenantId
    },
    async claim(news) {
      const { rowCount } = await system().query(
        `select 1 from comms_provider_events where provider = $1 and event_id = $2 and outcome is null
            for update skip locked`,
        keyOf(news),
      )
      return rowCount > 0
    },
    async end(news, outcome) {
      await system().query(`update comms_provider_events set outcome = $3 where provider = $1 and event_id = $2`, [
        ...keyOf(news),
        outcome,
      ])
    },
    async failed(news) {
      await system().query(
        `update comms_provider_events
            set attempts = attempts + 1, outcome = case when attempts + 1 >= $3 then 'failed' end
          where provider = $1 and event_id = $2 and outcome is null`,
        [...keyOf(news), TRIES],
      )
    },
    async sweep() {
      await system().query('delete from comms_provider_events where received_at < $1', [new Date(clock.now() - KEPT)])
    },
  }
}
