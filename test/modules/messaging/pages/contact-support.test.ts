import anyTest, { type TestFn } from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { type Colleague, expectStatus } from '../../../fixtures/people.ts'
import { at, type Conversation, createFixture, type Fixture } from '../fixtures.ts'

interface Context {
  fixture: Fixture
  ada: Person
  mia: Colleague
  reader: Colleague
}
const test = anyTest as TestFn<Context>
const PATH = '/messages/support'
const recipe = (support: 'workspace' | false) => ({
  roles: { 'tenant.reader': { name: 'Reader', permissions: ['messaging.conversation.read'] } },
  modules: { identity: {}, messaging: { support } },
})

test.before(async t => {
  const fixture = await createFixture({ recipe: recipe('workspace') })
  const ada = await fixture.person('Ada')
  t.context = {
    fixture,
    ada,
    mia: await fixture.colleague(ada, undefined, 'Mia'),
    reader: await fixture.colleague(ada, ['tenant.reader'], 'Rea'),
  }
})
test.after.always(t => t.context.fixture?.stop())

function browserOf({ kernel: { url } }: Fixture, { cookie, tenantId }: { cookie: string; tenantId: string }) {
  const headers = { cookie: `${cookie}; platform_tenant=${tenantId}`, accept: 'text/html', origin: url }
  return async (path: string, form?: Record<string, string>) => {
    const sent = form ? { method: 'POST', body: new URLSearchParams(form) } : {}
    const answer = await fetch(`${url}${path}`, { ...sent, headers, redirect: 'manual' })
    return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') }
  }
}

test.serial('opens one support conversation, also if the form is sent twice, and keeps rejected input', async t => {
  const { fixture, mia, ada } = t.context
  const visit = browserOf(fixture, mia)
  t.regex((await visit('/messages')).text, /href="\/messages\/support"/)
  const { text, status } = await visit(PATH)
  t.is(status, 200)
  const clientMessageId = /name="clientMessageId" value="([^"]*)"/.exec(text)?.[1] ?? ''
  const rejected = await visit(PATH, { subject: 'My <b>', body: ' ', clientMessageId })
  t.is(rejected.status, 422)
  t.regex(rejected.text, /value="My &lt;b&gt;"/)
  const form = { subject: 'Invoice', body: 'Please help', clientMessageId }
  const [one, two] = [await visit(PATH, form), await visit(PATH, form)]
  t.is(one.status, 303)
  t.is(one.location, two.location)
  const id = one.location?.split(/[/#]/)[2] ?? ''
  t.like((await mia.get<Conversation>(at(id))).body, { kind: 'support', participantIds: [mia.userId] })
  const { data } = expectStatus(200, await ada.get('/v1/messaging/inbox'))
  t.deepEqual(
    data.map(row => row.id),
    [id],
  )
  expectStatus(201, await ada.post(`/v1/messaging/inbox/${id}/messages`, { body: 'Gladly' }))
  const thread = (await visit(`/messages/${id}`)).text
  t.regex(thread, /<b[^>]*>Ada<\/b>/)
  t.notRegex(thread, /Snooze/)
})

test.serial('is for members who may start conversations, in products with a support inbox', async t => {
  const { fixture, reader } = t.context
  t.is((await browserOf(fixture, reader)(PATH)).status, 403)
  t.notRegex((await browserOf(fixture, reader)('/messages')).text, /messages\/support/)
  const other = await createFixture({ recipe: recipe(false) })
  t.teardown(() => other.stop())
  const eve = await other.person('Eve')
  const visit = browserOf(other, eve)
  t.is((await visit(PATH)).status, 404)
  t.is((await visit(PATH, { body: 'x' })).status, 404)
  t.notRegex((await visit('/messages')).text, /messages\/support/)
})
