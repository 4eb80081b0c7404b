/** An operator suspends a customer of a product of people and reinstates them. */
import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { codeOf, expectStatus, type Listed, newEmail } from '../../../fixtures/people.ts'
import { dial, join } from '../../../fixtures/topics.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { ended, send } from '../../collections/imports/fixtures.ts'
import { fieldErrors, tokenOf } from '../fixtures.ts'

const ofMember = () => ({ 'tenant.customer': { owner: '$member' } })
const recipe = {
  product: { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080', audience: 'people' },
  locales: { default: 'en', available: ['en', 'de'] },
  modules: {
    identity: { impersonation: true, signIn: { emailLink: {} }, contact: 'help@example.test' },
    comms: {},
    platform: {},
    console: {},
    collections: {},
    automations: {},
  },
  roles: {
    'tenant.desk': { name: 'Desk', permissions: ['identity.member.read'] },
    'platform.desk': { name: 'Desk of the platform', scope: 'platform', permissions: ['identity.customer.suspend'] },
  },
  collections: {
    requests: {
      fields: { title: { type: 'text', required: true }, owner: { type: 'member', default: '$member' } },
      access: {
        read: { ...ofMember(), signedIn: { title: 'for everybody' } },
        create: ofMember(),
        update: ofMember(),
      },
    },
  },
  automations: {
    waiting: {
      on: 'collections.requests.created',
      when: { 'row.title': 'waits' },
      steps: [{ wait: '1h' }, { 'collections.update': { row: '$row', set: { title: 'done' } } }],
    },
  },
}
const { kernel, people, operator } = withPeople(test, { recipe }, { operator: 'operator' })

const reason = 'Unpaid invoices'
const memberOf = async (person: { get: Person['get'] }): Promise<string> => {
  const { memberships } = expectStatus(200, await person.get('/v1/auth/me'))
  return memberships[0]?.id as string
}
const change = (
  how: 'suspend' | 'reinstate',
  id: string,
  body: object = { reason },
  by: Pick<Person, 'post'> = operator,
) => by.post(`/v1/identity/customers/${id}/${how}` as never, body as never) as ReturnType<Person['post']>
/** A customer, with the ID of their membership. */
async function customer(name?: string): Promise<Person & { readonly memberId: string }> {
  const person = await people.person(name)
  return Object.assign(person, { memberId: await memberOf(person) })
}
async function suspended(name?: string) {
  const person = await customer(name)
  expectStatus(200, await change('suspend', person.memberId))
  return person
}
const eventsOf = async (type: string, subject: string) => {
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test reads events')
    .query<{ payload: object }>('select payload from larder_events where type = $1 and subject = $2', [type, subject])
  return rows.map(({ payload }) => payload)
}
const auditOf = async (memberId: string) =>
  expectStatus(200, await operator.get('/v1/identity/audit?limit=100')).data.filter(
    ({ action, subject }) => subject === memberId && action.startsWith('customer.'),
  )
const pageOf = async ({ cookie }: Pick<Person, 'cookie'>, path: string, language = 'en') => {
  const response = await fetch(kernel.url + path, {
    headers: { cookie, accept: 'text/html', 'accept-language': language },
    redirect: 'manual',
  })
  return { status: response.status, html: (await response.text()).replaceAll('&#x27;', "'").replaceAll('&#39;', "'") }
}
const ROWS = '/v1/data/requests'

test('a suspended customer is refused with every credential, from the next request on', async t => {
  const ada = await customer()
  const clients = [
    ada,
    kernel.as(ada.token, operator.tenantId),
    kernel.as(ada.apiKey),
    kernel.with({ cookie: ada.cookie }),
  ]
  for (const client of clients) t.is((await client.get(ROWS)).status, 200)
  t.like(expectStatus(200, await change('suspend', ada.memberId)), { id: ada.memberId, suspensionReason: reason })
  for (const client of clients) {
    t.is(codeOf(await client.get(ROWS)), '403 customer_suspended')
    t.is(codeOf(await client.post(ROWS, { title: 'a' })), '403 customer_suspended')
  }
  const reinstated = expectStatus(200, await change('reinstate', ada.memberId, { reason: 'Paid' }))
  t.like(reinstated, { suspendedAt: null, suspensionReason: null })
  for (const client of clients) t.is((await client.get(ROWS)).status, 200)
})

test('a suspended customer reads no rows that are open to everybody with an account', async t => {
  const [ada, bob] = [await customer(), await customer()]
  expectStatus(201, await ada.post(ROWS, { title: 'for everybody' }))
  t.is(expectStatus(200, await bob.get<Listed<object>>(ROWS)).data.length, 1)
  expectStatus(200, await change('suspend', bob.memberId))
  t.is(codeOf(await bob.get(ROWS)), '403 customer_suspended')
  t.is((await ada.get(ROWS)).status, 200)
})

test('a suspended customer signs in, exports their data and deletes their account', async t => {
  const ada = await suspended()
  const { email, password } = ada
  const { token } = expectStatus(200, await kernel.post<{ token: string }>('/v1/auth/login', { email, password }))
  const client = kernel.as(token)
  t.is((await client.get('/v1/auth/me')).status, 200)
  t.true((await client.get('/v1/auth/me/export')).status < 300)
  t.is(codeOf(await client.get(ROWS)), '403 customer_suspended')
  t.is((await client.post('/v1/auth/me/delete', { password })).status, 204)
})

test('each page says that the customer is suspended, why, and whom they write to', async t => {
  const ada = await suspended()
  for (const path of ['/', '/account', '/account/data', '/workspace/members', '/nowhere']) {
    const { html } = await pageOf(ada, path)
    t.regex(html, /Your account is suspended\./, path)
    t.true(html.includes('Reason: Unpaid invoices'), path)
    t.true(html.includes('mailto:help@example.test'), path)
  }
  const german = await pageOf(ada, '/account', 'de')
  t.regex(german.html, /Ihr Konto ist gesperrt\./)
  t.true(german.html.includes('Grund: Unpaid invoices'))
  const { html } = await pageOf(await customer(), '/account')
  t.notRegex(html, /suspended/)
})

test('the console of a suspended customer opens in the workspace of the product', async t => {
  const ada = await suspended()
  t.is((await pageOf(ada, '/console')).status, 302)
  const { slug } = expectStatus(200, await operator.get(`/v1/identity/tenants/${operator.tenantId}`))
  const { status, html } = await pageOf(ada, `/console/${slug}/`)
  t.is(status, 200)
  t.true(html.includes(operator.tenantId))
})

test('sockets of a suspended customer close, and new ones are refused', async t => {
  const ada = await customer()
  const socket = await join(kernel.url, ada)
  expectStatus(200, await change('suspend', ada.memberId))
  t.is((await socket.closed).code, 4403)
  const late = await dial(kernel.url)
  const answer = await late.request('hello', { tenantId: operator.tenantId, token: ada.token })
  t.is(answer.data.code, 'customer_suspended')
  await late.closed
})

test('an import of a suspended customer ends', async t => {
  const ada = await customer()
  const lines = Array.from({ length: 5000 }, (_, n) => `R${n}`)
  const sent = await send({ url: kernel.url, token: ada.token }, 'requests/imports', `title\n${lines.join('\n')}`)
  t.is(sent.status, 202, JSON.stringify(sent.body))
  expectStatus(200, await change('suspend', ada.memberId))
  const staff = await people.colleague(operator, ['tenant.owner'])
  t.like(await ended(staff, 'requests', sent.body.id), { state: 'canceled', failure: { code: 'rights_changed' } })
})

test('an automation that a suspended customer caused fails at its next step', async t => {
  const ada = await customer()
  const row = expectStatus(201, await ada.post<{ id: string }>(ROWS, { title: 'waits' }))
  const runs = async () => {
    const { data } = expectStatus(200, await operator.get<Listed<Run>>('/v1/automations/runs?limit=100'))
    return data.filter(({ rowId }) => rowId === row.id)
  }
  await waitFor(runs, ([run]) => run?.state === 'waiting')
  expectStatus(200, await change('suspend', ada.memberId))
  const unit = kernel.kernel.ports.systemDatabase.acrossTenants('a test ends the wait of a run')
  await unit.query('update automations_runs set wakes_at = now() where finished_at is null')
  await unit.query(`update larder_jobs set run_at = now() where name = 'automations.run' and state = 'waiting'`)
  const [run] = await waitFor(runs, ([found]) => found?.state !== 'waiting')
  t.like(run, { state: 'failed', error: { code: 'customer_suspended' } })
})
interface Run {
  readonly state: string
  readonly rowId: string | null
  readonly error: { readonly code: string } | null
}

test('the audit log and an event name the reason', async t => {
  const ada = await suspended()
  expectStatus(200, await change('reinstate', ada.memberId, { reason: 'Paid' }))
  t.like(await auditOf(ada.memberId), [
    { action: 'customer.reinstated', details: { reason: 'Paid', userId: ada.userId } },
    { action: 'customer.suspended', details: { reason, userId: ada.userId } },
  ])
  const person = { memberId: ada.memberId, userId: ada.userId }
  t.deepEqual(await eventsOf('identity.customer.suspended', ada.memberId), [{ ...person, reason }])
  t.deepEqual(await eventsOf('identity.customer.reinstated', ada.memberId), [{ ...person, reason: 'Paid' }])
})

test('the customer gets an email about each change, in their language', async t => {
  const ada = await kernel.register(newEmail('ada'), { locale: 'de' })
  const memberId = await memberOf(ada)
  const subjects = async () => {
    const path = `/v1/communications/mailbox?filter[to]=${encodeURIComponent(ada.email)}`
    const { data } = expectStatus(200, await kernel.get<Listed<{ subject: string }>>(path as never))
    return data.map(({ subject }) => subject).filter(subject => /Ihr Konto/.test(subject))
  }
  expectStatus(200, await change('suspend', memberId))
  t.deepEqual(await waitFor(subjects, found => found.length === 1), ['Ihr Konto wurde gesperrt'])
  expectStatus(200, await change('reinstate', memberId))
  t.is((await waitFor(subjects, found => found.length === 2))[0], 'Ihr Konto wurde wieder freigegeben')
})

test('repeated and concurrent calls take effect once', async t => {
  const ada = await customer()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => change('suspend', ada.memberId, { reason: `Reason ${n}` })),
  )
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  t.is(new Set(answers.map(({ body }) => (body as { suspensionReason: string }).suspensionReason)).size, 1)
  t.is((await change('suspend', ada.memberId)).status, 200)
  await Promise.all([1, 2, 3].map(() => change('reinstate', ada.memberId)))
  t.is((await change('reinstate', ada.memberId)).status, 200)
  t.is((await auditOf(ada.memberId)).length, 2)
  t.is((await eventsOf('identity.customer.suspended', ada.memberId)).length, 1)
})

