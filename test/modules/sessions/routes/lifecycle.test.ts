import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { create, manualClock, type ProblemBody, type SessionBody, sessionsRecipe } from '../fixtures.ts'

const clock = manualClock()
const { kernel, ada, bob } = withPeople(test, { recipe: sessionsRecipe(), clock }, { ada: 'owner', bob: 'owner' })

type Answer = SessionBody & Omit<ProblemBody, 'status'>
const act = (person: Person, id: string, action: string, body?: unknown) =>
  person.post<Answer>(`/v1/sessions/${id}/${action}`, body)

/** Creates a session in each state. */
const createIn = {
  created: (person: Person) => create(person),
  async accepted(person: Person) {
    const session = await create(person)
    await act(person, session.id, 'accept')
    return session
  },
  async ended(person: Person) {
    const session = await create(person)
    await act(person, session.id, 'end')
    return session
  },
  async expired(person: Person) {
    const session = await create(person, { ttl_seconds: 1 })
    clock.forward(1000)
    return session
  },
}
type State = keyof typeof createIn

/** Expected status code, session status or problem code, and published event, for each call and state. */
const TABLE: Record<
  'accept' | 'acceptByToken' | 'end' | 'join' | 'rotate',
  Record<State, [number, string, string?]>
> = {
  accept: {
    created: [200, 'accepted', 'accepted'],
    accepted: [200, 'accepted'],
    ended: [409, 'invalid_state'],
    expired: [409, 'invalid_state'],
  },
  acceptByToken: {
    created: [200, 'accepted', 'accepted'],
    accepted: [200, 'accepted'],
    ended: [409, 'invalid_state'],
    expired: [409, 'invalid_state'],
  },
  end: {
    created: [200, 'ended', 'ended'],
    accepted: [200, 'ended', 'ended'],
    ended: [200, 'ended'],
    expired: [409, 'invalid_state'],
  },
  join: {
    created: [200, 'created'],
    accepted: [200, 'accepted'],
    ended: [410, 'session_ended'],
    expired: [410, 'session_expired'],
  },
  rotate: {
    created: [200, 'created', 'token_rotated'],
    accepted: [200, 'accepted', 'token_rotated'],
    ended: [409, 'invalid_state'],
    expired: [409, 'invalid_state'],
  },
}

/** Number of events of each type. Excludes `expired`, which the sweeper publishes at any time. */
async function eventCounts(id: string): Promise<Record<string, number>> {
  const { data } = await kernel.kernel.inspector.events.list({ tenantId: ada.tenantId, limit: 200 })
  const counts: Record<string, number> = {}
  for (const { subject, type } of data) {
    const step = type.split('.')[2] ?? ''
    if (subject === id && step !== 'expired') counts[step] = (counts[step] ?? 0) + 1
  }
  return counts
}

const expectation = ([status, word, event]: [number, string, string?]) =>
  `${status} ${word}, ${event === undefined ? 'no event' : `event ${event}`}`

for (const [call, row] of Object.entries(TABLE))
  for (const state of Object.keys(row) as State[])
    test.serial(`${call} in state ${state} returns ${expectation(row[state])}`, async t => {
      const { id, join_token } = await createIn[state](ada)
      const eventsBefore = await eventCounts(id)
      const before = await ada.get<SessionBody>(`/v1/sessions/${id}`)
      t.is(before.body.status, state)
      const answer = await {
        accept: () => act(ada, id, 'accept'),
        acceptByToken: () => kernel.post<Answer>(`/v1/sessions/${id}/accept`, { join_token }),
        end: () => act(ada, id, 'end'),
        join: () => kernel.post<Answer>('/v1/join', { join_token }),
        rotate: () => act(ada, id, 'token/rotate'),
      }[call as keyof typeof TABLE]()
      const [status, word, event] = row[state]
      t.is(answer.status, status)
      t.deepEqual(await eventCounts(id), event === undefined ? eventsBefore : { ...eventsBefore, [event]: 1 })
      const after = await ada.get<SessionBody>(`/v1/sessions/${id}`)
      if (status === 200) t.is<string, string>(call === 'rotate' ? after.body.status : answer.body.status, word)
      else {
        t.is(answer.body.code, word)
        t.deepEqual(answer.body.session, status === 410 ? { id, status: state } : undefined)
        t.deepEqual(after.body, before.body)
      }
    })

test.serial('accepting and ending are idempotent', async t => {
  const { id } = await create(ada)
  const first = await act(ada, id, 'accept')
  clock.forward(50)
  t.deepEqual((await act(ada, id, 'accept')).body, first.body)
  t.is(first.body.accepted_at, new Date(clock.now() - 50).toISOString())
  const end = await act(ada, id, 'end')
  clock.forward(50)
  t.deepEqual((await act(ada, id, 'end')).body, end.body)
  t.like(end.body, { status: 'ended', end_reason: 'owner', ended_at: new Date(clock.now() - 50).toISOString() })
})

