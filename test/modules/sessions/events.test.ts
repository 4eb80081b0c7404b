import test from 'ava'
import type { SessionChanged } from '../../../modules/sessions/ports.ts'
import { createSweeper } from '../../../modules/sessions/services/session-sweeper.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { type Created, create, manualClock, sessionsRecipe } from './fixtures.ts'

const clock = manualClock()
const { kernel, ada } = withPeople(
  test,
  // The role `web` runs no jobs, so that sessions are swept only by the tests.
  { recipe: sessionsRecipe({ maxDuration: '1h' }), clock, role: 'web' },
  { ada: 'owner' },
)

const eventsOf = async ({ id }: Pick<Created, 'id'>) => {
  const { data } = await kernel.kernel.inspector.events.list({ tenantId: ada.tenantId, limit: 200 })
  const mine = data.flatMap(({ type, subject, payload }) =>
    subject === id ? [{ type, payload: payload as Record<string, unknown> }] : [],
  )
  return mine.sort((a, b) => Number(a.payload.sequence ?? 99) - Number(b.payload.sequence ?? 99))
}
const eventNames = async (session: Pick<Created, 'id'>) =>
  (await eventsOf(session)).map(({ type }) => type.split('.')[2])
const sweep = () => createSweeper(kernel.kernel.ports)()
const read = async ({ id }: Pick<Created, 'id'>) => (await ada.get(`/v1/sessions/${id}`)).body

test.serial('publishes one numbered event per transition, with webhook data and without tokens', async t => {
  const hook = { webhook_url: 'https://example.com/hook', webhook_events: ['session.created', 'stream.live'] }
  const session = await create(ada, { ...hook, customer: 'c', purpose: 'p', metadata: { a: 1 } })
  const { body } = await ada.post(`/v1/sessions/${session.id}/token/rotate`)
  for (const action of ['accept', 'accept', 'end', 'end']) await ada.post(`/v1/sessions/${session.id}/${action}`)
  const events = await eventsOf(session)
  t.deepEqual(
    events.map(({ type, payload }) => [type, payload.status, payload.sequence, payload.end_reason]),
    [
      ['sessions.session.created', 'created', 1, null],
      ['sessions.session.accepted', 'accepted', 2, null],
      ['sessions.session.ended', 'ended', 3, 'owner'],
      ['sessions.session.token_rotated', undefined, undefined, undefined],
    ],
  )
  t.deepEqual(events[0]?.payload, {
    session_id: session.id,
    code: session.code,
    status: 'created',
    mode: 'screenshare',
    stream_profile: 'balanced',
    audio_enabled: true,
    customer: 'c',
    purpose: 'p',
    metadata: { a: 1 },
    end_reason: null,
    sequence: 1,
    webhook: { url: hook.webhook_url, events: hook.webhook_events },
  })
  t.false(JSON.stringify(events).includes(session.join_token.slice(3)))
  t.false(JSON.stringify(events).includes(body.join_token.slice(3)))
})

test.serial('webhooks receive all session events by default', async t => {
  const [event] = await eventsOf(await create(ada, { webhook_url: 'https://example.com/' }))
  t.deepEqual(event?.payload.webhook, {
    url: 'https://example.com/',
    events: ['session.created', 'session.accepted', 'session.ended', 'session.expired'],
  })
})

test.serial('200 concurrent accepts and ends publish one event each', async t => {
  const session = await create(ada)
  const call = (_: unknown, at: number) => ada.post(`/v1/sessions/${session.id}/${at % 2 ? 'end' : 'accept'}`)
  await Promise.all(Array.from({ length: 200 }, call))
  const seen = await eventNames(session)
  t.is(seen.filter(type => type === 'ended').length, 1)
  t.true(seen.filter(type => type === 'accepted').length <= 1)
  t.is((await read(session)).status, 'ended')
})

test.serial('200 concurrent accepts with the join token publish one event', async t => {
  const session = await create(ada)
  const body = { join_token: session.join_token }
  const calls = Array.from({ length: 200 }, () => kernel.post(`/v1/sessions/${session.id}/accept`, body))
  t.true((await Promise.all(calls)).every(({ status }) => status === 200))
  t.deepEqual(await eventNames(session), ['created', 'accepted'])
})

test.serial('concurrent sweepers store and publish each expiry once', async t => {
  const [gone, waiting] = [await create(ada, { ttl_seconds: 5 }), await create(ada, { ttl_seconds: 6 })]
  clock.forward(5000)
  const before = await read(gone)
  await Promise.all([sweep(), sweep(), sweep()])
  t.deepEqual(await eventNames(gone), ['created', 'expired'])
  t.deepEqual(await eventNames(waiting), ['created'])
  t.like((await eventsOf(gone))[1]?.payload, { status: 'expired', sequence: 2, end_reason: null })
  t.deepEqual(await read(gone), before)
})

test.serial('an accepted session ends at the maximum duration with the reason max_duration', async t => {
  const session = await create(ada)
  await ada.post(`/v1/sessions/${session.id}/accept`)
  const over = new Date(clock.now() + 3_600_000).toISOString()
  clock.forward(3_600_000)
  const seen = await read(session)
  t.like(seen, { status: 'ended', end_reason: 'max_duration', ended_at: over })
  t.deepEqual((await ada.post(`/v1/sessions/${session.id}/end`)).body, seen)
  await Promise.all([sweep(), sweep()])
  t.deepEqual(await eventNames(session), ['created', 'accepted', 'ended'])
  t.deepEqual(await read(session), seen)
})

test.serial('publishes one event for each of 1000 sessions that expire together', async t => {
  const { id } = await create(ada, { ttl_seconds: 7, customer: 'many' })
  const copies = `insert into sessions_sessions (tenant_id, id, code, join_token_hash, mode, stream_profile, audio_enabled,
      purpose, customer, metadata, webhook_url, webhook_events, created_at, expires_at)
    select tenant_id, id || n, code || n, join_token_hash || n::text::bytea, mode, stream_profile, audio_enabled,
      purpose, customer, metadata, webhook_url, webhook_events, created_at, expires_at
    from sessions_sessions, generate_series(1, 1000) as n where id = $1`
  await kernel.kernel.ports.database.tenant(ada.tenantId).query(copies, [id])
  clock.forward(7000)
  await sweep()
  const { events } = kernel.kernel.inspector
  const ids = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await events.list({
      tenantId: ada.tenantId,
      type: 'sessions.session.expired',
      limit: 200,
      ...(cursor && { cursor }),
    })
    for (const event of page.data) {
      t.false(ids.has(event.subject ?? ''))
      if ((event.payload as { customer?: string }).customer === 'many') ids.add(event.subject ?? '')
    }
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  t.is(ids.size, 1001)
})

test.serial('publishes changes on the bus after commit', async t => {
  const messages: SessionChanged[] = []
  const unsubscribe = kernel.kernel.ports.bus.subscribe('sessions.changed', message => messages.push(message))
  const { id: sessionId } = await create(ada)
  for (const action of ['token/rotate', 'accept', 'accept', 'end'])
    await ada.post(`/v1/sessions/${sessionId}/${action}`)
  unsubscribe()
  const { tenantId } = ada
  t.deepEqual(
    messages,
    (['token_rotated', 'accepted', 'ended'] as const).map(change => ({ tenantId, sessionId, change })),
  )
})
