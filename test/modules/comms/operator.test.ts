/** Emails of every workspace, for operators. */

import test from 'ava'
import type { Client, Person } from '../../../testing/index.ts'
import type { Email } from '../../fixtures/api-types.ts'
import { codeOf } from '../../fixtures/people.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { withPeople } from '../../fixtures/with-people.ts'

const AT = '/v1/communications/admin/messages'
const REASON = { reason: 'Lost at the customer' }

let count = 0

const { kernel, people, operator, ada } = withPeople(
  test,
  { recipe: { modules: { identity: {}, comms: {} } }, alone: true },
  { operator: 'operator', ada: 'owner' },
)

/** Sends an email from the workspace, and waits until a server has accepted it. */
async function sent(person: Person): Promise<Email> {
  const to = `lost-${++count}@example.test`
  const { body } = await person.post('/v1/communications/messages', { templateKey: 'comms.test', to, data: {} })
  return isSent(body.id)
}
async function isSent(id: string): Promise<Email> {
  const read = async () => (await operator.get(`${AT}/${id}`)).body
  await waitFor(async () => (await read()).status === 'sent')
  return read()
}
const setStatus = (id: string, status: string) =>
  kernel.kernel.ports.systemDatabase
    .acrossTenants('a test changes the state of a message')
    .query('update comms_messages set status = $2 where id = $1', [id, status])
const resend = (client: Client, id: string, body: object = REASON) => client.post(`${AT}/${id}/resend`, body)

test('an operator finds the email of any workspace by its recipient', async t => {
  const bob = await people.person()
  const [one, two] = [await sent(ada), await sent(bob)]
  const find = async (query: string) => (await operator.get(`${AT}?${query}`)).body.data
  t.like(await find(`filter[to]=${one.to.toUpperCase()}`), [{ id: one.id, tenantId: ada.tenantId }])
  t.true((await find(`filter[tenantId]=${bob.tenantId}`)).every(({ tenantId }) => tenantId === bob.tenantId))
  t.true((await find('filter[status]=sent')).some(({ id }) => id === two.id))
  t.deepEqual(await find("filter[to]=%25'--"), [])
  t.is((await operator.get(`${AT}?filter[tenantId]=x`)).status, 422)
  t.is((await operator.get(`${AT}?filter[status]=lost`)).status, 422)
  t.is((await operator.get(`${AT}?to=x`)).status, 400)
})

test('pages lead through all emails', async t => {
  await sent(ada)
  await sent(ada)
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { body } = await operator.get(`${AT}?limit=1&filter[tenantId]=${ada.tenantId}${query}`)
    seen.push(...body.data.map(({ id }) => id))
    cursor = body.nextCursor
  }
  t.is(new Set(seen).size, seen.length)
  t.true(seen.length >= 2)
})

test('an operator sends an accepted email again, which both audit logs show with the reason', async t => {
  const { id, to } = await sent(ada)
  const { status, body } = await resend(operator, id)
  t.is(status, 202)
  t.like(body, { id, status: 'queued', tenantId: ada.tenantId })
  const again = await isSent(id)
  t.deepEqual(
    again.events.filter(({ type }) => type === 'queued').map(({ detail }) => detail),
    [undefined, 'resent by an operator'],
  )
  for (const client of [ada, operator]) {
    const log = await client.get('/v1/identity/audit?filter[action]=email.resent')
    t.like(
      log.body.data.find(({ subject }) => subject === id),
      { details: { ...REASON, to, tenantId: ada.tenantId } },
    )
  }
})

test('a message is sent again once for concurrent requests', async t => {
  const { id } = await sent(ada)
  await setStatus(id, 'failed')
  const answers = await Promise.all([1, 2, 3, 4].map(() => resend(operator, id)))
  t.true(answers.every(({ status }) => status === 202 || status === 409))
  const { events } = (await operator.get(`${AT}/${id}`)).body
  t.is(
    events.filter(({ detail }) => detail === 'resent by an operator').length,
    answers.filter(({ status }) => status === 202).length,
  )
})

test('a repeated request with its key sends a message again once', async t => {
  const { id } = await sent(ada)
  const resendOnce = () =>
    operator.post(`${AT}/${id}/resend`, REASON, { headers: { 'idempotency-key': `again ${id}` } })
  t.is((await resendOnce()).status, 202)
  await isSent(id)
  const answers = await Promise.all([resendOnce(), resendOnce()])
  t.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get('idempotent-replayed')]),
    [
      [202, 'true'],
      [202, 'true'],
    ],
  )
  const { events } = (await operator.get(`${AT}/${id}`)).body
  t.is(events.filter(({ detail }) => detail === 'resent by an operator').length, 1)
})

test('refuses emails in progress, emails reported as spam, and suppressed recipients', async t => {
  const { id, to } = await sent(ada)
  for (const status of ['queued', 'sending', 'complained']) {
    await setStatus(id, status)
    t.is(codeOf(await resend(operator, id)), '409 message_not_retryable', status)
  }
  await setStatus(id, 'sent')
  await ada.post('/v1/communications/suppression', { email: to })
  t.is(codeOf(await resend(operator, id)), '409 still_suppressed')
})

test('checks the reason and the id', async t => {
  const { id } = await sent(ada)
  for (const body of [
    {},
    { reason: '' },
    { reason: '  ' },
    { reason: 7 },
    { reason: 'x'.repeat(501) },
    { ...REASON, to: 'x' },
  ])
    t.is((await resend(operator, id, body)).status, 422, JSON.stringify(body).slice(0, 40))
  for (const unknown of ['msg_0', 'x', "'--", '%25'])
    for (const answer of [await operator.get(`${AT}/${unknown}`), await resend(operator, unknown)])
      t.is(answer.status, 404, unknown)
  t.is((await operator.get(`${AT}/%00`)).status, 422)
})

test('refuses members of a workspace', async t => {
  const { id } = await sent(ada)
  for (const answer of [await ada.get(AT), await ada.get(`${AT}/${id}`), await resend(ada, id)])
    t.is(codeOf(answer as never), '403 forbidden')
  t.is((await fetch(new URL(AT, kernel.url))).status, 401)
})
