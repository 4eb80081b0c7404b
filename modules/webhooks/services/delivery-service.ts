/** What became of webhooks: for a workspace to look at and to send again. */
import { common, DAY, type Deps, decodeCursor, type PageOf, pageLimit, toPage } from 'larder/kernel'
import { contentOf, type Told } from '../domain/payload.ts'
import type { DeliveryRecord, DeliveryStatus, DeliveryWithAttempts } from '../routes/delivery-schemas.ts'

/** For how long deliveries are kept once nothing waits any more. */
const KEPT = 30 * DAY
const BATCH = 1000
const COLUMNS = `id, event_id, type, session_id, sequence, url, status, reason, attempts as attempt_count, next_attempt_at,
  response_status, error, created_at, delivered_at`

export interface DeliveryFilter {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly status?: DeliveryStatus | undefined
  readonly session?: string | undefined
  readonly type?: string | undefined
}

export function createDeliveries({ database, clock }: Deps<'database' | 'clock'>) {
  return {
    /** Newest first. */
    async list(tenantId: string, filter: DeliveryFilter): Promise<PageOf<DeliveryRecord>> {
      const limit = pageLimit(filter)
      const [before = null] = decodeCursor(filter.cursor, 1) ?? []
      const { status = null, session = null, type = null } = filter
      const { rows } = await database.tenant(tenantId).query<DeliveryRecord>(
        `select ${COLUMNS} from webhooks_deliveries
         where tenant_id = $1 and ($2::text is null or id < $2) and ($3::text is null or status = $3)
           and ($4::text is null or session_id = $4) and ($5::text is null or type = $5)
         order by id desc limit $6`,
        [tenantId, before, status, session, type, limit + 1],
      )
      return toPage(rows, limit, row => [row.id])
    },
    /** Throws `not_found`. */
    async get(tenantId: string, id: string): Promise<DeliveryWithAttempts> {
      const [found, attempts] = await database.tenant(tenantId).batch([
        [`select ${COLUMNS}, occurred_at, payload from webhooks_deliveries where id = $1`, [id]],
        [
          `select number, at, duration_ms, status, error, answer from webhooks_attempts
             where delivery_id = $1 order by number`,
          [id],
        ],
      ])
      if (!found?.rows[0]) throw common.not_found({ what: 'delivery' })
      const row = found.rows[0] as unknown as DeliveryRecord & Told
      const made = (attempts?.rows ?? []) as unknown as DeliveryWithAttempts['attempts']
      return { ...row, payload: contentOf(row, lastOf(made)), attempts: made }
    },
    /** Sends it again under the same id, with the whole schedule before it; what waits goes at once. */
    async retry(tenantId: string, id: string): Promise<DeliveryRecord> {
      const now = new Date(clock.now())
      const { rows } = await database.tenant(tenantId).query<DeliveryRecord>(
        `update webhooks_deliveries
         set status = 'pending', reason = null, failures = 0, delivered_at = null, updated_at = $2,
           next_attempt_at = case when claimed_by is null then $2::timestamptz else next_attempt_at end
         where id = $1 returning ${COLUMNS}`,
        [id, now],
      )
      if (!rows[0]) throw common.not_found({ what: 'delivery' })
      return rows[0]
    },
    /** The workspace is gone: nobody is told anything more of it. */
    async forgetTenant(tenantId: string): Promise<void> {
      for (const table of ['deliveries', 'secrets'])
        await database.tenant(tenantId).query(`delete from webhooks_${table} where tenant_id = $1`, [tenantId])
    },
    /** Forgets what is past its time, and secrets that sign no more. */
    async sweep(signal: AbortSignal): Promise<void> {
      const unit = database.system('deliveries of every tenant are forgotten after 30 days')
      const before = new Date(clock.now() - KEPT)
      await unit.query('delete from webhooks_secrets where expires_at <= $1', [new Date(clock.now())])
      for (let gone = BATCH; gone === BATCH && !signal.aborted; )
        gone = (
          await unit.query(
            `delete from webhooks_deliveries where id = any (array(select id from webhooks_deliveries
             where status <> 'pending' and updated_at <= $1 order by updated_at limit ${BATCH}))`,
            [before],
          )
        ).rowCount
    },
  }
}

/** When it was sent last, in milliseconds; not at all until now. */
const lastOf = (attempts: DeliveryWithAttempts['attempts']): number | undefined => {
  const last = attempts.at(-1)
  return last && new Date(last.at).getTime()
}
