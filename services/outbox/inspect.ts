/** The admin's view of events: list, deliveries, dead letters, retry and replay. */
import {
  type Clock,
  type DeliveryRecord,
  decodeCursor,
  type EventRecord,
  firstId,
  type Inspector,
  type SystemDatabase,
  statementTime,
  toPage,
  type Unit,
} from '@larder-dev/larder/kernel/internal'
import { EVENT_COLUMNS, type EventRow, record, toEvent, toShownEvent } from './deliveries.ts'

interface DeliveryRow {
  id: string
  event_id: string
  event_type: string
  tenant_id: string
  handler: string
  state: DeliveryRecord['state']
  attempts: number
  next_attempt_at: Date | null
  last_error: string | null
  done_at: Date | null
}
const DELIVERIES = `select d.*, e.type as event_type from larder_deliveries d join larder_events e on e.id = d.event_id`

const toDelivery = (row: DeliveryRow): DeliveryRecord => ({
  id: row.id,
  eventId: row.event_id,
  eventType: row.event_type,
  tenantId: row.tenant_id,
  handler: row.handler,
  state: row.state,
  attempts: row.attempts,
  nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
  lastError: row.last_error,
  doneAt: row.done_at?.toISOString() ?? null,
})

export interface EventInspectorOptions {
  readonly systemDatabase: SystemDatabase
  readonly clock: Clock
  /** Handlers of an event type in this recipe. */
  readonly handlersOf: (type: string) => readonly string[]
  readonly wakeRelay: () => void
}

export function createEventInspector({
  systemDatabase,
  clock,
  handlersOf,
  wakeRelay,
}: EventInspectorOptions): Inspector['events'] {
  const all = () => systemDatabase.acrossTenants('admins list events of every tenant')

  async function withDeliveries(rows: readonly EventRow[]): Promise<EventRecord[]> {
    const found = await all().query<DeliveryRow>(`${DELIVERIES} where d.event_id = any($1) order by d.handler`, [
      rows.map(({ id }) => id),
    ])
    const deliveries = found.rows.map(toDelivery)
    return rows.map(row => ({
      ...toShownEvent(row),
      deliveries: deliveries.filter(({ eventId }) => eventId === row.id),
    }))
  }

  /** Rows with smaller ids are older. Ids contain the time of the system, which the clock of a test may not follow. */
  const firstIdOf = (time: number) => firstId('evt', Date.now() - (clock.now() - time))

  return {
    async list({ tenantId, type, correlationId, since, limit, cursor }) {
      const [before] = decodeCursor(cursor, 1) ?? []
      const wanted = {
        'e.tenant_id =': tenantId,
        'e.type =': type,
        'e.id <': before,
        'e.correlation_id =': correlationId,
        ...(since && { 'e.occurred_at >=': since, 'e.id >=': firstIdOf(Date.parse(since)) }),
      }
      const { where, values } = conditions(wanted)
      const { rows } = await all().query<EventRow>(
        `select ${EVENT_COLUMNS} from larder_events e ${where} order by e.id desc limit $${values.length + 1}`,
        [...values, limit + 1],
      )
      const { data, nextCursor } = toPage(rows, limit, ({ id }) => [id])
      return { data: await withDeliveries(data), nextCursor }
    },

    async get(id, tenantId) {
      const { rows } = await all().query<EventRow>(
        `select ${EVENT_COLUMNS} from larder_events e where e.id = $1 and ($2::text is null or e.tenant_id = $2)`,
        [id, tenantId],
      )
      return (await withDeliveries(rows))[0] ?? null
    },

    async dead({ tenantId, limit, cursor }) {
      const [before] = decodeCursor(cursor, 1) ?? []
      const { rows } = await all().query<DeliveryRow>(
        `${DELIVERIES} where d.state = 'dead' and ($1::text is null or d.tenant_id = $1)
           and ($2::text is null or d.id < $2) order by d.id desc limit $3`,
        [tenantId, before ?? null, limit + 1],
      )
      const { data, nextCursor } = toPage(rows, limit, ({ id }) => [id])
      return { data: data.map(toDelivery), nextCursor }
    },

    async retry(deliveryId, tenantId) {
      const { rows } = await all().query<DeliveryRow>(
        `update larder_deliveries d set state = 'pending', attempts = 0, next_attempt_at = coalesce($3::timestamptz, statement_timestamp()) from larder_events e
         where d.id = $1 and d.state = 'dead' and ($2::text is null or d.tenant_id = $2) and e.id = d.event_id
         returning d.*, e.type as event_type`,
        [deliveryId, tenantId, statementTime(clock)],
      )
      wakeRelay()
      return rows[0] ? toDelivery(rows[0]) : null
    },

    async replay(eventId, { tenantId, force = false }) {
      const count = await systemDatabase
        .acrossTenants('admins replay events of any tenant')
        .transaction(unit => replay(unit, eventId, tenantId, force))
      wakeRelay()
      return count
    },
  }

  async function replay(unit: Unit, eventId: string, tenantId: string | null, force: boolean): Promise<number | null> {
    // The second of separate statements sees what the previous holder of the lock committed.
    const { event, finished } = await unit.all({
      event: [
        `select ${EVENT_COLUMNS}, e.dispatched_at is not null as dispatched from larder_events e
         where e.id = $1 and ($2::text is null or e.tenant_id = $2) for update`,
        [eventId, tenantId],
      ],
      finished: [`select handler from larder_deliveries where event_id = $1 and state = 'done'`, [eventId]],
    })
    const [row] = event.rows as unknown as (EventRow & { dispatched: boolean })[]
    if (!row) return null
    const known = handlersOf(row.type)
    // Not dispatched yet: every handler will get the event anyway.
    if (!row.dispatched) return known.length
    const done = new Set(finished.rows.map(({ handler }) => handler))
    const again = known.filter(handler => force || !done.has(handler))
    if (again.length === 0) return 0
    const fresh = again.map(handler => ({ event: toEvent(row), handler, attempts: 0 }))
    await unit.all([
      record(fresh, clock),
      [
        `update larder_deliveries set state = 'pending', attempts = 0, done_at = null,
           next_attempt_at = coalesce($3::timestamptz, statement_timestamp())
         where event_id = $1 and handler = any($2)`,
        [eventId, again, statementTime(clock)],
      ],
    ])
    return again.length
  }
}