test.serial('a session expires exactly at expires_at unless it was accepted', async t => {
  const { id } = await create(ada, { ttl_seconds: 2 })
  const { id: accepted } = await create(ada, { ttl_seconds: 2 })
  await act(ada, accepted, 'accept')
  clock.forward(1999)
  t.is((await ada.get(`/v1/sessions/${id}`)).body.status, 'created')
  clock.forward(1)
  t.is((await ada.get(`/v1/sessions/${id}`)).body.status, 'expired')
  t.is((await ada.get(`/v1/sessions/${accepted}`)).body.status, 'accepted')
})

test.serial('a join token accepts only its own session, and unknown tokens are rejected', async t => {
  const [one, two] = [await create(ada), await create(bob)]
  const by = (id: string, join_token: unknown) => kernel.post<Answer>(`/v1/sessions/${id}/accept`, { join_token })
  const foreign = await by(one.id, two.join_token)
  t.is(foreign.status, 403)
  t.is(foreign.body.code, 'token_session_mismatch')
  t.is((await by('ses_0000000000000000000000000a', two.join_token)).status, 403)
  for (const token of ['', 'jt_unknown', `${one.join_token}x`, one.join_token.toUpperCase(), one.code, one.id]) {
    const answer = await by(one.id, token)
    t.is(answer.status, 401, token)
    t.is(answer.body.code, 'invalid_join_token')
  }
  for (const token of [null, 7, {}, 'x'.repeat(300)]) t.is((await by(one.id, token)).status, 422)
  t.is((await ada.get(`/v1/sessions/${one.id}`)).body.status, 'created')
  t.is((await by(two.id, two.join_token)).body.workspace_id, bob.tenantId)
})

test.serial('the join token in the body takes precedence over the credential', async t => {
  const mine = await create(ada)
  t.is((await act(ada, mine.id, 'accept', { join_token: 'jt_wrong' })).status, 401)
  const theirs = await create(bob)
  t.is((await act(ada, theirs.id, 'accept', { join_token: theirs.join_token })).status, 200)
  const again = await create(bob)
  const keyed = await ada.post(
    `/v1/sessions/${again.id}/accept`,
    { join_token: again.join_token },
    { headers: { 'idempotency-key': 'token-of-another-workspace' } },
  )
  t.is(keyed.status, 200)
  t.is((await bob.get(`/v1/sessions/${again.id}`)).body.status, 'accepted')
})

test.serial('accepting without a join token requires credential, tenant and permission', async t => {
  const { id } = await create(ada)
  t.is((await kernel.post<ProblemBody>(`/v1/sessions/${id}/accept`)).body.code, 'unauthenticated')
  t.is((await kernel.post<ProblemBody>(`/v1/sessions/${id}/accept`, {})).status, 401)
  t.is((await act(bob, id, 'accept')).status, 404)
  const headers = { cookie: ada.cookie, 'sec-fetch-site': 'same-origin' }
  t.is((await kernel.post<ProblemBody>(`/v1/sessions/${id}/accept`, {}, { headers })).body.code, 'tenant_required')
  const wrong = { headers: { ...headers, 'x-tenant-id': bob.tenantId } }
  t.is((await kernel.post<ProblemBody>(`/v1/sessions/${id}/accept`, {}, wrong)).body.code, 'not_a_member')
  const key = await ada.post<{ key: string }>('/v1/identity/api-keys', {
    name: 'reader',
    permissions: ['sessions.session.read'],
  })
  const reader = await kernel.as(key.body.key).post<ProblemBody>(`/v1/sessions/${id}/accept`)
  t.is(reader.status, 403)
  t.is(reader.body.requiredPermission, 'sessions.session.accept')
  t.is((await ada.get<SessionBody>(`/v1/sessions/${id}`)).body.status, 'created')
  t.is((await kernel.as(ada.apiKey).post(`/v1/sessions/${id}/accept`)).status, 200)
})

test.serial('ending and rotating reject join tokens and other tenants', async t => {
  const { id, join_token } = await create(ada)
  for (const action of ['end', 'token/rotate']) {
    t.is((await kernel.post(`/v1/sessions/${id}/${action}`, { join_token })).status, 401)
    t.is((await act(bob, id, action)).status, 404)
  }
})

test.serial('rotation invalidates the previous join token', async t => {
  const { id, join_token } = await create(ada)
  const { status, body } = await ada.post(`/v1/sessions/${id}/token/rotate`)
  t.is(status, 200)
  t.deepEqual(Object.keys(body).sort(), ['id', 'join_token'])
  t.regex(body.join_token, /^jt_[\w-]{43}$/)
  t.is((await kernel.post<ProblemBody>('/v1/join', { join_token })).body.code, 'invalid_join_token')
  t.is((await kernel.post<ProblemBody>(`/v1/sessions/${id}/accept`, { join_token })).status, 401)
  t.is((await kernel.post('/v1/join', { join_token: body.join_token })).status, 200)
})

test.serial('concurrent accepts and ends return 200 or 409', async t => {
  const { id } = await create(ada)
  const calls = Array.from({ length: 20 }, (_, at) => act(ada, id, at % 2 ? 'accept' : 'end'))
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  t.deepEqual(
    statuses.filter(status => status !== 200 && status !== 409),
    [],
  )
  t.is((await ada.get(`/v1/sessions/${id}`)).body.status, 'ended')
})
