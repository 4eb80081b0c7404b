import test from 'ava'
import { DAY, HOUR, SECOND } from '../../../kernel/base/units.ts'
import type { Clock, InboxEvent, InboxOptions, InboxOutcome, ProviderInbox, Unit } from '../../../kernel/internal.ts'
import { createProviderInboxes } from '../../../services/outbox/provider-inbox.ts'
import { createOutboxFixture, log, type OutboxFixture } from './fixtures.ts'

interface Data {
  /** Null: belongs to no tenant yet. */
  readonly tenantId: string | null
}

let fixture: OutboxFixture
test.before(async () => {
  fixture = await createOutboxFixture()
})
test.beforeEach(() => fixture.asOwner('truncate larder_provider_events, test_effects'))
test.after.always(() => fixture.end())

const TENANT = 'ten_a'
let wakes = 0

/** An inbox whose handler stores the id of each processed event as an effect, and then returns `outcome`. */
function openInbox(
  options: Partial<InboxOptions<Data>> & { outcome?: (id: string) => InboxOutcome } = {},
  clock: Clock = fixture.clock,
): ProviderInbox<Data> {
  const { database, systemDatabase } = fixture.db
  const { outcome = () => 'done', ...rest } = options
  const inboxes = createProviderInboxes({
    database,
    systemDatabase,
    clock,
    log,
  })
  return inboxes.create<Data>({
    name: 'test',
    retryWindowMs: DAY,
    retentionMs: 30 * DAY,
    wakeWorker: async () => wakes++,
    findTenant: async ({ data }) => data.tenantId ?? undefined,
    async process(unit, tenantId, { id }) {
      await storeEffect(unit, tenantId, id)
      return outcome(id)
    },
    ...rest,
  })
}

const storeEffect = (unit: Unit, tenantId: string, id: string) =>
  unit.query('insert into test_effects (tenant_id, event_id, handler) values ($1, $2, $3)', [tenantId, id, 'inbox'])
const event = (id: string, more: Partial<InboxEvent<Data>> = {}): InboxEvent<Data> => ({
  id,
  occurredAt: new Date(fixture.clock.now()),
  data: { tenantId: TENANT },
  ...more,
})
const unowned = { data: { tenantId: null } }
const processed = async (): Promise<string[]> => {
  const rows = await fixture.asOwner<{ event_id: string }>('select event_id from test_effects order by ctid')
  return rows.map(row => row.event_id)
}
const outcomes = async (): Promise<Record<string, string | null>> => {
  const rows = await fixture.asOwner<{ event_id: string; outcome: string | null }>(
    'select event_id, outcome from larder_provider_events order by event_id',
  )
  return Object.fromEntries(rows.map(row => [row.event_id, row.outcome]))
}

test.serial('stores a repeated event once: in one batch, in two, and concurrently', async t => {
  const inbox = openInbox()
  t.is(await inbox.receive('stripe', [event('a'), event('a')]), 1)
  t.is(await inbox.receive('stripe', [event('a'), event('b')]), 1)
  const counts = await Promise.all(Array.from({ length: 8 }, () => inbox.receive('stripe', [event('c'), event('b')])))
  t.is(
    counts.reduce((sum, count) => sum + count, 0),
    1,
  )
  t.is(await inbox.receive('another', [event('a')]), 1)
})

test.serial('wakes the worker for new events only', async t => {
  const inbox = openInbox()
  const before = wakes
  await inbox.receive('stripe', [event('a')])
  await inbox.receive('stripe', [event('a')])
  t.is(wakes - before, 1)
})

test.serial('processes events in the order in which they occurred', async t => {
  const inbox = openInbox()
  const at = (seconds: number) => new Date(fixture.clock.now() + seconds * SECOND)
  await inbox.receive('stripe', [event('last', { occurredAt: at(-1) }), event('first', { occurredAt: at(-9) })])
  await inbox.receive('stripe', [event('middle', { occurredAt: at(-5) })])
  await inbox.processDue()
  t.deepEqual(await processed(), ['first', 'middle', 'last'])
  t.deepEqual(await outcomes(), { first: 'done', last: 'done', middle: 'done' })
})

test.serial('processes each event once with concurrent workers', async t => {
  const inbox = openInbox()
  const ids = Array.from({ length: 150 }, (_, n) => `evt_${String(n).padStart(3, '0')}`)
  await inbox.receive(
    'stripe',
    ids.map(id => event(id)),
  )
  await Promise.all(Array.from({ length: 4 }, () => openInbox().processDue()))
  t.deepEqual((await processed()).sort(), ids)
})

test.serial('rolls back a failed attempt and retries it later', async t => {
  let failures = 1
  const inbox = openInbox({
    outcome: () => {
      if (failures-- > 0) throw new Error('the handler failed')
      return 'done'
    },
  })
  await inbox.receive('stripe', [event('a')])
  await inbox.processDue()
  t.deepEqual(await processed(), [])
  await inbox.processDue()
  t.deepEqual(await processed(), [], 'not due yet')
  fixture.clock.forward(11 * SECOND)
  await inbox.processDue()
  t.deepEqual(await processed(), ['a'])
  t.deepEqual(await outcomes(), { a: 'done' })
})