/** Omits unused conditions: a plan for `$1 is null or …` would scan the events of all other tenants. */
function conditions(wanted: Readonly<Record<string, unknown>>): { where: string; values: unknown[] } {
  const asked = Object.entries(wanted).filter(([, value]) => value !== null && value !== undefined)
  const where = asked.map(([condition], index) => `${condition} $${index + 1}`).join(' and ')
  return { where: where && `where ${where}`, values: asked.map(([, value]) => value) }
}

/** The number of waiting events and jobs of all tenants, and the age of the oldest event. Due jobs count as waiting. */
export async function queueState(systemDatabase: SystemDatabase, clock: Clock): ReturnType<Inspector['queue']> {
  const { rows } = await systemDatabase
    .acrossTenants('waiting events and jobs of every tenant are counted')
    .query<{ waiting: number; pending: number; dead: number; oldest: Date | null; next_job: Date | null }>(
      `select (select count(*) from larder_events where dispatched_at is null)::int
         + (select count(*) from larder_jobs where state = 'running' or (state = 'waiting' and run_at <= $1))::int as waiting,
       (select count(*) from larder_deliveries where state = 'pending')::int as pending,
       (select count(*) from larder_deliveries where state = 'dead')::int
         + (select count(*) from larder_jobs where state = 'dead')::int as dead,
       (select min(occurred_at) from larder_events where dispatched_at is null) as oldest,
       (select min(run_at) from larder_jobs where state = 'waiting' and run_at > $1) as next_job`,
      [new Date(clock.now()).toISOString()],
    )
  const { waiting = 0, pending = 0, dead = 0, oldest = null, next_job: nextJob = null } = rows[0] ?? {}
  const now = clock.now()
  // The statement waited for its connection: a job that was enqueued meanwhile is due by now.
  const dueMeanwhile = nextJob && nextJob.getTime() <= now ? 1 : 0
  return {
    waiting: waiting + dueMeanwhile,
    pending,
    dead,
    oldestSeconds: oldest && Math.max(0, (now - oldest.getTime()) / 1000),
  }
}
