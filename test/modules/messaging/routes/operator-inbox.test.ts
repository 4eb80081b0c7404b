/** The inbox of the operator's team, which answers the support conversations of every workspace. */

import test from 'ava'
import type { Client } from '../../../../testing/index.ts'
import type { InboxConversation } from '../../../fixtures/api-types.ts'
import { codeOf, expectStatus, type Listed } from '../../../fixtures/people.ts'
import { join } from '../../../fixtures/topics.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { at, type Conversation, errorsOf, MESSENGER, type Message, say, talk } from '../fixtures.ts'

const INBOX = '/v1/messaging/inbox'
const recipe = {
  roles: {
    'tenant.support': { name: 'Support', permissions: ['support.*'] },
    'tenant.viewer': { name: 'Viewer', permissions: ['support.inbox.read'] },
  },
  plans: { free: { name: 'Free', price: 0 } },
  modules: { identity: {}, billing: {}, comms: { transport: 'mailbox' }, messaging: {} },
}

/** `sam`, `viewer` and `nora` are of the operator's team, and the others are customers: `cleo` and `eve` own workspaces. */
const { kernel, people, admin, cleo, eve, sam, viewer, nora, mia } = withPeople(
  test,
  { recipe, alone: true },
  {
    admin: 'operator',
    cleo: { name: 'Cleo' },
    eve: { name: 'Eve' },
    sam: { name: 'Sam', roles: ['tenant.support'], of: 'admin' },
    viewer: { name: 'Vic', roles: ['tenant.viewer'], of: 'admin' },
    nora: { name: 'Nora', roles: MESSENGER, of: 'admin' },
    mia: { name: 'Mia', roles: MESSENGER, of: 'cleo' },
  },
)

async function ask(who: Client, body = 'Help', subject: string | null = null): Promise<Conversation> {
  const conversation = await talk(who, [], { kind: 'support', subject })
  await say(who, conversation.id, body)
  return conversation
}
const list = async (who: Client, query = '') =>
  expectStatus(200, await who.get<Listed<InboxConversation>>(`${INBOX}${query}`)).data
const get = async (who: Client, id: string) => expectStatus(200, await who.get(`${INBOX}/${id}`))
const patch = (who: Client, id: string, body: object) => who.patch(`${INBOX}/${id}`, body)
const answer = (who: Client, id: string, body: string, more: object = {}) =>
  who.post(`${INBOX}/${id}/messages`, { body, ...more })
const routesOf = (id: string) =>
  [
    ['GET', INBOX, undefined],
    ['GET', `${INBOX}/assignees`, undefined],
    ['GET', `${INBOX}/${id}`, undefined],
    ['PATCH', `${INBOX}/${id}`, { status: 'resolved' }],
    ['GET', `${INBOX}/${id}/messages`, undefined],
    ['POST', `${INBOX}/${id}/messages`, { body: 'x' }],
    ['GET', `${INBOX}/${id}/attachments/med_a`, undefined],
  ] as const

