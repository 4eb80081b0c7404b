import test from 'ava'
import type { Person, TestKernel } from '../../../../testing/index.ts'
import { join } from '../../../fixtures/topics.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { create, startStreams, streamsRecipe } from '../fixtures.ts'

const edge = { secret: 'x', webrtcUrl: 'http://edge.test:8889', hlsUrl: 'http://edge.test:8888' }
const { kernel, ada } = withPeople(test, { recipe: streamsRecipe({ edge }) }, { ada: 'owner' })

const open = (path: string) => kernel.get<string>(path, { headers: { accept: 'text/html' } })

test('the directory page lists public streams with escaped text and no private ones', async t => {
  const { id } = await create(ada, { title: 'Tea <b>', visibility: 'public', description: 'Quiet', tags: ['a&b'] })
  const hidden = await create(ada, { title: 'Hidden', visibility: 'private' })
  const { status, body } = await open('/streams')
  t.is(status, 200)
  t.regex(body, new RegExp(`<a href="/watch/${id}">Tea &lt;b&gt;</a>`))
  t.regex(body, /#a&amp;b/)
  t.false(body.includes(hidden.id))
})

test('the directory page has pagination and explains an invalid cursor', async t => {
  for (let n = 0; n < 25; n++) await create(ada, { title: `Number ${n}`, visibility: 'public' })
  const first = await open('/streams')
  t.is(first.body.match(/class="card cover-card stream"/g)?.length, 24)
  const next = /href="(\/streams\?cursor[^"]+)"/.exec(first.body)?.[1]?.replaceAll('&#x3D;', '=') ?? ''
  const second = await open(next)
  t.true((second.body.match(/class="card cover-card stream"/g)?.length ?? 0) >= 1)
  t.true((await open('/streams?cursor=forged')).status >= 400)
  t.true((await open('/streams?cursor=forged')).status < 500)
})

test('the watch page may connect to the edge', async t => {
  const { id } = await create(ada, { title: 'Tea', visibility: 'public' })
  const { body, headers } = await open(`/watch/${id}`)
  t.regex(body, /<section id="watch" [^>]*data-edge data-public>/)
  t.regex(body, /<h1 data-heading>Tea<\/h1>/)
  const policy = headers.get('content-security-policy') ?? ''
  t.regex(policy, /connect-src 'self' http:\/\/edge\.test:8889 http:\/\/edge\.test:8888;/)
  t.regex(policy, /media-src 'self' http:\/\/edge\.test:8889/)
  t.is(headers.get('permissions-policy'), 'camera=(), microphone=(), display-capture=()')
})

test('the watch page reveals nothing about private or unknown streams', async t => {
  const hidden = await create(ada, { title: 'Hidden title', visibility: 'private' })
  const over = await create(ada, { title: 'Over', visibility: 'private' })
  await ada.post(`/v1/sessions/${over.id}/end`)
  const pages = []
  for (const id of [hidden.id, over.id, 'ses_unknown']) {
    const { status, body, headers } = await open(`/watch/${id}`)
    t.is(status, 200)
    pages.push(
      headers.get('content-security-policy')?.replace(/nonce-[^']+/g, ''),
      body.replaceAll(id, 'ID').replace(/nonce="[^"]+"/g, ''),
    )
  }
  t.is(new Set(pages).size, 2)
})

test('the watch page of a finished stream asks for no token', async t => {
  const open = await create(ada, { visibility: 'public' })
  const hidden = await create(ada)
  for (const { id } of [open, hidden]) await ada.post(`/v1/sessions/${id}/end`)
  const page = (path: string) => kernel.get<string>(path, { headers: { accept: 'text/html' } })
  for (const name of ['watch', 'embed']) t.regex((await page(`/${name}/${open.id}`)).body, /<section [^>]*data-ended>/)
  t.regex((await openAs(ada, `/watch/${hidden.id}`)).body, /<section [^>]*data-ended>/)
})

test('the broadcast page offers the edge', async t => {
  const { id } = await create(ada)
  const { body, headers } = await open(`/broadcast/${id}`)
  t.regex(body, /<input type="radio" name="way" value="edge" checked>/)
  t.regex(headers.get('content-security-policy') ?? '', /connect-src 'self' http:\/\/edge\.test:8889/)
})

const openAs = (person: Person, path: string) =>
  kernel.with({ cookie: person.cookie }).get<string>(path, { headers: { accept: 'text/html' } })

test('the pages of a stream know who may create tokens for it', async t => {
  const { id } = await create(ada)
  const stranger = await kernel.register('bob@example.test')
  const mine = await openAs(ada, `/broadcast/${id}`)
  t.regex(mine.body, new RegExp(`data-workspace="${ada.tenantId}"`))
  t.regex(mine.body, /<input id="share-link" readonly>/)
  t.regex(
    (await openAs(ada, `/watch/${id}`)).body,
    new RegExp(`<a class="button small" href="/broadcast/${id}">Go live`),
  )
  for (const path of [`/broadcast/${id}`, `/watch/${id}`])
    t.notRegex((await openAs(stranger, path)).body, /data-workspace|href="\/broadcast|share-link/)
  t.regex((await open(`/broadcast/${id}`)).body, new RegExp(`href="/sign-in\\?next&#x3D;%2Fbroadcast%2F${id}"`))
  await ada.post(`/v1/sessions/${id}/end`)
  t.notRegex((await openAs(ada, `/broadcast/${id}`)).body, /data-workspace/)
})

test('other sites may show the embedded player in a frame, and no other page', async t => {
  const { id } = await create(ada, { title: 'Tea', visibility: 'public' })
  const policyOf = async (path: string) => (await open(path)).headers.get('content-security-policy') ?? ''
  t.regex(await policyOf(`/embed/${id}`), /frame-ancestors \*$/)
  t.is((await open(`/embed/${id}`)).headers.get('x-frame-options'), null)
  t.is((await open(`/watch/${id}`)).headers.get('x-frame-options'), 'SAMEORIGIN')
  t.regex((await open(`/embed/${id}`)).body, /<h1 data-heading class="visually-hidden">Tea<\/h1>/)
  for (const path of [`/watch/${id}`, `/broadcast/${id}`]) t.regex(await policyOf(path), /frame-ancestors 'none'$/)
})

test.serial('without an edge, both pages go from browser to browser', async t => {
  const other = await plainProduct()
  for (const name of ['watch', 'broadcast']) {
    const { body } = await other.get<string>(`/${name}/ses_1`, { headers: { accept: 'text/html' } })
    t.notRegex(body, /data-edge|name="way"/)
  }
})

test.serial('without messaging, neither the pages nor the API have a chat', async t => {
  const other = await plainProduct()
  for (const name of ['watch', 'broadcast'])
    t.notRegex((await other.get<string>(`/${name}/ses_1`, { headers: { accept: 'text/html' } })).body, /data-chat/)
  const stream = await create(await other.register('ada@example.test'), { visibility: 'public' })
  t.is((await other.get(`/v1/streams/${stream.id}/chat`)).status, 404)
  const client = await join(other.url)
  const refused = await client.subscribe('streams.chat', { stream_id: stream.id })
  t.is(refused.data.code, 'unknown_topic')
  client.cut()
})

let plain: TestKernel | undefined
/** A product with neither an edge nor messaging. */
async function plainProduct(): Promise<TestKernel> {
  plain ??= await startStreams({})
  return plain
}
test.after.always(() => plain?.stop())
