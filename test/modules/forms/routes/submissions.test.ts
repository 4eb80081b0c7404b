import test from 'ava'
import { parse } from 'csv-parse/sync'
import type { Client } from '../../../../testing/index.ts'
import { codeOf } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { ENTRY, errorsOf, FORMS, type Form, formsRecipe, newForm, type Submission, submissionsOf } from '../fixtures.ts'

let open: Form

const { kernel, clock, people, ada } = withPeople(
  test,
  { recipe: formsRecipe(), clock: true },
  { ada: 'owner' },
  async () => {
    open = await newForm(ada, { access: 'public' })
  },
)

const CSV = { headers: { accept: 'text/csv' } }
const csvOf = async (client: Client, form: Form, query = '') => {
  const answer = await client.get<string>(`${FORMS}/${form.id}/submissions${query}`, CSV)
  return { ...answer, rows: parse(answer.body, { columns: true }) as Record<string, string>[] }
}
const send = (client: Client, form: Form, data: unknown, more: object = {}) =>
  client.post(`${FORMS}/${form.id}/submit`, { data, ...more })

test('anyone may submit a public form and gets a receipt', async t => {
  const answer = await kernel.post(`${FORMS}/${open.id}/submit`, { ...ENTRY, meta: { page: '/pricing' } })
  t.is(answer.status, 201)
  t.deepEqual(Object.keys(answer.body).sort(), ['createdAt', 'data', 'formId', 'formVersion', 'id'])
  t.is(answer.headers.get('location'), `${FORMS}/${open.id}/submissions/${answer.body.id}`)
  t.is(answer.headers.get('access-control-allow-origin'), null)
  const { body } = await ada.get(`${FORMS}/${open.id}/submissions/${answer.body.id}`)
  t.deepEqual(body, {
    ...answer.body,
    meta: { page: '/pricing' },
    spam: false,
    spamReason: null,
    note: null,
    createdBy: null,
    rowId: null,
  })
})

test('a script of another site may submit a public form without cookies', async t => {
  const headers = { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }
  const answer = await kernel.post(`${FORMS}/${open.id}/submit`, { data: { email: 'x@shop.test' } }, { headers })
  t.is(answer.status, 201)
  t.is(answer.headers.get('access-control-allow-origin'), '*')
  t.is(answer.headers.get('access-control-allow-credentials'), null)
})

test('a form that is not public requires the permission', async t => {
  const form = await newForm(ada)
  t.is(codeOf(await send(kernel, form, ENTRY.data)), '401 unauthenticated')
  t.is(codeOf(await kernel.get(`${FORMS}/${form.id}/blank`)), '401 unauthenticated')
  const sender = await people.colleague(ada, ['tenant.sender'])
  t.is((await send(sender, form, ENTRY.data)).status, 201)
  t.is((await send(ada, form, ENTRY.data)).status, 201)
  const [mine] = await submissionsOf(ada, form)
  t.is(mine?.createdBy, ada.userId)
  t.is(codeOf(await kernel.with({ cookie: ada.cookie }).get(`${FORMS}/${form.id}/blank`)), '404 not_found')
})

test('a change of access applies from the next request on', async t => {
  const form = await newForm(ada, { access: 'public' })
  t.is((await send(kernel, form, ENTRY.data)).status, 201)
  await ada.patch(`${FORMS}/${form.id}`, { access: 'tenant' })
  t.is(codeOf(await send(kernel, form, { email: 'b@example.test' })), '401 unauthenticated')
  await ada.delete(`${FORMS}/${form.id}`)
  t.is(codeOf(await send(kernel, form, ENTRY.data)), '404 not_found')
})

test('validates an entry against the schema and reports all errors', async t => {
  const answer = await send(kernel, open, { email: 'nobody', message: 7 })
  t.is(codeOf(answer), '422 validation_failed')
  t.deepEqual(errorsOf(answer), ['/data/email wrong_format', '/data/message wrong_type'])
  t.deepEqual(errorsOf(await send(kernel, open, {})), ['/data/email required'])
  for (const [body, expected] of [
    [{}, '/data required'],
    [{ data: [] }, '/data wrong_type'],
    [{ data: 'x' }, '/data wrong_type'],
    [{ ...ENTRY, spam: false }, '/spam unknown_field'],
    [{ ...ENTRY, meta: { deep: {} } }, '/meta/deep wrong_type'],
    [{ ...ENTRY, meta: { token: 7 } }, '/meta/token wrong_type'],
    [{ ...ENTRY, meta: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`k${at}`, 1])) }, '/meta too_many'],
  ] as const) {
    const refused = await kernel.post(`${FORMS}/${open.id}/submit`, body)
    t.is(codeOf(refused), '422 validation_failed')
    t.true(errorsOf(refused)?.includes(expected), JSON.stringify(errorsOf(refused)))
  }
})

