/** Webhooks in the database: each event of a provider once, whatever comes how often. */
import { DAY, type Deps, HOUR, SECOND, type Unit } from 'larder/kernel'
import type { News } from '../domain/provider-event.ts'

const WHY = 'a payment provider tells of subscriptions whatever their tenant'
/** Events come out of order, but not by so much. */
export const PATIENCE = 3 * DAY
const KEPT = 90 * DAY

export interface StoredNews extends News {
  readonly provider: string
  readonly attempts: number
  readonly receivedAt: Date
}
export type End = 'done' | 'stale' | 'refused' | 'unknown' | 'failed'
type Key = Pick<StoredNews, 'provider' | 'id'>

export function createNewsStore({ database, clock, jobs }: Deps<'database' | 'clock' | 'jobs'>) {
  const system = () => database.system(WHY)
  const now = () => new Date(clock.now())

  async function insert(unit: Unit, provider: string, { id, at, ...news }: News): Promise<boolean> {
    const { rowCount } = await unit.query(
      `insert into billing_webhooks (provider, event_id, news, happened_at, received_at, next_at)
       values ($1, $2, $3, $4, $5, $5) on conflict do nothing`,
      [provider, id, JSON.stringify(news), new Date(at), now()],
    )
    return rowCount > 0
  }

  return {
    insert,
    /** Keeps what is new and has it looked at; returns how many were new. */
    take: (provider: string, news: readonly News[]) =>
      system().transaction(async unit => {
        let fresh = 0
        for (const one of news) if (await insert(unit, provider, one)) fresh++
        if (fresh > 0) await jobs.enqueue('billing.webhooks', {}, { key: 'webhooks' })
        return fresh
      }),
    /** Some whose time has come, oldest first. */
    async waiting(limit: number): Promise<StoredNews[]> {
      const { rows } = await system().query<{
        provider: string
        id: string
        news: Omit<News, 'id' | 'at'>
        at: Date
        attempts: number
        receivedAt: Date
      }>(
        `select provider, event_id as id, news, happened_at as at, attempts, received_at as "receivedAt"
         from billing_webhooks where outcome is null and next_at <= $1 order by happened_at, received_at, event_id limit $2`,
        [now(), limit],
      )
      return rows.map(({ news, at, ...row }) => ({ ...row, ...news, at: at.getTime() }))
    },
    /** Whose it is, if anybody's here. */
    async tenantOf({ tenantId, customer, subscription }: News): Promise<string | undefined> {
      const { rows } = await system().query<{ tenantId: string }>(
        `select tenant_id as "tenantId" from billing_subscriptions
         where tenant_id = $1 or provider_subscription = $2 or provider_customer = $3
         order by (tenant_id = $1) desc nulls last, (provider_subscription = $2) desc nulls last limit 1`,
        [tenantId, subscription, customer],
      )
      return rows[0]?.tenantId
    },
    /** Takes one in the unit that surrounds the call; false where another worker has it, or had it. */
    async claim({ provider, id }: Key): Promise<boolean> {
      const { rowCount } = await system().query(
        `select 1 from billing_webhooks where provider = $1 and event_id = $2 and outcome is null
         for update skip locked`,
        [provider, id],
      )
      return rowCount > 0
    },
    async end({ provider, id }: Key, outcome: End): Promise<void> {
      await system().query('update billing_webhooks set outcome = $3 where provider = $1 and event_id = $2', [
        provider,
        id,
        outcome,
      ])
    },
    /** What was heard may make room for what waits: it is looked at again at once. */
    async wake(tenantId: string, { subscription, customer }: News): Promise<void> {
      await system().query(
        `update billing_webhooks set next_at = $1 where outcome is null and next_at > $1
           and (news->>'tenantId' = $2 or news->>'subscription' = $3 or news->>'customer' = $4)`,
        [now(), tenantId, subscription, customer],
      )
    },
    /** Again later. */
    async postpone({ provider, id, attempts }: StoredNews): Promise<void> {
      const pause = Math.min(HOUR, 10 * SECOND * 3 ** Math.min(attempts, 10))
      await system().query(
        'update billing_webhooks set attempts = attempts + 1, next_at = $3 where provider = $1 and event_id = $2',
        [provider, id, new Date(clock.now() + pause)],
      )
    },
    async sweep(): Promise<void> {
      await system().query('delete from billing_webhooks where outcome is not null and received_at < $1', [
        new Date(clock.now() - KEPT),
      ])
    },
  }
}
export type NewsStore = ReturnType<typeof createNewsStore>