interface Mail {
  readonly subject: string
  readonly text: string
}
async function storedMailsTo({ email }: { email: string }): Promise<Mail[]> {
  const { body } = await kernel.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(email)}`)
  return Promise.all(
    body.data.reverse().map(async ({ id, subject }) => {
      const mail = await kernel.get(`/v1/communications/mailbox/${id}`)
      return { subject, text: mail.body.text }
    }),
  )
}
async function mailsTo(who: { email: string }): Promise<Mail[]> {
  await kernel.settled()
  return storedMailsTo(who)
}

test.serial("a request arrives in the operator's inbox, with the person, the workspace and its plan", async t => {
  const { id } = await ask(mia, 'I was charged twice', 'Invoice')
  for (const who of [sam, viewer]) {
    t.like(
      (await list(who)).find(row => row.id === id),
      {
        subject: 'Invoice',
        waiting: true,
        requester: { userId: mia.userId, name: 'Mia', email: mia.email },
        workspace: { id: cleo.tenantId, planKey: 'free', suspendedAt: null },
      },
    )
    t.is((await get(who, id)).workspace?.id, cleo.tenantId)
  }
  const { data } = expectStatus(200, await sam.get(`${INBOX}/${id}/messages`))
  t.deepEqual(
    data.map(({ body }) => body),
    ['I was charged twice'],
  )
})

test.serial('only the person who asked sees the request in their workspace, and nobody in another one', async t => {
  const { id } = await ask(mia)
  const colleague = await people.colleague(cleo, ['tenant.messenger'], 'Leo')
  t.is((await mia.get(at(id))).status, 200)
  for (const who of [cleo, colleague, eve]) {
    t.is(codeOf(await who.get(at(id))), '404 not_found')
    t.is(codeOf(await who.get(at(id, '/messages'))), '404 not_found')
    t.is(codeOf(await who.post(at(id, '/messages'), { body: 'x' })), '404 not_found')
  }
})

test.serial('the workspace of a customer has no inbox, not even for its owner or a member of the team', async t => {
  const { id } = await ask(mia)
  const invitation = { email: sam.email, roles: ['tenant.support'], sendEmail: false }
  const { link } = expectStatus(201, await eve.post<{ link: string }>('/v1/identity/members/invite', invitation))
  const token = new URL(link).searchParams.get('token')
  expectStatus(200, await kernel.as(sam.token).post('/v1/identity/invitations/accept', { token }))
  const samAtEve = kernel.as(sam.token, eve.tenantId)
  for (const [method, path, body] of routesOf(id))
    for (const who of [cleo, eve, samAtEve])
      t.is(codeOf(await who.call(method, path, body)), '403 no_support_inbox', `${method} ${path}`)
  t.is((await sam.get(`${INBOX}/${id}`)).status, 200)
  for (const who of [
    { token: cleo.token, tenantId: cleo.tenantId },
    { token: sam.token, tenantId: eve.tenantId },
  ]) {
    const client = await join(kernel.url, who)
    t.is((await client.subscribe('messaging.inbox', {})).type, 'error')
    client.cut()
  }
})

test.serial("members of the operator's workspace need the permission", async t => {
  const { id } = await ask(mia)
  for (const [method, path, body] of routesOf(id)) {
    t.is(codeOf(await nora.call(method, path, body)), '403 forbidden', path)
    if (method !== 'GET') t.is(codeOf(await viewer.call(method, path, body)), '403 forbidden', path)
  }
  t.is((await get(viewer, id)).status, 'open')
})

test.serial('a private conversation of a customer is never in the inbox', async t => {
  const secret = await talk(cleo, [mia], { subject: 'Secret' })
  await say(cleo, secret.id, 'a secret')
  for (const who of [sam, admin]) {
    t.false((await list(who)).some(({ id }) => id === secret.id))
    t.deepEqual(await list(who, '?q=secret'), [])
    for (const [method, path, body] of routesOf(secret.id).slice(2))
      t.is(codeOf(await who.call(method, path, body)), '404 not_found', `${method} ${path}`)
  }
})

test.serial('answers arrive in the conversation and by mail, and the reply in the inbox and by mail', async t => {
  const client = await join(kernel.url, sam)
  t.is((await client.subscribe('messaging.inbox', {})).type, 'subscribed')
  const { id } = await ask(mia, 'Which way does it turn?', 'The handle')
  t.like((await client.next('message')).data.message, { conversationId: id })
  const [request] = (await mailsTo(sam)).filter(({ subject }) => subject.includes('The handle'))
  t.regex(request?.text ?? '', /Mia from [\s\S]*Which way does it turn\?/)
  expectStatus(201, await answer(sam, id, 'Clockwise.'))
  const { data } = expectStatus(200, await mia.get<Listed<Message>>(at(id, '/messages')))
  t.like(data[0], { body: 'Clockwise.', senderId: sam.userId })
  t.is(expectStatus(200, await mia.get<Conversation>(at(id))).unread, 1)
  const [sent] = (await mailsTo(mia)).slice(-1)
  t.is(sent?.subject, 'Re: The handle')
  t.regex(sent?.text ?? '', /Sam answered you[\s\S]*Clockwise\./)
  expectStatus(200, await patch(sam, id, { status: 'resolved' }))
  await say(mia, id, 'It is stuck.')
  t.like(await get(sam, id), { status: 'open', waiting: true })
  await say(mia, id, 'Please hurry.')
  const requests = (await mailsTo(sam)).filter(({ subject }) => subject.includes('The handle'))
  t.is(requests.length, 2)
  t.regex(requests[1]?.text ?? '', /It is stuck\./)
  client.cut()
})

test.serial(
  'a request that was resolved without an answer is mailed to the team when the person writes again',
  async t => {
    const { id } = await ask(mia, 'The lid is loose', 'The lid')
    t.is((await mailsTo(sam)).filter(({ subject }) => subject.includes('The lid')).length, 1)
    expectStatus(200, await patch(sam, id, { status: 'resolved' }))
    await say(mia, id, 'It is still loose')
    const requests = (await mailsTo(sam)).filter(({ subject }) => subject.includes('The lid'))
    t.is(requests.length, 2)
    t.regex(requests[1]?.text ?? '', /It is still loose/)
  },
)

test.serial('an answer with an Idempotency-Key is stored once', async t => {
  const { id } = await ask(mia)
  const repeat = () => sam.post(`${INBOX}/${id}/messages`, { body: 'Once' }, { headers: { 'idempotency-key': id } })
  const [first, again] = [await repeat(), await repeat()]
  t.deepEqual([first.status, again.status], [201, 201])
  t.is(again.body.id, first.body.id)
  const { data } = expectStatus(200, await mia.get<Listed<Message>>(at(id, '/messages')))
  t.is(data.filter(({ body }) => body === 'Once').length, 1)
})

test.serial('a request that is assigned is mailed to the assignee alone', async t => {
  const tom = await people.colleague(admin, ['tenant.support'], 'Tom')
  const { id } = await ask(mia, 'First', 'For Tom')
  expectStatus(200, await patch(sam, id, { assigneeId: tom.userId }))
  expectStatus(201, await answer(sam, id, 'Tom will answer.'))
  await say(mia, id, 'Thank you')
  const of = async (who: { email: string }) =>
    (await mailsTo(who)).filter(({ subject }) => subject.includes('For Tom')).length
  t.deepEqual([await of(sam), await of(tom)], [1, 2])
})

test.serial('conversations are assigned to the team only, and lose an assignee who leaves it', async t => {
  const uma = await people.colleague(admin, ['tenant.support'], 'Uma')
  const { id } = await ask(mia)
  for (const { userId } of [cleo, mia])
    t.is(errorsOf(await patch(sam, id, { assigneeId: userId })), '422 /assigneeId not_allowed')
  t.is(expectStatus(200, await patch(sam, id, { assigneeId: uma.userId })).assignee?.name, 'Uma')
  t.deepEqual(
    (await list(uma, '?filter[assignee]=me')).map(row => row.id),
    [id],
  )
  const { data } = expectStatus(200, await admin.get('/v1/identity/members?limit=200'))
  const member = data.find(({ userId }) => userId === uma.userId)
  expectStatus(204, await admin.delete(`/v1/identity/members/${member?.id}`))
  await kernel.settled()
  t.is((await get(sam, id)).assigneeId, null)
})

test.serial('a search finds words, people and workspaces of every customer', async t => {
  const other = await ask(eve, 'A question about exports')
  const mine = await ask(mia, 'Something else')
  expectStatus(200, await eve.patch(`/v1/identity/tenants/${eve.tenantId}`, { name: 'Evergreen Ltd' }))
  const idsOf = async (words: string) => (await list(sam, `?q=${encodeURIComponent(words)}`)).map(({ id }) => id)
  t.deepEqual(await idsOf('about exports'), [other.id])
  t.true((await idsOf('evergreen')).includes(other.id))
  t.false((await idsOf('evergreen')).includes(mine.id))
  t.true((await idsOf(mia.email)).includes(mine.id))
  t.deepEqual(await idsOf('nobody at all'), [])
})

test.serial('the pages of the conversation name who answered', async t => {
  const { id } = await ask(mia, 'Hello', 'Names')
  expectStatus(201, await answer(sam, id, 'Hello to you'))
  const headers = { cookie: `${mia.cookie}; platform_tenant=${mia.tenantId}`, accept: 'text/html' }
  const page = await (await fetch(`${kernel.url}/messages/${id}`, { headers })).text()
  t.regex(page, /Hello to you/)
  t.regex(page, />\s*Sam/)
  t.notRegex(page, /Former member/)
  t.false(page.includes(sam.email))
  t.regex(await (await fetch(`${kernel.url}/messages`, { headers })).text(), /Contact support/)
})

test.serial('an answer has no files of the team, and repeats with its clientMessageId', async t => {
  const { id } = await ask(mia)
  t.is(errorsOf(await answer(sam, id, 'x', { attachments: ['med_a'] })), '422 /attachments not_allowed')
  const [first, second] = [
    await answer(sam, id, 'Once', { clientMessageId: 'a' }),
    await answer(sam, id, 'Once', { clientMessageId: 'a' }),
  ]
  t.deepEqual([first.status, second.status], [201, 200])
  t.is(codeOf(await answer(sam, id, 'Other', { clientMessageId: 'a' })), '409 client_message_id_taken')
})

test.serial('twelve answers at a time are numbered without gaps', async t => {
  const { id } = await ask(mia)
  await Promise.all(Array.from({ length: 12 }, (_, n) => answer(sam, id, `Answer ${n}`)))
  const { data } = expectStatus(200, await mia.get<Listed<Message>>(at(id, '/messages?limit=50&sort=seq')))
  t.deepEqual(
    data.map(({ seq }) => seq),
    Array.from({ length: 13 }, (_, n) => n + 1),
  )
})

test.serial('a suspended workspace keeps its conversations, and gets the answer when it is resumed', async t => {
  const ivy = await people.person('Ivy')
  const { id } = await ask(ivy, 'Am I suspended?', 'Suspended')
  const admins = `/v1/identity/admin/tenants/${ivy.tenantId}`
  expectStatus(200, await admin.post(`${admins}/suspend`, { reason: 'Unpaid invoices' }))
  t.is(codeOf(await ivy.get(at(id))), '403 tenant_suspended')
  t.is(codeOf(await ivy.post(at(id, '/messages'), { body: 'x' })), '403 tenant_suspended')
  t.truthy((await get(sam, id)).workspace?.suspendedAt)
  expectStatus(201, await answer(sam, id, 'Please pay.'))
  const isAnswer = ({ subject }: Mail) => subject === 'Re: Suspended'
  t.deepEqual((await storedMailsTo(ivy)).filter(isAnswer), [])
  expectStatus(200, await admin.post(`${admins}/resume`, { reason: 'They paid' }))
  t.is((await mailsTo(ivy)).filter(isAnswer).length, 1)
})

test.serial('the conversations of a deleted workspace leave the inbox', async t => {
  const zoe = await people.person('Zoe')
  const { id } = await ask(zoe)
  expectStatus(204, await zoe.delete(`/v1/identity/tenants/${zoe.tenantId}`))
  await kernel.settled()
  t.false((await list(sam)).some(row => row.id === id))
  for (const [method, path, body] of routesOf(id).slice(2))
    t.is(codeOf(await sam.call(method, path, body)), '404 not_found', path)
})
