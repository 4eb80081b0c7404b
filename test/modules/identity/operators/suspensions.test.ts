/** An operator suspends a workspace and resumes it. */
import test from 'ava'
import type { Client, Person } from '../../../../testing/index.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { codeOf, colleague, fieldErrors, newEmail, operator } from '../fixtures.ts'

let admin: Client
let operatorId: string

const { kernel } = withPeople(
  test,
  {
    recipe: { locales: { default: 'en', available: ['en', 'de'] }, modules: { identity: {}, comms: {} } },
    alone: true,
  },
  {},
  async () => {
    const claimed = await operator(kernel)
    operatorId = claimed.operatorId
    admin = claimed.with({ 'x-tenant-id': operatorId })
  },
)

const change = (how: 'suspend' | 'resume', id: string, body: object = { reason: 'Unpaid invoices' }, by = admin) =>
  by.post(`/v1/identity/admin/tenants/${id}/${how}`, body)
const auditOf = async (client: Client, tenantId: string) =>
  (await client.get('/v1/identity/audit?limit=100')).body.data.filter(
    ({ action, subject }) => subject === tenantId && /suspended|resumed/.test(action),
  )
const eventsOf = async (type: string, tenantId: string) => {
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test reads events')
    .query<{ payload: object }>('select payload from larder_events where type = $1 and subject = $2', [type, tenantId])
  return rows.map(({ payload }) => payload)
}
const pageOf = async (person: Person, path: string, language = 'en') => {
  const response = await fetch(kernel.url + path, {
    headers: { cookie: person.cookie, accept: 'text/html', 'accept-language': language },
  })
  return { status: response.status, html: (await response.text()).replaceAll('&#x27;', "'").replaceAll('&#39;', "'") }
}

test('a suspended workspace refuses its members and its API keys until it is resumed', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const keyed = kernel.as(ada.apiKey)
  t.is((await ada.get('/v1/identity/members')).status, 200)
  const { status, body } = await change('suspend', ada.tenantId)
  t.is(status, 200)
  t.like(body, { id: ada.tenantId, suspensionReason: 'Unpaid invoices' })
  t.truthy(body.suspendedAt)
  for (const client of [ada, keyed, kernel.as(ada.token, ada.tenantId)])
    t.is(codeOf(await client.get('/v1/identity/members')), '403 tenant_suspended')
  t.is(
    codeOf(await ada.post('/v1/identity/roles', { key: 'team.a', name: 'A', permissions: [] })),
    '403 tenant_suspended',
  )
  const resumed = await change('resume', ada.tenantId, { reason: 'Paid' })
  t.like(resumed.body, { id: ada.tenantId, suspendedAt: null, suspensionReason: null })
  for (const client of [ada, keyed]) t.is((await client.get('/v1/identity/members')).status, 200)
})

test('both audit logs and an event name the reason', async t => {
  const ada = await kernel.register(newEmail('ada'))
  await change('suspend', ada.tenantId)
  await change('resume', ada.tenantId, { reason: 'Paid' })
  for (const client of [ada, admin])
    t.like(await auditOf(client, ada.tenantId), [
      { action: 'tenant.resumed', details: { reason: 'Paid' } },
      { action: 'tenant.suspended', details: { reason: 'Unpaid invoices' } },
    ])
  const { tenantId } = ada
  t.deepEqual(await eventsOf('identity.tenant.suspended', tenantId), [{ tenantId, reason: 'Unpaid invoices' }])
  t.deepEqual(await eventsOf('identity.tenant.resumed', tenantId), [{ tenantId, reason: 'Paid' }])
})

