import test from 'ava'
import type { TestKernel } from '../../../../testing/index.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { create, expectStatus, type ProblemBody, streamsRecipe } from '../fixtures.ts'
import { join } from '../realtime/client.ts'

const { kernel, people, ada } = withPeople(test, { recipe: streamsRecipe() }, { ada: 'owner' })

interface MediaBody extends Record<string, unknown> {
  readonly whip_url?: string
}

test('creates a stream token from the role alone and returns it only once', async t => {
  const { id } = await create(ada)
  const { status, body, headers } = await ada.post(`/v1/streams/${id}/tokens`, { role: 'viewer' })
  t.is(status, 201)
  const { id: tokenId, token, created_at, ...rest } = body
  t.is(headers.get('location'), `/v1/streams/${id}/tokens/${tokenId}`)
  t.regex(token, /^st_[\w-]{43}$/)
  t.deepEqual(rest, { stream_id: id, role: 'viewer', label: null, expires_at: null, max_uses: null, uses: 0 })
  const more = { role: 'publisher', ttl_seconds: 60, max_uses: 2, label: 'OBS' }
  const second = expectStatus(201, await ada.post(`/v1/streams/${id}/tokens`, more))
  t.is(Date.parse(String(second.expires_at)) - Date.parse(String(second.created_at)), 60_000)
  t.like(second, { max_uses: 2, label: 'OBS' })
  const { data } = expectStatus(200, await ada.get(`/v1/streams/${id}/tokens`))
  t.deepEqual(
    data.map(row => [row.id, 'token' in row]),
    [
      [second.id, false],
      [tokenId, false],
    ],
  )
  t.is((await ada.delete(`/v1/streams/${id}/tokens/${tokenId}`)).status, 204)
  const gone = await ada.delete<ProblemBody>(`/v1/streams/${id}/tokens/${tokenId}`)
  t.is(gone.status, 404)
  t.is(gone.body.detail, 'No token has this ID.')
  t.is(created_at !== undefined, true)
})

for (const [pointer, body] of [
  ['/role', { role: 'admin' }],
  ['/role', {}],
  ['/ttl_seconds', { role: 'viewer', ttl_seconds: 0 }],
  ['/max_uses', { role: 'viewer', max_uses: 0 }],
  ['/label', { role: 'viewer', label: 'x'.repeat(129) }],
] as const)
  test(`rejects a stream token with ${JSON.stringify(body).slice(0, 50)}`, async t => {
    const { id } = await create(ada)
    const answer = await ada.post<ProblemBody>(`/v1/streams/${id}/tokens`, body)
    t.is(answer.status, 422)
    t.is(answer.body.errors?.[0]?.pointer, pointer)
  })

test('the media record contains the ingest URL only for callers that may publish', async t => {
  const bob = await people.person()
  const stream = await create(ada)
  const other = await create(ada)
  const token = async (role: string) =>
    expectStatus(201, await ada.post(`/v1/streams/${stream.id}/tokens`, { role })).token
  const path = `/v1/streams/${stream.id}/media`
  const plain = expectStatus(200, await kernel.get<MediaBody>(path))
  t.deepEqual(plain, {
    stream_id: stream.id,
    media_path: `live/${stream.id}`,
    enabled: true,
    provider: 'mediamtx',
    whep_url: `http://localhost:8889/live/${stream.id}/whep`,
    hls_url: `http://localhost:8888/live/${stream.id}/index.m3u8`,
    latency_profiles: ['interactive-webrtc', 'low-latency-hls', 'stable-hls'],
  })
  const whip = `http://localhost:8889/live/${stream.id}/whip`
  const ingestUrl = async (by: Pick<TestKernel, 'get'>, query = '') =>
    expectStatus(200, await by.get<MediaBody>(`${path}${query}`)).whip_url
  t.is(await ingestUrl(ada), whip)
  t.is(await ingestUrl(kernel.as(ada.apiKey)), whip)
  t.is(await ingestUrl(kernel, `?join_token=${stream.join_token}`), whip)
  t.is(await ingestUrl(kernel, `?join_token=${await token('publisher')}`), whip)
  t.is(await ingestUrl(kernel, `?join_token=${await token('viewer')}`), undefined)
  t.is(await ingestUrl(kernel, `?join_token=${other.join_token}`), undefined)
  t.is(await ingestUrl(kernel, '?join_token=jt_nonsense'), undefined)
  t.is(await ingestUrl(kernel.as('dt_nonsense')), undefined)
  t.is(await ingestUrl(bob), undefined)
  t.is((await kernel.get('/v1/streams/ses_unknown/media')).status, 404)
  const publisher = await token('publisher')
  expectStatus(200, await ada.post(`/v1/sessions/${stream.id}/end`))
  for (const late of [stream.join_token, publisher]) t.is(await ingestUrl(kernel, `?join_token=${late}`), undefined)
})

test('a publisher token without uses left has the ingest URL only while who used it is connected', async t => {
  const { id } = await create(ada)
  const made = await ada.post(`/v1/streams/${id}/tokens`, { role: 'publisher', max_uses: 1 })
  const { token } = expectStatus(201, made)
  const seen = async () => {
    const body = expectStatus(200, await kernel.get<MediaBody>(`/v1/streams/${id}/media?join_token=${token}`))
    return [body.whip_url !== undefined, 'ingest' in body, 'state' in body]
  }
  t.deepEqual(await seen(), [true, true, true])
  const peer = await join(kernel.url, { token })
  t.deepEqual(await seen(), [true, true, true])
  peer.send({ type: 'leave', data: {} })
  await peer.closed
  // The state stays, so that a page can say why the token opens nothing.
  t.deepEqual(await seen(), [false, false, true])
})

test('a stream token is not accepted as join token', async t => {
  const { id } = await create(ada)
  for (const role of ['viewer', 'publisher']) {
    const { token } = expectStatus(201, await ada.post(`/v1/streams/${id}/tokens`, { role }))
    for (const path of [`sessions/${id}/accept`, 'join']) {
      const answer = await kernel.post<ProblemBody>(`/v1/${path}`, { join_token: token })
      t.is(answer.status, 401, path)
      t.is(answer.body.code, 'invalid_join_token')
    }
  }
})

test('returns the capabilities of the edge', async t => {
  const { body } = await kernel.get('/v1/media/edge')
  t.deepEqual(body, {
    provider: 'mediamtx',
    enabled: true,
    whip: true,
    whep: true,
    hls: true,
    ll_hls: true,
    sfu: true,
    simulcast: false,
    latency_profiles: ['interactive-webrtc', 'low-latency-hls', 'stable-hls'],
  })
})