test.serial('gives up an event after ten failed attempts', async t => {
  let attempts = 0
  const inbox = openInbox({
    outcome: () => {
      attempts++
      throw new Error('the handler failed')
    },
  })
  await inbox.receive('stripe', [event('a'), event('b', unowned)])
  for (let run = 0; run < 12; run++) {
    await inbox.processDue()
    fixture.clock.forward(HOUR)
  }
  t.is(attempts, 10)
  t.deepEqual(await outcomes(), { a: 'failed', b: null }, 'an event without a tenant is retried for a day')
})

test.serial('retries an event without a tenant until the retry window ends', async t => {
  const inbox = openInbox()
  await inbox.receive('stripe', [event('a', unowned)])
  await inbox.processDue()
  t.deepEqual(await outcomes(), { a: null })
  fixture.clock.forward(DAY)
  await inbox.processDue()
  t.deepEqual(await outcomes(), { a: 'unknown' })
})

test.serial('gives up an event without a tenant at once if there is no retry window', async t => {
  const inbox = openInbox({ retryWindowMs: 0 })
  await inbox.receive('stripe', [event('a', unowned)])
  await inbox.processDue()
  t.deepEqual(await outcomes(), { a: 'unknown' })
})

test.serial('retries waiting events with a common key as soon as one is processed', async t => {
  const isReady = new Set(['first'])
  const inbox = openInbox({
    process: async (unit, tenantId, { id }) => {
      if (!isReady.has(id)) return 'retry'
      await storeEffect(unit, tenantId, id)
      return 'done'
    },
  })
  await inbox.receive('stripe', [event('second', { keys: ['sub_1'] }), event('other', { keys: ['sub_2'] })])
  await inbox.processDue()
  t.deepEqual(await processed(), [])
  isReady.add('second').add('other')
  await inbox.receive('stripe', [event('first', { keys: ['sub_1'] })])
  await inbox.processDue()
  t.deepEqual(await processed(), ['first', 'second'])
})

test.serial('rejects an event to be retried after the retry window', async t => {
  const inbox = openInbox({ outcome: () => 'retry' })
  await inbox.receive('stripe', [event('a')])
  fixture.clock.forward(DAY)
  await inbox.processDue()
  t.deepEqual(await outcomes(), { a: 'rejected' })
})

test.serial('does not process an event that was recorded as processed', async t => {
  const inbox = openInbox()
  await fixture.db.database.tenant(TENANT).transaction(() => inbox.recordProcessed('dev', event('a')))
  t.is(await inbox.receive('dev', [event('a')]), 0)
  await inbox.processDue()
  t.deepEqual(await processed(), [])
})

test.serial('rolls back a recorded event with the surrounding transaction', async t => {
  const inbox = openInbox()
  const work = fixture.db.database.tenant(TENANT).transaction(async () => {
    await inbox.recordProcessed('dev', event('a'))
    throw new Error('rolled back')
  })
  await t.throwsAsync(work, { message: 'rolled back' })
  t.is(await inbox.receive('dev', [event('a')]), 1)
})

test.serial('sweeps only processed events of its name, after the retention time', async t => {
  const [inbox, other] = [openInbox(), openInbox({ name: 'other' })]
  await inbox.receive('stripe', [event('done')])
  await inbox.processDue()
  await other.recordProcessed('stripe', event('of another inbox'))
  await inbox.receive('stripe', [event('waiting', unowned)])
  await inbox.sweep()
  t.deepEqual(Object.keys(await outcomes()), ['done', 'of another inbox', 'waiting'])
  fixture.clock.forward(30 * DAY + 1)
  await inbox.sweep()
  t.deepEqual(Object.keys(await outcomes()), ['of another inbox', 'waiting'])
})

test.serial('hides the events from units of a tenant', async t => {
  await openInbox().receive('stripe', [event('a')])
  const query = fixture.db.database.tenant(TENANT).query('select 1 from larder_provider_events')
  await t.throwsAsync(query, { message: /permission denied/ })
})

test.serial('events are due and retried by the clock of the database, not by that of the process', async t => {
  const ahead = { now: () => Date.now() + HOUR, isSystem: true }
  const inbox = openInbox({ outcome: () => 'retry' }, ahead)
  const minutesUntilAttempt = async () => {
    const [row] = await fixture.asOwner<{ minutes: string }>(
      'select round(extract(epoch from next_attempt_at - now()) / 60) as minutes from larder_provider_events',
    )
    return Number(row?.minutes)
  }
  await inbox.receive('stripe', [event('a', { occurredAt: new Date() })])
  t.is(await minutesUntilAttempt(), 0)
  await inbox.processDue()
  t.deepEqual(await processed(), ['a'])
  t.true((await minutesUntilAttempt()) < 1)
  await fixture.asOwner("update larder_provider_events set next_attempt_at = now() + interval '30 minutes'")
  await inbox.processDue()
  t.deepEqual(await processed(), ['a'])
})
