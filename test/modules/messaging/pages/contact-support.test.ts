import test from 'ava'
import { startTestKernel, type TestKernel } from '../../../../testing/index.ts'
import { expectStatus } from '../../../fixtures/people.ts'
import { race } from '../../../fixtures/race.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { at, type Conversation, MESSENGER } from '../fixtures.ts'

const PATH = '/messages/support'
const recipe = (support: 'workspace' | false) => ({
  roles: { 'tenant.reader': { name: 'Reader', permissions: ['messaging.conversation.read'] } },
  modules: { identity: {}, messaging: { support } },
})

const { kernel, ada, mia, reader } = withPeople(
  test,
  { recipe: recipe('workspace') },
  { ada: { name: 'Ada' }, mia: { name: 'Mia', roles: MESSENGER }, reader: { name: 'Rea', roles: ['tenant.reader'] } },
)

function browserOf({ url }: TestKernel, { cookie, tenantId }: { cookie: string; tenantId: string }) {
  const headers = { cookie: `${cookie}; platform_tenant=${tenantId}`, accept: 'text/html', origin: url }
  return async (path: string, form?: Record<string, string>) => {
    const sent = form ? { method: 'POST', body: new URLSearchParams(form) } : {}
    const answer = await fetch(`${url}${path}`, { ...sent, headers, redirect: 'manual' })
    return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') }
  }
}

test.serial('opens one support conversation, also if the form is sent twice, and keeps rejected input', async t => {
  const visit = browserOf(kernel, mia)
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

test.serial('a form that is sent twice at once opens one conversation', async t => {
  const visit = browserOf(kernel, mia)
  const clientMessageId = /name="clientMessageId" value="([^"]*)"/.exec((await visit(PATH)).text)?.[1] ?? ''
  const send = () => visit(PATH, { subject: 'At once', body: 'Please help', clientMessageId })
  const [one, two] = await race(kernel.databaseUrl, 'lock table messaging_conversations in share mode', [send, send])
  t.deepEqual([one?.status, one?.location], [303, two?.location])
})

test.serial('is for members who may start conversations, in products with a support inbox', async t => {
  t.is((await browserOf(kernel, reader)(PATH)).status, 403)
  t.notRegex((await browserOf(kernel, reader)('/messages')).text, /messages\/support/)
  const other = await startTestKernel({ recipe: recipe(false) })
  t.teardown(() => other.stop())
  const eve = await other.register('eve@example.test')
  const visit = browserOf(other, eve)
  t.is((await visit(PATH)).status, 404)
  t.is((await visit(PATH, { body: 'x' })).status, 404)
  t.notRegex((await visit('/messages')).text, /messages\/support/)
})