test('rejects 10,000 fields with one error, whatever the schema allows', async t => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at]))
  const refused = await send(kernel, open, { ...ENTRY.data, ...many(10_000) })
  t.is(codeOf(refused), '422 validation_failed')
  t.deepEqual(errorsOf(refused), ['/data too_many'])
  t.deepEqual(errorsOf(await send(kernel, open, { list: Array(2000).fill(0) })), ['/data too_many'])
  t.is(codeOf(await send(kernel, open, { ...ENTRY.data, more: 'x'.repeat(300_000) })), '413 body_too_large')
  t.is((await send(ada, open, { ...ENTRY.data, ...many(900) })).status, 201)
})

test('a submission has the version that was shown', async t => {
  const form = await newForm(ada, { access: 'public' })
  const shown = await kernel.get(`${FORMS}/${form.id}/blank`)
  t.is(shown.body.version, 1)
  t.deepEqual(shown.body.schema, form.schema)
  await ada.patch(`${FORMS}/${form.id}`, { schema: { type: 'object', required: ['phone'] } })
  const old = await send(ada, form, { email: 'old@example.test' }, { meta: { token: shown.body.token } })
  t.is(old.status, 201)
  t.is(old.body.formVersion, 1)
  t.deepEqual(errorsOf(await send(ada, form, { phone: '1' }, { meta: { token: shown.body.token } })), [
    '/data/email required',
  ])
  t.deepEqual(errorsOf(await send(ada, form, { email: 'new@example.test' })), ['/data/phone required'])
  t.is((await send(ada, form, { phone: '1' })).body.formVersion, 2)
  const [newest, oldest] = await submissionsOf(ada, form)
  t.deepEqual([newest?.formVersion, oldest?.formVersion], [2, 1])
})

test('rejects the token of another form and a forged token as spam', async t => {
  const [one, other] = [await newForm(ada, { access: 'public' }), await newForm(ada, { access: 'public' })]
  const { token } = (await kernel.get(`${FORMS}/${one.id}/blank`)).body
  for (const [at, forged] of [token, token.replace(/^1/, '2'), 'x', `${token}x`].entries()) {
    const form = at === 0 ? other : one
    const data = { email: `${at}@example.test` }
    t.is((await send(kernel, form, data, { meta: { token: forged } })).status, 201)
    t.like((await submissionsOf(ada, form))[0], { spam: true, spamReason: 'forged_token', data })
  }
})

test('lists, filters, reads and deletes submissions', async t => {
  const form = await newForm(ada, { access: 'public' })
  const made: string[] = []
  for (let at = 0; at < 5; at++) {
    const meta = at === 2 ? { website: 'http://spam.test' } : {}
    made.unshift((await send(kernel, form, { email: `${at}@example.test` }, { meta })).body.id)
  }
  const inPages = async (more = '') => {
    const found = await kernel.all<Submission>(ada, `${FORMS}/${form.id}/submissions?limit=2${more}`)
    return found.map(({ id }) => id)
  }
  t.deepEqual(await inPages(), made)
  t.deepEqual(await inPages('&sort=-createdAt'), made)
  t.deepEqual(await inPages('&sort=createdAt'), made.toReversed())
  t.is(codeOf(await ada.get(`${FORMS}/${form.id}/submissions?sort=data`)), '400 malformed')
  t.deepEqual(
    (await submissionsOf(ada, form, '?filter[spam]=true')).map(({ id }) => id),
    [made[2]],
  )
  t.is((await submissionsOf(ada, form, '?filter[spam]=false')).length, 4)
  t.is(codeOf(await ada.get(`${FORMS}/${form.id}/submissions?filter[spam]=maybe`)), '422 validation_failed')
  t.is(codeOf(await ada.get(`${FORMS}/${form.id}/submissions?cursor=x`)), '400 invalid_cursor')
  t.is(codeOf(await ada.get(`${FORMS}/${form.id}/submissions?spam=true`)), '400 malformed')
  t.is((await ada.delete(`${FORMS}/${form.id}/submissions/${made[0]}`)).status, 204)
  t.is(codeOf(await ada.delete(`${FORMS}/${form.id}/submissions/${made[0]}`)), '404 not_found')
  t.is(codeOf(await ada.get(`${FORMS}/${form.id}/submissions/${made[0]}`)), '404 not_found')
  t.is(codeOf(await ada.get(`${FORMS}/${open.id}/submissions/${made[1]}`)), '404 not_found', 'not below another form')
})

