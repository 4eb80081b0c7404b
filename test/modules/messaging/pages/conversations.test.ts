import test from 'ava'
import { expectStatus, type Listed } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { at, MESSENGER, type Message, messagingRecipe, pairOf, say, talk } from '../fixtures.ts'

const { kernel, people } = withPeople(test, { recipe: messagingRecipe() })

/** Requests like a browser: with the cookie, and with the origin for forms. */
function browserOf({ cookie, tenantId }: { cookie: string; tenantId: string }) {
  const headers = { cookie: `${cookie}; platform_tenant=${tenantId}`, accept: 'text/html' }
  return {
    async get(path: string, language = 'en') {
      const answer = await fetch(`${kernel.url}${path}`, {
        headers: { ...headers, 'accept-language': language },
        redirect: 'manual',
      })
      return { status: answer.status, text: await answer.text() }
    },
    async post(path: string, form: Record<string, string>, origin = kernel.url) {
      const body = new URLSearchParams(form)
      const sent = { method: 'POST', headers: { ...headers, origin }, body, redirect: 'manual' } as const
      const answer = await fetch(`${kernel.url}${path}`, sent)
      return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') }
    },
  }
}
const field = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''

test('shows unread counts and the thread, marks it as read and posts a reply', async t => {
  const { ada, bob } = await pairOf(people)
  const { id } = await talk(ada, [bob], { subject: 'Plans <b>' })
  await say(ada, id, 'Hello & <script>alert(1)</script>')
  const gone = await say(ada, id, 'Oops')
  expectStatus(204, await ada.delete(at(id, `/messages/${gone.id}`)))
  const browser = browserOf(bob)
  const inbox = await browser.get('/messages')
  t.is(inbox.status, 200)
  t.true(inbox.text.includes(`<a href="/messages/${id}">Plans &lt;b&gt;</a>`))
  t.true(inbox.text.includes('class="unread"'))
  t.true(inbox.text.includes('Ada: This message was deleted.'))
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
  const { data } = expectStatus(200, await ada.get<Listed<Message>>(at(id, '/messages')))
  t.deepEqual(
    data.map(({ body }) => body),
    ['Hello, Ada', null, 'Hello & <script>alert(1)</script>'],
  )
})

test('the list says who takes part and what was written last, in the language of the reader', async t => {
  const { ada, bob } = await pairOf(people)
  const cleo = await people.colleague(ada, MESSENGER, 'Cleo')
  const { id } = await talk(ada, [bob, cleo])
  await say(ada, id, 'See <you>\n  at one')
  const leaving = await talk(ada, [bob, cleo], { subject: 'Leaving' })
  await say(cleo, leaving.id, 'Goodbye')
  const farewell = await talk(cleo, [bob])
  await say(cleo, farewell.id, 'Farewell')
  const { data: members } = expectStatus(200, await ada.get('/v1/identity/members'))
  const { id: memberId } = members.find(({ userId }) => userId === cleo.userId) ?? {}
  const named = await browserOf(bob).get('/messages')
  t.true(named.text.includes(`<a href="/messages/${id}">Ada, Cleo</a>`))
  t.true(named.text.includes('Ada: See &lt;you&gt; at one'))
  t.true(named.text.includes('Cleo: Goodbye'))
  t.true((await browserOf(ada).get('/messages')).text.includes('You: See'))
  expectStatus(204, await ada.delete(`/v1/identity/members/${memberId}`))
  // Who left takes part no more once the event is handled.
  await kernel.settled()
  const german = await browserOf(bob).get('/messages', 'de')
  t.true(german.text.includes('Ehemaliges Mitglied: Goodbye'), 'a name that the reader may no longer read')
  t.true(german.text.includes(`<a href="/messages/${farewell.id}">Ehemaliges Mitglied</a>`))
  t.false(german.text.includes('Cleo'))
})