test('nobody suspends the owner, themselves or other staff', async t => {
  const desk = await people.colleague(operator, ['tenant.desk', 'platform.desk'])
  const member = await people.colleague(operator, ['tenant.desk'])
  for (const person of [operator, desk, member])
    t.is(codeOf(await change('suspend', await memberOf(person), { reason }, desk)), '409 not_a_customer')
  t.is((await operator.get('/v1/identity/members')).status, 200)
})

test('requires a reason, a customer and the permission', async t => {
  const [ada, bob] = [await customer(), await customer()]
  const member = await people.colleague(operator, ['tenant.owner'])
  const desk = await people.colleague(operator, ['tenant.desk', 'platform.desk'])
  for (const how of ['suspend', 'reinstate'] as const) {
    t.deepEqual(fieldErrors(await change(how, ada.memberId, {})), ['/reason required'])
    t.is(codeOf(await change(how, ada.memberId, { reason: ' ' })), '422 validation_failed')
    t.is(codeOf(await change(how, ada.memberId, { reason: 1 })), '422 validation_failed')
    t.is(codeOf(await change(how, ada.memberId, { reason, until: 'x' })), '422 validation_failed')
    t.is(codeOf(await change(how, ada.memberId, { reason }, bob)), '403 forbidden')
    t.is(codeOf(await change(how, ada.memberId, { reason }, member)), '403 forbidden')
    t.is(codeOf(await change(how, ada.memberId, { reason }, kernel)), '401 unauthenticated')
    t.is(codeOf(await change(how, 'mem_00000000000000000000000000')), '404 not_found')
    t.is(codeOf(await change(how, 'x')), '404 not_found')
    t.is((await change(how, ada.memberId, { reason }, desk)).status, 200)
  }
})