test('exports submissions of every version as CSV without formulas', async t => {
  const schema = {
    type: 'object',
    properties: {
      '=cmd': { type: 'string' },
      note: { type: 'string' },
      count: { type: 'number' },
      place: { type: 'object', properties: { city: { type: 'string' } } },
    },
  }
  const form = await newForm(ada, { schema, name: 'Orders: 2026 "new"' })
  const note = 'first line\r\nsecond, "quoted"; ümläut'
  await send(ada, form, { '=cmd': '=HYPERLINK("https://evil.test")', note, count: -5, place: { city: '@Turin' } })
  await ada.patch(`${FORMS}/${form.id}`, { schema: { type: 'object', properties: { phone: { type: 'string' } } } })
  await send(ada, form, { phone: '+49 30 1', extra: { a: 1 } })
  const { status, headers, rows, body } = await csvOf(ada, form)
  t.is(status, 200)
  t.is(headers.get('content-type'), 'text/csv; charset=utf-8')
  t.is(headers.get('content-disposition'), 'attachment; filename="orders-2026-new.csv"')
  t.is(headers.get('x-content-type-options'), 'nosniff')
  t.true(body.startsWith("id,createdAt,version,spam,phone,'=cmd,note,count,place.city,other\r\n"))
  t.like(rows[0], {
    version: '1',
    spam: '',
    "'=cmd": '\'=HYPERLINK("https://evil.test")',
    note,
    count: '-5',
    'place.city': "'@Turin",
    phone: '',
    other: '',
  })
  t.like(rows[1], { version: '2', phone: "'+49 30 1", note: '', other: '{"extra":{"a":1}}' })
})

test('exports all submissions, oldest first', async t => {
  const form = await newForm(ada)
  const { database } = kernel.kernel.ports
  await database.tenant(ada.tenantId).query(
    `insert into forms_submissions (tenant_id, form_id, id, form_version, data, meta, spam, created_at)
     select $1, $2, 'sub_' || lpad(n::text, 26, '0'), 1, json_build_object('email', n || '@x.test', 'message', repeat('y', 500)),
       '{}', case when n % 10 = 0 then 'honeypot' end, now() from generate_series(1, 1201) n`,
    [ada.tenantId, form.id],
  )
  const { rows, headers } = await csvOf(ada, form)
  t.is(headers.get('content-length'), null, 'the response is streamed')
  t.deepEqual(
    rows.map(({ email }) => email),
    Array.from({ length: 1201 }, (_, at) => `${at + 1}@x.test`),
  )
  t.is((await csvOf(ada, form, '?filter[spam]=true')).rows.length, 120)
  t.is((await ada.call('HEAD', `${FORMS}/${form.id}/submissions`, undefined, CSV)).status, 200)
  t.is(codeOf(await ada.get(`${FORMS}/frm_00000000000000000000000000/submissions`, CSV)), '404 not_found')
  const preferring = { headers: { accept: 'application/json, text/csv;q=0' } }
  t.is((await ada.get(`${FORMS}/${form.id}/submissions?limit=1`, preferring)).body.data.length, 1)
})

test('a member of another tenant submits a public form as the public, also with an Idempotency-Key', async t => {
  const bob = await people.person()
  const headers = { 'idempotency-key': 'bob-1' }
  const body = { data: { email: 'bob@example.test' } }
  const [first, second] = [
    await bob.post(`${FORMS}/${open.id}/submit`, body, { headers }),
    await bob.post(`${FORMS}/${open.id}/submit`, body, { headers }),
  ]
  t.is(first.status, 201)
  t.is(second.body.id, first.body.id)
  t.is(second.headers.get('idempotent-replayed'), 'true')
  const stored = (await submissionsOf(ada, open)).filter(
    ({ data }) => (data as { email: string }).email === 'bob@example.test',
  )
  t.deepEqual(
    stored.map(({ spam, createdBy }) => [spam, createdBy]),
    [[false, null]],
  )
  const again = await bob.post(`${FORMS}/${open.id}/submit`, body, { headers: { 'idempotency-key': 'bob-2' } })
  t.is(again.status, 201)
  t.is((await submissionsOf(ada, open, '?limit=1'))[0]?.spamReason, 'duplicate')
})

test.serial('rejects or deletes submissions that are concurrent with the deletion of their form', async t => {
  const form = await newForm(ada, { access: 'public' })
  const sent = Array.from({ length: 20 }, (_, at) => send(kernel, form, { email: `${at}@example.test` }))
  const [gone, ...answers] = await Promise.all([ada.delete(`${FORMS}/${form.id}`), ...sent])
  t.is(gone?.status, 204)
  t.true(answers.every(({ status }) => status === 201 || status === 404))
  const unit = kernel.kernel.ports.database.tenant(ada.tenantId)
  await unit.query(
    `insert into forms_submissions (tenant_id, form_id, id, form_version, data, meta, created_at)
     values ($1, $2, 'sub_late', 1, '{}', '{}', now())`,
    [ada.tenantId, form.id],
  )
  clock.at += 61_000
  await kernel.settled()
  t.is((await unit.query('select 1 from forms_submissions where form_id = $1', [form.id])).rowCount, 0)
})

test('a process with a stale cache rejects a submission to a deleted form', async t => {
  const form = await newForm(ada, { access: 'public' })
  t.is((await send(kernel, form, ENTRY.data)).status, 201)
  await kernel.kernel.ports.database.tenant(ada.tenantId).query('delete from forms_forms where id = $1', [form.id])
  t.is(codeOf(await send(kernel, form, { email: 'late@example.test' })), '404 not_found')
  t.is(codeOf(await send(kernel, form, ENTRY.data, { meta: { website: 'x' } })), '404 not_found')
})
