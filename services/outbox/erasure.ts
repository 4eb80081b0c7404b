/** Erases the address and the name of a person in events, in their errors, in events of providers and in finished jobs. */
import type { Deps, Result, Unit } from '@larder-dev/larder/kernel'
import type { EventErasure } from './ports.ts'

/** Rows that one statement reads. */
const PAGE_SIZE = 10_000

interface Page {
  last: string | null
  matches: { id: string; payload: unknown; finished: boolean }[]
}

/** By id, because a condition on the text reads every row of the tenant. */
const PAGE = `with page as (
    select id, payload, dispatched_at from larder_events where tenant_id = $1 and id > $2 order by id limit $3
  )
  select (select max(id) from page) as last, coalesce((
    select jsonb_agg(jsonb_build_object('id', p.id, 'payload', p.payload, 'finished', p.dispatched_at is not null
      and not exists (select from larder_deliveries d where d.event_id = p.id and d.state = 'pending')))
    from page p where lower(p.payload::text) like any ($4)), '[]') as matches`

const REDACT = `update larder_events e set payload = r.payload
  from jsonb_to_recordset($1::jsonb) as r (id text, payload jsonb) where e.id = r.id`

const NAMED_IN_JOB = `(lower(key) = any ($1) or lower(data::text) like any ($2) or lower(last_error) like any ($2))`

export function createEventErasure({ systemDatabase }: Deps<'systemDatabase'>): EventErasure {
  const system = (): Unit =>
    systemDatabase.acrossTenants('personal data of a deleted account is erased in every tenant')

  async function redactEvents(
    tenantId: string,
    patterns: readonly string[],
    redact: <T>(value: T) => T,
    signal: AbortSignal,
  ): Promise<boolean> {
    let complete = true
    let after: string | null = ''
    while (after !== null) {
      signal.throwIfAborted()
      const { rows }: Result<Page> = await system().query<Page>(PAGE, [tenantId, after, PAGE_SIZE, patterns])
      const { last, matches }: Page = rows[0] ?? { last: null, matches: [] }
      const finished = matches.filter(event => event.finished)
      if (finished.length < matches.length) complete = false
      if (finished.length > 0) await system().query(REDACT, [JSON.stringify(finished.map(redact))])
      after = last
    }
    return complete
  }

  /** Data of providers: reports about emails name their recipient. */
  async function redactProviderEvents(patterns: readonly string[], redact: <T>(value: T) => T): Promise<void> {
    const { rows } = await system().query<{ inbox: string; provider: string; event_id: string; data: unknown }>(
      `select inbox, provider, event_id, data from larder_provider_events
       where outcome is not null and lower(data::text) like any ($1)`,
      [patterns],
    )
    for (const { inbox, provider, event_id, data } of rows)
      await system().query(
        'update larder_provider_events set data = $4 where inbox = $1 and provider = $2 and event_id = $3',
        [inbox, provider, event_id, JSON.stringify(redact(data))],
      )
  }

  return {
    async run({ tenantIds, emails, patterns, redact }, signal) {
      let complete = true
      for (const tenantId of tenantIds) if (!(await redactEvents(tenantId, patterns, redact, signal))) complete = false
      await system().query('update larder_deliveries set last_error = null where lower(last_error) like any ($1)', [
        patterns,
      ])
      await redactProviderEvents(patterns, redact)
      await system().query(`delete from larder_jobs where state in ('done', 'failed', 'dead') and ${NAMED_IN_JOB}`, [
        emails,
        patterns,
      ])
      const { rowCount } = await system().query(`select from larder_jobs where ${NAMED_IN_JOB} limit 1`, [
        emails,
        patterns,
      ])
      return complete && rowCount === 0
    },
  }
}