test('a suspended customer joins the staff only once they are reinstated', async t => {
  const ada = await customer()
  const invitation = { email: ada.email, roles: ['tenant.desk'], sendEmail: false }
  const { link } = expectStatus(201, await operator.post<{ link: string }>('/v1/identity/members/invite', invitation))
  expectStatus(200, await change('suspend', ada.memberId))
  const accept = () => ada.post('/v1/identity/invitations/accept', { token: tokenOf(link) })
  t.is(codeOf(await accept()), '403 customer_suspended')
  const roles = ['tenant.customer', 'tenant.desk']
  const promoted = await operator.patch(`/v1/identity/members/${ada.memberId}`, { roles })
  t.is(codeOf(promoted), '409 suspended_customer')
  expectStatus(200, await change('reinstate', ada.memberId))
  t.is((await accept()).status, 200)
})

test('a role and a suspension at the same time leave no suspended staff', async t => {
  const roles = ['tenant.customer', 'tenant.desk']
  for (let round = 0; round < 5; round++) {
    const ada = await customer()
    const [promoted, refused] = await Promise.all([
      operator.patch(`/v1/identity/members/${ada.memberId}`, { roles }),
      change('suspend', ada.memberId),
    ])
    t.deepEqual([promoted.status, refused.status].sort(), [200, 409])
  }
})

test('the list of customers and the view of a person show the suspension', async t => {
  const ada = await suspended('Ada Suspended')
  const list = '/v1/identity/customers?q=ada%20suspended' as never
  const { data } = expectStatus(200, await operator.get<Listed<object>>(list))
  t.like(data[0], { id: ada.memberId, suspensionReason: reason })
  const found = expectStatus(200, await operator.get(`/v1/identity/admin/users/${ada.userId}`))
  t.is(found.suspensionReason, reason)
  t.truthy(found.suspendedAt)
})

test('an operator who acts as a suspended customer is refused like them', async t => {
  const ada = await suspended()
  const started = await operator.post<{ token: string }>(`/v1/identity/admin/users/${ada.userId}/impersonation`, {
    tenantId: operator.tenantId,
    reason: 'a question of them',
  })
  const acting = kernel.as(expectStatus(201, started).token)
  t.is(codeOf(await acting.get(ROWS)), '403 customer_suspended')
})