test('the owners get an email about each change, in their language', async t => {
  const ada = await kernel.register(newEmail('ada'), { locale: 'de' })
  const subjects = async () =>
    (await kernel.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(ada.email)}`)).body.data
      .map(({ subject }) => subject)
      .filter(subject => /suspended|resumed|gesperrt|freigegeben/.test(subject))
  await change('suspend', ada.tenantId)
  const [first] = await waitFor(subjects, found => found.length === 1)
  t.regex(String(first), /gesperrt$/)
  await change('resume', ada.tenantId)
  t.is((await waitFor(subjects, found => found.length === 2)).length, 2)
})

test('fifty operators suspend a workspace at once', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const answers = await Promise.all(Array.from({ length: 50 }, () => change('suspend', ada.tenantId)))
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  t.is((await eventsOf('identity.tenant.suspended', ada.tenantId)).length, 1)
})

test('repeated and concurrent calls take effect once', async t => {
  const ada = await kernel.register(newEmail('ada'))
  const answers = await Promise.all(
    ['One', 'Two', 'Three', 'Four'].map(reason => change('suspend', ada.tenantId, { reason })),
  )
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  t.is(new Set(answers.map(({ body }) => body.suspensionReason)).size, 1)
  await Promise.all([1, 2, 3].map(() => change('resume', ada.tenantId)))
  t.is((await change('resume', ada.tenantId)).status, 200)
  t.is((await auditOf(ada, ada.tenantId)).length, 2)
  t.is((await eventsOf('identity.tenant.suspended', ada.tenantId)).length, 1)
  t.is((await eventsOf('identity.tenant.resumed', ada.tenantId)).length, 1)
})

test('requires a reason, the permission, and another workspace than that of the operator', async t => {
  const ada = await kernel.register(newEmail('ada'))
  for (const how of ['suspend', 'resume'] as const) {
    t.is(codeOf(await change(how, ada.tenantId, {})), '422 validation_failed')
    t.true(fieldErrors(await change(how, ada.tenantId, { reason: ' ' })).some(error => error.startsWith('/reason')))
    t.is(codeOf(await change(how, ada.tenantId, undefined, ada)), '403 forbidden')
    t.is(codeOf(await change(how, 'ten_00000000000000000000000000')), '404 not_found')
    t.is(codeOf(await change(how, 'x')), '404 not_found')
  }
  t.is(codeOf(await change('suspend', operatorId)), '409 operator_tenant')
  t.is((await admin.get('/v1/identity/members')).status, 200)
})

test('operators read a suspended workspace, and their list shows since when it is suspended', async t => {
  const ada = await kernel.register(newEmail('ada'))
  await change('suspend', ada.tenantId)
  for (const path of ['', '/members', '/roles', '/api-keys'])
    t.is((await admin.get(`/v1/identity/admin/tenants/${ada.tenantId}${path}`)).status, 200, path)
  const { body } = await admin.get('/v1/identity/admin/tenants?limit=100')
  t.truthy(body.data.find(({ id }) => id === ada.tenantId)?.suspendedAt)
  t.falsy(body.data.find(({ id }) => id === operatorId)?.suspendedAt)
})

test('members can switch to another workspace', async t => {
  const [ada, bob] = await Promise.all([kernel.register(newEmail('ada')), kernel.register(newEmail('bob'))])
  const member = await colleague(kernel, bob, ['tenant.owner'])
  await change('suspend', bob.tenantId)
  t.is(codeOf(await member.get('/v1/identity/members')), '403 tenant_suspended')
  const own = member.with({ 'x-tenant-id': member.person.tenantId })
  t.is((await own.get('/v1/identity/members')).status, 200)
  t.is((await member.person.get('/v1/identity/tenants')).body.data.length, 2)
  t.is((await ada.get('/v1/identity/members')).status, 200)
})

test('a page says that the workspace is suspended, in the language of the reader', async t => {
  const ada = await kernel.register(newEmail('ada'))
  await change('suspend', ada.tenantId)
  const english = await pageOf(ada, '/workspace/members')
  t.is(english.status, 403)
  t.regex(english.html, /This workspace is suspended\. Ask/)
  t.true(english.html.includes('/account/workspaces'))
  const german = await pageOf(ada, '/workspace/members', 'de')
  t.regex(german.html, /Dieser Workspace ist gesperrt\. Bitten Sie/)
  for (const path of ['/account', '/account/workspaces', '/account/data'])
    t.not((await pageOf(ada, path)).status, 403, path)
})

test('people of a suspended workspace export their data and delete their account', async t => {
  const ada = await kernel.register(newEmail('ada'))
  await change('suspend', ada.tenantId)
  t.is((await ada.get('/v1/me')).status, 200)
  t.true((await ada.get('/v1/auth/me/export')).status < 300)
  const deleted = await ada.post('/v1/auth/me/delete', { password: ada.password })
  t.true(deleted.status < 300, JSON.stringify(deleted.body))
  t.is((await ada.get('/v1/me')).status, 401)
})

test('a suspended workspace is deleted with all of its rows', async t => {
  const ada = await kernel.register(newEmail('ada'))
  await change('suspend', ada.tenantId)
  await ada.post('/v1/auth/me/delete', { password: ada.password })
  const left = () =>
    kernel.kernel.ports.systemDatabase.acrossTenants('a test counts rows of a deleted tenant').query<{ count: number }>(
      `select ((select count(*) from larder_suspended_tenants where id = $1)
           + (select count(*) from larder_events where tenant_id = $1)
           + (select count(*) from identity_tenants where tenant_id = $1))::int as count`,
      [ada.tenantId],
    )
  await waitFor(left, ({ rows }) => rows[0]?.count === 0)
  t.pass()
})

const remove = (id: string, body: object = { reason: 'Contract ended' }, by: Client = admin) =>
  by.post(`/v1/identity/admin/tenants/${id}/delete`, body)

test('an operator deletes a workspace, suspended or not: access ends at once, and its rows go', async t => {
  const [ada, eve] = [await kernel.register(newEmail('ada')), await kernel.register(newEmail('eve'))]
  await change('suspend', eve.tenantId)
  for (const person of [ada, eve]) {
    t.is((await remove(person.tenantId)).status, 204)
    t.is(codeOf(await kernel.as(person.apiKey).get('/v1/me')), '401 unauthenticated')
    t.is(codeOf(await person.get(`/v1/identity/tenants/${person.tenantId}`)), '400 tenant_required')
    t.is(codeOf(await remove(person.tenantId)), '404 not_found')
    t.is((await person.get('/v1/auth/me')).status, 200, 'the account stays')
    await waitFor(
      () => eventsOf('identity.tenant.deleted', person.tenantId),
      events => events.length === 0,
    )
  }
  const { body } = await admin.get('/v1/identity/audit?filter[action]=tenant.deleted')
  t.like(
    body.data.find(({ subject }) => subject === ada.tenantId),
    { details: { reason: 'Contract ended', tenantId: ada.tenantId } },
  )
})

async function mailsTo(email: string) {
  const path = '/v1/communications/mailbox'
  const { body } = await kernel.get(`${path}?filter[to]=${encodeURIComponent(email)}`)
  return Promise.all(body.data.map(async ({ id }) => (await kernel.get(`${path}/${id}`)).body))
}

test('who owned a workspace that an operator deletes gets an email, in their language', async t => {
  const [ada, eve] = [await kernel.register(newEmail('ada'), { locale: 'de' }), await kernel.register(newEmail('eve'))]
  const member = await colleague(kernel, ada, ['tenant.member'])
  const { body: own } = await member.get('/v1/auth/me')
  for (const [{ email, tenantId }, subject] of [
    [ada, /wurde gelöscht$/],
    [eve, /was deleted$/],
  ] as const) {
    t.is((await remove(tenantId, { reason: 'Contract <b>ended</b>' })).status, 204)
    const mails = await waitFor(
      () => mailsTo(email),
      found => found.some(mail => subject.test(mail.subject)),
    )
    t.regex(mails.find(mail => subject.test(mail.subject))?.text ?? '', /Contract <b>ended<\/b>/)
  }
  t.false((await mailsTo(own.user.email)).some(({ subject }) => /gelöscht|deleted/.test(subject)))
})

test('deleting a workspace needs a reason, the permission and a login, and spares that of the operator', async t => {
  const ada = await kernel.register(newEmail('ada'))
  t.deepEqual(fieldErrors(await remove(ada.tenantId, {})), ['/reason required'])
  t.is(codeOf(await remove(ada.tenantId, undefined, ada)), '403 forbidden')
  t.is(codeOf(await remove('ten_00000000000000000000000000')), '404 not_found')
  t.is(codeOf(await remove('x')), '404 not_found')
  t.is(codeOf(await remove(operatorId)), '409 operator_tenant')
  t.is((await ada.get('/v1/identity/members')).status, 200)
})
