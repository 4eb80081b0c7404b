import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { create, expectStatus, type ProblemBody, streamsRecipe } from '../fixtures.ts'

const { ada } = withPeople(test, { recipe: streamsRecipe(undefined, { webhooks: {} }) }, { ada: 'owner' })

/** The field errors of a 422 as `pointer code`. */
async function faults(person: Person, path: string, body: unknown): Promise<string[] | number> {
  const { status, body: problem } = await person.post<ProblemBody>(path, body)
  return status === 422 ? (problem.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`) : status
}
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]))
const words = (count: number, length = 32) => Array.from({ length: count }, (_, at) => `${at}`.padStart(length, 'x'))
const address = (length: number, start = 'https://example.com/') => start + 'x'.repeat(length - start.length)
/** JSON of this many bytes. */
const metadata = (bytes: number) => ({ a: 'x'.repeat(bytes - 8) })
const EVENTS = [
  'session.created',
  'session.accepted',
  'session.ended',
  'session.expired',
  'stream.live',
  'stream.idle',
  'stream.sources_updated',
  'stream.layout_updated',
]

test('accepts each stream field at its limit', async t => {
  const whole = {
    title: 'x'.repeat(255),
    description: 'x'.repeat(2000),
    tags: words(10),
    purpose: 'x'.repeat(500),
    customer: 'x'.repeat(255),
    metadata: { ...keys(49), a: { a: { a: { a: {} } } } },
    ttl_seconds: 604_800,
  }
  const { id } = await create(ada, { ...whole, webhook_url: address(2048), webhook_events: EVENTS })
  const { ttl_seconds, ...same } = whole
  t.like(expectStatus(200, await ada.get(`/v1/streams/${id}`)), same)
  await create(ada, { ttl_seconds: 1, tags: [], metadata: metadata(16_384) })
})

const STREAM: [string, Record<string, unknown>][] = [
  ['/title too_long', { title: 'x'.repeat(256) }],
  ['/description too_long', { description: 'x'.repeat(2001) }],
  ['/metadata too_large', { metadata: metadata(16_385) }],
  ['/metadata too_deep', { metadata: { a: { a: { a: { a: { a: {} } } } } } }],
  ['/metadata too_many', { metadata: { a: keys(51) } }],
  ['/webhook_url too_long', { webhook_url: address(2049) }],
  ['/webhook_url wrong_format', { webhook_url: 'ftp://example.com/' }],
  ['/webhook_url wrong_format', { webhook_url: 'http://012.0.0.1/' }],
  ['/webhook_url wrong_format', { webhook_url: 'https://user@example.com/' }],
]
const TOKEN: [string, Record<string, unknown>][] = [
  ['/ttl_seconds too_large', { role: 'viewer', ttl_seconds: 604_801 }],
  ['/max_uses too_large', { role: 'viewer', max_uses: 1_000_001 }],
  ['/surprise unknown_field', { role: 'viewer', surprise: 1 }],
]
const SOURCE: [string, Record<string, unknown>][] = [
  ['/width too_large', { kind: 'screen', width: 16_385 }],
  ['/height too_small', { kind: 'screen', height: 15 }],
  ['/height not_allowed', { kind: 'microphone', height: 100 }],
  ['/url too_long', { kind: 'external', url: address(2049) }],
  ['/url wrong_format', { kind: 'external', url: 'not an address' }],
  ['/metadata too_large', { kind: 'screen', metadata: metadata(4097) }],
]
const SLOT = { source_id: 'a', order: 0 }
const LAYOUT: [string, Record<string, unknown>][] = [
  ['/kind required', {}],
  ['/kind not_allowed', { kind: 'circle' }],
  ['/slots too_many', { kind: 'grid', slots: Array(17).fill(SLOT) }],
  ['/slots/0/order too_small', { kind: 'grid', slots: [{ ...SLOT, order: -1 }] }],
  ['/slots/0/order too_large', { kind: 'grid', slots: [{ ...SLOT, order: 1001 }] }],
  ['/slots/0/order required', { kind: 'grid', slots: [{ source_id: 'a' }] }],
  ['/slots/0/source_id wrong_format', { kind: 'grid', slots: [{ ...SLOT, source_id: 'a b' }] }],
  ['/slots/0/surprise unknown_field', { kind: 'grid', slots: [{ ...SLOT, surprise: 1 }] }],
  ['/focus_source_id wrong_format', { kind: 'focus', focus_source_id: 'x'.repeat(65) }],
  ['/metadata too_large', { kind: 'grid', metadata: metadata(4097) }],
  ['/version unknown_field', { kind: 'grid', version: 7 }],
]
for (const [what, end, rows] of [
  ['stream', undefined, STREAM],
  ['stream token', '/tokens', TOKEN],
  ['source', '/sources', SOURCE],
  ['layout', '/layout', LAYOUT],
] as const)
  for (const [fault, body] of rows)
    test(`rejects a ${what} with ${JSON.stringify(body).slice(0, 50)}: ${fault}`, async t => {
      const path = end === undefined ? '/v1/streams' : `/v1/streams/${(await create(ada)).id}${end}`
      if (end === '/layout') await ada.post(path.replace(end, '/sources'), { kind: 'screen', source_id: 'a' })
      t.deepEqual(await faults(ada, path, body), [fault])
    })

test('accepts each stream token field at its limit', async t => {
  const { id } = await create(ada)
  const least = { role: 'publisher', ttl_seconds: 1, max_uses: 1, label: '' }
  const most = { role: 'viewer', ttl_seconds: 604_800, max_uses: 1_000_000, label: 'x'.repeat(128) }
  for (const { ttl_seconds, ...body } of [least, most])
    t.like(expectStatus(201, await ada.post(`/v1/streams/${id}/tokens`, { ...body, ttl_seconds })), body)
})

test('accepts each source field at its limit and every URL protocol for external sources', async t => {
  const { id } = await create(ada)
  const least = { kind: 'window', source_id: 'x', width: 16, height: 16, fps: 1, label: '', metadata: {} }
  const most = {
    kind: 'game',
    source_id: 'aZ09_-'.padEnd(64, 'x'),
    width: 16_384,
    height: 16_384,
    fps: 240,
    label: 'x'.repeat(128),
    metadata: metadata(4096),
  }
  const urls = ['http', 'rtmp', 'rtmps', 'rtsp', 'rtsps', 'srt', 'udp'].map(scheme => `${scheme}://cam.example.test/1`)
  const externals = [...urls, address(2048)].map(url => ({ kind: 'external', url }))
  for (const body of [least, most, { kind: 'microphone', label: 'Desk' }, ...externals])
    t.like(expectStatus(201, await ada.post(`/v1/streams/${id}/sources`, body)), body)
})

