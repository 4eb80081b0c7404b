/** The port `providerInbox`. The primary key (inbox, provider, event id) makes each event unique. */
import {
  type Deps,
  HOUR,
  type InboxEvent,
  type InboxOptions,
  type ProviderInbox,
  type ProviderInboxes,
  SECOND,
  type Step,
  type StoredInboxEvent,
  statementTime,
} from '@larder-dev/larder/kernel/internal'

const BATCH_SIZE = 100
const MAX_ATTEMPTS = 10
const MAX_BACKOFF_MS = HOUR

type FinalOutcome = 'done' | 'stale' | 'rejected' | 'unknown' | 'failed'
type InboxDeps = Deps<'database' | 'systemDatabase' | 'clock' | 'log'>

export const createProviderInboxes = (deps: InboxDeps): ProviderInboxes => ({
  create: options => createProviderInbox(deps, options),
})

/** Milliseconds before the next attempt. */
const backoffMs = (attempts: number): number => Math.min(MAX_BACKOFF_MS, 10 * SECOND * 3 ** Math.min(attempts, 10))

function createProviderInbox<Data>(deps: InboxDeps, options: InboxOptions<Data>): ProviderInbox<Data> {
  const { database, clock, log } = deps
  const store = createStore<Data>(deps, options)
  const isExpired = ({ receivedAt }: StoredInboxEvent<Data>) =>
    receivedAt.getTime() <= clock.now() - options.retryWindowMs

  /** False if another worker has the event. */
  async function process(event: StoredInboxEvent<Data>): Promise<boolean> {
    const tenantId = await options.findTenant(event)
    if (tenantId === undefined) {
      await (isExpired(event) ? giveUp(event, 'unknown') : store.postpone(event))
      return true
    }
    return database.tenant(tenantId).transaction(async unit => {
      if (!(await store.claim(event))) return false
      const outcome = await options.process(unit, tenantId, event)
      if (outcome === 'retry' && !isExpired(event)) await store.postpone(event)
      else if (outcome === 'retry' || outcome === 'rejected') await giveUp(event, 'rejected')
      else {
        await store.complete(event, outcome)
        await store.retryRelated([...event.keys, tenantId])
      }
      return true
    })
  }

  async function giveUp(event: StoredInboxEvent<Data>, outcome: FinalOutcome): Promise<void> {
    const { id, provider } = event
    log.warn({ inbox: options.name, provider, event: id, outcome }, 'a provider event was given up')
    await store.complete(event, outcome)
  }

  async function attempt(event: StoredInboxEvent<Data>): Promise<boolean> {
    try {
      return await process(event)
    } catch (error) {
      const { id, provider } = event
      log.error({ err: error, inbox: options.name, provider, event: id }, 'processing a provider event failed')
      await (event.attempts + 1 >= MAX_ATTEMPTS ? giveUp(event, 'failed') : store.postpone(event))
      return true
    }
  }

  return {
    receive: store.receive,
    recordProcessed: store.recordProcessed,
    async processDue() {
      for (;;) {
        let processed = 0
        for (const event of await store.due()) if (await attempt(event)) processed++
        if (processed === 0) return
      }
    },
    sweep: store.sweep,
  }
}

function createStore<Data>({ systemDatabase, clock }: InboxDeps, options: InboxOptions<Data>) {
  const { name, retentionMs, wakeWorker } = options
  const system = () => systemDatabase.acrossTenants("events of providers don't name a tenant")
  const now = () => statementTime(clock)

  function insertStep(provider: string, events: readonly InboxEvent<Data>[], outcome: FinalOutcome | null): Step {
    const rows = events.map(({ id, data, keys = [], occurredAt }) => ({ id, data, keys, occurredAt }))
    return [
      // Sorted, so that concurrent batches that share events can't deadlock.
      `insert into larder_provider_events
         (inbox, provider, event_id, data, keys, occurred_at, received_at, next_attempt_at, outcome)
       select $1, $2, id, data, keys, "occurredAt", now, now, $5
         from jsonb_to_recordset($3::jsonb) as event (id text, data jsonb, keys text[], "occurredAt" timestamptz),
           coalesce($4::timestamptz, statement_timestamp()) as now
        order by id
       on conflict do nothing`,
      [name, provider, JSON.stringify(rows), now(), outcome],
    ]
  }

  return {
    receive: (provider: string, events: readonly InboxEvent<Data>[]): Promise<number> =>
      system().transaction(async unit => {
        const [result] = await unit.all([insertStep(provider, events, null)])
        const added = result?.rowCount ?? 0
        if (added > 0) await wakeWorker()
        return added
      }),
    async recordProcessed(provider: string, event: InboxEvent<Data>): Promise<void> {
      await system().defer([insertStep(provider, [event], 'done')])
    },
    async due(): Promise<readonly StoredInboxEvent<Data>[]> {
      const { rows } = await system().query<StoredInboxEvent<Data>>(
        `select provider, event_id as id, data, keys, occurred_at as "occurredAt", attempts,
           received_at as "receivedAt"
           from larder_provider_events where inbox = $1 and outcome is null
            and next_attempt_at <= coalesce($2::timestamptz, statement_timestamp())
          order by occurred_at, received_at, event_id limit $3`,
        [name, now(), BATCH_SIZE],
      )
      return rows
    },
    /** Locks the event until the surrounding unit ends. False if another worker has it or has completed it. */
    async claim({ provider, id }: StoredInboxEvent<Data>): Promise<boolean> {
      const { rowCount } = await system().query(
        `select 1 from larder_provider_events
          where inbox = $1 and provider = $2 and event_id = $3 and outcome is null for update skip locked`,
        [name, provider, id],
      )
      return rowCount > 0
    },
    async complete({ provider, id }: StoredInboxEvent<Data>, outcome: FinalOutcome): Promise<void> {
      await system().query(
        'update larder_provider_events set outcome = $4 where inbox = $1 and provider = $2 and event_id = $3',
        [name, provider, id, outcome],
      )
    },
    async retryRelated(keys: readonly string[]): Promise<void> {
      await system().query(
        `update larder_provider_events set next_attempt_at = now from coalesce($3::timestamptz, statement_timestamp()) as now
          where inbox = $1 and outcome is null and next_attempt_at > now and keys && $2::text[]`,
        [name, keys, now()],
      )
    },
    async postpone({ provider, id, attempts }: StoredInboxEvent<Data>): Promise<void> {
      await system().query(
        `update larder_provider_events set attempts = attempts + 1, 
            next_attempt_at = coalesce($4::timestamptz, statement_timestamp()) + $5::float8 * interval '1 millisecond'
          where inbox = $1 and provider = $2 and event_id = $3`,
        [name, provider, id, now(), backoffMs(attempts)],
      )
    },
    async sweep(): Promise<void> {
      await system().query(
        'delete from larder_provider_events where inbox = $1 and outcome is not null and received_at < $2',
        [name, new Date(clock.now() - retentionMs)],
      )
    },
  }
}