test('starts a conversation with the selected people, once for repeated submits', async t => {
  const { ada, bob } = await pairOf(people)
  const browser = browserOf(ada)
  t.true((await browser.get('/messages')).text.includes('href="/messages/new"'))
  const blank = await browser.get('/messages/new')
  t.is(blank.status, 200)
  t.true(blank.text.includes(`name="to:${bob.userId}" value="1">`))
  t.false(blank.text.includes(`to:${ada.userId}`), 'the caller is not in the list')
  const form = {
    [`to:${bob.userId}`]: '1',
    subject: 'Lunch',
    body: 'At one?',
    clientMessageId: field(blank.text, 'clientMessageId'),
  }
  const [sent, again] = await Promise.all([browser.post('/messages/new', form), browser.post('/messages/new', form)])
  t.is(sent.status, 303)
  t.regex(sent.location ?? '', /^\/messages\/cnv_\w+#end$/)
  t.is(again.location, sent.location)
  const { data } = expectStatus(200, await bob.get('/v1/messaging/conversations'))
  t.is(data.length, 1)
  t.like(data[0], { subject: 'Lunch', unread: 1, lastSeq: 1 })
})

test('shows errors of a new conversation and keeps text and selection', async t => {
  const { ada, bob } = await pairOf(people)
  const browser = browserOf(ada)
  const outsider = await people.person()
  const empty = await browser.post('/messages/new', { [`to:${bob.userId}`]: '1', subject: 'Hm', body: ' ' })
  t.is(empty.status, 422)
  t.true(empty.text.includes('Enter a message.'))
  t.true(empty.text.includes(`name="to:${bob.userId}" value="1" checked>`))
  t.is(field(empty.text, 'subject'), 'Hm')
  const foreign = await browser.post('/messages/new', { [`to:${outsider.userId}`]: '1', body: 'Hello' })
  t.is(foreign.status, 422)
  t.true(foreign.text.includes('One of these people isn&#x27;t a member of this workspace.'))
  t.false(foreign.text.includes(outsider.email))
  const german = await browser.post('/messages/new?lang=de', { [`to:${outsider.userId}`]: '1', body: 'Hallo' })
  t.true(german.text.includes('Eine dieser Personen ist kein Mitglied dieses Workspace.'))
  const silent = await browser.post('/messages/new?lang=de', { body: ' ' })
  t.true(silent.text.includes('Die Nachricht darf nicht leer sein.'))
  t.is((await browser.post('/messages/new', { 'to:usr_\u0000': '1', body: ' ' })).status, 422)
  t.deepEqual(expectStatus(200, await ada.get('/v1/messaging/conversations')).data, [])
  const reader = await people.colleague(ada, ['tenant.reader'])
  const quiet = browserOf(reader)
  t.false((await quiet.get('/messages')).text.includes('/messages/new'))
  t.is((await quiet.get('/messages/new')).status, 403)
  t.is((await quiet.post('/messages/new', { body: 'Hi' })).status, 403)
  const beginner = await people.colleague(ada, ['tenant.starter'])
  t.is((await browserOf(beginner).post('/messages/new', { body: 'Hi' })).status, 403)
})

test('searches people by name or email and keeps the selection', async t => {
  const { ada, bob } = await pairOf(people)
  const cara = await people.colleague(ada, MESSENGER, 'Cara % Cole')
  const browser = browserOf(ada)
  const form = { find: '1', q: '% c', body: 'Not lost', [`to:${bob.userId}`]: '1' }
  const found = await browser.post('/messages/new', form)
  t.is(found.status, 200)
  t.true(found.text.includes(`name="to:${cara.userId}" value="1">`))
  t.true(found.text.includes(`name="to:${bob.userId}" value="1" checked>`))
  t.true(found.text.includes('Not lost'))
  const nobody = await browser.post('/messages/new', { find: '1', q: 'zebra', body: '' })
  t.true(nobody.text.includes('No members found. Try another name or email.'))
  t.true((await browser.post('/messages/new', { find: '1', q: cara.email, body: '' })).text.includes(cara.userId))
})

test('shows the error for an empty message and keeps the text', async t => {
  const { ada } = await pairOf(people)
  const { id } = await talk(ada, [])
  const browser = browserOf(ada)
  const refused = await browser.post(`/messages/${id}`, { body: ' ' })
  t.is(refused.status, 422)
  t.true(refused.text.includes('role="alert"'))
  const long = await browser.post(`/messages/${id}`, { body: 'x'.repeat(10_001) })
  t.is(long.status, 422)
  t.true(long.text.includes('x'.repeat(10_001)))
})

test('pages through a long thread from its end', async t => {
  const { ada } = await pairOf(people)
  const { id } = await talk(ada, [])
  for (let n = 1; n <= 55; n++) await say(ada, id, `Number ${n}.`)
  const browser = browserOf(ada)
  const newest = await browser.get(`/messages/${id}`)
  t.true(newest.text.includes('Number 55.') && newest.text.includes('Number 6.'))
  t.false(newest.text.includes('Number 5.'))
  t.true(newest.text.includes(`/messages/${id}?before&#x3D;6`))
  const older = await browser.get(`/messages/${id}?before=6`)
  t.true(older.text.includes('Number 1.') && older.text.includes('Number 5.'))
  t.false(older.text.includes('Number 6.'))
  t.is((await browser.get(`/messages/${id}?before=x`)).status, 200)
})

test('hides the thread from others and rejects cross-site forms', async t => {
  const { ada, bob } = await pairOf(people)
  const { id } = await talk(ada, [])
  const other = browserOf(bob)
  t.is((await other.get(`/messages/${id}`)).status, 404)
  t.is((await other.post(`/messages/${id}`, { body: 'Hi' })).status, 404)
  const mine = browserOf(ada)
  t.is((await mine.post(`/messages/${id}`, { body: 'Hi' }, 'https://evil.test')).status, 403)
  const reader = await people.colleague(ada, ['tenant.reader'])
  const theirs = await talk(ada, [reader])
  const quiet = browserOf(reader)
  t.false((await quiet.get(`/messages/${theirs.id}`)).text.includes('<textarea'))
  t.is((await quiet.post(`/messages/${theirs.id}`, { body: 'Hi' })).status, 403)
  t.is((await fetch(`${kernel.url}/messages`, { headers: { accept: 'text/html' }, redirect: 'manual' })).status, 303)
})