test('a stream with 16 sources accepts replacements and a layout of all sources', async t => {
  const { id } = await create(ada)
  const ids = words(16, 64)
  for (const source_id of ids)
    expectStatus(201, await ada.post(`/v1/streams/${id}/sources`, { kind: 'screen', source_id }))
  expectStatus(200, await ada.post(`/v1/streams/${id}/sources`, { kind: 'camera', source_id: ids[3] }))
  t.is((await ada.post<ProblemBody>(`/v1/streams/${id}/sources`, { kind: 'camera' })).body.code, 'too_many_sources')
  const body = {
    kind: 'grid',
    slots: ids.map((source_id, at) => ({ source_id, order: at === 0 ? 1000 : at })),
    focus_source_id: ids[15],
    metadata: metadata(4096),
  }
  t.like(expectStatus(200, await ada.post(`/v1/streams/${id}/layout`, body)), body)
})

test('rejects server-owned fields of streams, tokens, sources and layouts', async t => {
  const path = `/v1/streams/${(await create(ada)).id}`
  const owned = (names: string[]) => Object.fromEntries(names.map(name => [name, 'x']))
  const pointers = (names: string[]) => names.map(name => `/${name} unknown_field`)
  for (const [at, body, names] of [
    ['/v1/streams', {}, ['code', 'expires_in', 'id', 'join_token', 'live_status', 'media_path', 'playback', 'status']],
    [`${path}/tokens`, { role: 'viewer' }, ['expires_at', 'id', 'stream_id', 'token', 'uses']],
    [`${path}/sources`, { kind: 'screen' }, ['created_at', 'stream_id', 'updated_at', 'workspace_id']],
    [`${path}/layout`, { kind: 'grid' }, ['stream_id', 'updated_at']],
  ] as [string, object, string[]][]) {
    const seen = await faults(ada, at, { ...body, ...owned(names) })
    t.deepEqual(Array.isArray(seen) ? seen.sort() : seen, pointers(names))
  }
})
