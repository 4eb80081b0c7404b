import anyTest, { type TestFn } from 'ava'
import { at, type Listed, type Message, mustBe, type Stage, say, stage, talk } from './stage.ts'

interface Context {
  house: Stage
}
const test = anyTest as TestFn<Context>

test.before(async t => {
  t.context = { house: await stage() }
})
test.after.always(t => t.context.house?.stop())

/** As a browser would: with the cookie, and for a form with our own origin. */
function browserOf({ house }: Context, { cookie, tenantId }: { cookie: string; tenantId: string }) {
  const headers = { cookie: `${cookie}; platform_tenant=${tenantId}`, accept: 'text/html' }
  return {
    async get(path: string) {
      const answer = await fetch(`${house.kernel.url}${path}`, { headers, redirect: 'manual' })
      return { status: answer.status, text: await answer.text() }
    },
    async post(path: string, form: Record<string, string>, origin = house.kernel.url) {
      const body = new URLSearchParams(form)
      const sent = { method: 'POST', headers: { ...headers, origin }, body, redirect: 'manual' } as const
      const answer = await fetch(`${house.kernel.url}${path}`, sent)
      return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') }
    },
  }
}
const field = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''

test('a reader sees what is unread, reads the thread, says that it is read, and answers', async t => {
  const { house } = t.context
  const { ada, bob } = await house.pair()
  const { id } = await talk(ada, [bob], { subject: 'Plans <b>' })
  await say(ada, id, 'Hello & <script>alert(1)</script>')
  const gone = await say(ada, id, 'Oops')
  mustBe(204, await ada.delete(at(id, `/messages/${gone.id}`)))
  const browser = browserOf(t.context, bob)
  const inbox = await browser.get('/messages')
  t.is(inbox.status, 200)
  t.true(inbox.text.includes(`<a href="/messages/${id}">Plans &lt;b&gt;</a>`))
  const path = `/messages/${id}`
  const thread = await browser.get(path)
  t.true(thread.text.includes('Hello &amp; &lt;script&gt;'))
  t.true(thread.text.includes('This message was deleted.'))
  t.false(thread.text.includes('Oops'))
  t.true(thread.text.includes('Mark as read (1)'))
  t.like(await browser.post(path, { seq: field(thread.text, 'seq') }), { status: 303, location: `${path}#end` })
  const read = await browser.get(path)
  t.false(read.text.includes('Mark as read'))
  const form = { body: 'Hello, Ada', clientMessageId: field(read.text, 'clientMessageId') }
  for (const _ of [1, 2]) t.is((await browser.post(path, form)).status, 303)
  const { data } = mustBe(200, await ada.get<Listed<Message>>(at(id, '/messages')))
  t.deepEqual(
    data.map(({ body }) => body),
    ['Hello, Ada', null, 'Hello & <script>alert(1)</script>'],
  )
})

test('an empty message is refused on the page, which keeps what was written', async t => {
  const { ada } = await t.context.house.pair()
  const { id } = await talk(ada, [])
  const browser = browserOf(t.context, ada)
  const refused = await browser.post(`/messages/${id}`, { body: ' ' })
  t.is(refused.status, 422)
  t.true(refused.text.includes('role="alert"'))
  const long = await browser.post(`/messages/${id}`, { body: 'x'.repeat(10_001) })
  t.is(long.status, 422)
  t.true(long.text.includes('x'.repeat(10_001)))
})

test('a long thread is read from its end, page by page', async t => {
  const { ada } = await t.context.house.pair()
  const { id } = await talk(ada, [])
  for (let n = 1; n <= 55; n++) await say(ada, id, `Number ${n}.`)
  const browser = browserOf(t.context, ada)
  const newest = await browser.get(`/messages/${id}`)
  t.true(newest.text.includes('Number 55.') && newest.text.includes('Number 6.'))
  t.false(newest.text.includes('Number 5.'))
  t.true(newest.text.includes(`/messages/${id}?before&#x3D;6`))
  const older = await browser.get(`/messages/${id}?before=6`)
  t.true(older.text.includes('Number 1.') && older.text.includes('Number 5.'))
  t.false(older.text.includes('Number 6.'))
  t.is((await browser.get(`/messages/${id}?before=x`)).status, 200)
})

test('others see neither the thread nor its form, and a form of another site is refused', async t => {
  const { house } = t.context
  const { ada, bob } = await house.pair()
  const { id } = await talk(ada, [])
  const other = browserOf(t.context, bob)
  t.is((await other.get(`/messages/${id}`)).status, 404)
  t.is((await other.post(`/messages/${id}`, { body: 'Hi' })).status, 404)
  const mine = browserOf(t.context, ada)
  t.is((await mine.post(`/messages/${id}`, { body: 'Hi' }, 'https://evil.test')).status, 403)
  const reader = await house.colleague(ada, ['tenant.reader'])
  const theirs = await talk(ada, [reader])
  const quiet = browserOf(t.context, reader)
  t.false((await quiet.get(`/messages/${theirs.id}`)).text.includes('<textarea'))
  t.is((await quiet.post(`/messages/${theirs.id}`, { body: 'Hi' })).status, 403)
  t.is(
    (await fetch(`${house.kernel.url}/messages`, { headers: { accept: 'text/html' }, redirect: 'manual' })).status,
    303,
  )
})
