/** Submissions that create rows of a collection. */
import test from 'ava'
import { SECOND } from '../../../kernel/base/units.ts'
import type { Client, TestResponse } from '../../../testing/index.ts'
import { codeOf, type Listed, problem } from '../../fixtures/people.ts'
import { race } from '../../fixtures/race.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { errorsOf, FORMS, formsRecipe, type Submission } from './fixtures.ts'

interface Row {
  readonly id: string
  readonly [field: string]: unknown
}
const CONTACT = {
  type: 'object',
  required: ['email', 'title'],
  properties: {
    email: { type: 'string', format: 'email', title: 'Your address' },
    title: { type: 'string', title: 'What it is about' },
    urgent: { type: 'boolean' },
    from: { type: 'object', properties: { city: { type: 'string' } } },
    event: { type: 'string' },
    comment: { type: 'string' },
  },
}
const MAP = { email: 'email', subject: 'title', urgent: 'urgent', city: 'from.city', event: 'event' }
const recipe = formsRecipe({
  locales: { default: 'en', available: ['en', 'de'] },
  modules: { collections: { guestRows: 40 }, billing: {}, forms: { spam: { minFill: '2s' } } },
  plans: { free: { name: 'Free', price: 0 } },
  roles: { 'tenant.desk': { name: 'Desk', permissions: ['forms.submission.create'] } },
  collections: {
    happenings: {
      fields: { name: { type: 'text' }, places: { type: 'integer' } },
      access: { read: { anyone: true }, create: { 'tenant.owner': true } },
    },
    inquiries: {
      fields: {
        email: { type: 'email', required: true, unique: true },
        subject: { type: 'text', required: true, maxLength: 20 },
        urgent: { type: 'boolean', default: false },
        city: { type: 'text', default: 'Unknown' },
        event: { type: 'reference', to: 'happenings' },
        note: { type: 'text' },
      },
      capacity: { of: 'event', max: 'event.places' },
      access: { read: { 'tenant.owner': true }, create: { anyone: { urgent: false }, 'tenant.desk': true } },
    },
    audits: {
      fields: { subject: { type: 'text', required: true }, by: { type: 'member', default: '$member' } },
      access: { read: { 'tenant.owner': true }, create: { 'tenant.desk': true } },
    },
  },
  forms: {
    inquiry: { name: 'Inquiry', access: 'public', schema: CONTACT, into: { collection: 'inquiries', map: MAP } },
    audit: {
      name: 'Audit',
      schema: { required: ['what'], properties: { what: { type: 'string' } } },
      into: { collection: 'audits', map: { subject: 'what' } },
    },
  },
})
const { kernel, clock, people, operator, ada } = withPeople(
  test,
  { recipe, clock: true, alone: true },
  { operator: 'operator', ada: 'owner' },
)

let count = 0
const entry = (more: object = {}) => ({ email: `guest${++count}@example.com`, title: 'Help', ...more })
const submit = (data: object, client: Client = kernel, more: object = {}) =>
  client.post<Submission>(`${FORMS}/inquiry/submit`, { data, ...more })
const rowsOf = async (email: string) =>
  (await operator.get<Listed<Row>>(`/v1/data/inquiries?filter[email]=${email}`)).body.data
const submissions = async (form = 'inquiry') => {
  const { body } = await operator.get<Listed<{ id: string; key: string }>>(FORMS)
  const found = body.data.find(({ key }) => key === form)
  const { body: listed } = await operator.get<Listed<Submission>>(`${FORMS}/${found?.id}/submissions?limit=100`)
  return { id: found?.id, data: listed.data }
}
const stored = async (email: string) =>
  (await submissions()).data.filter(({ data }) => (data as { email?: string }).email === email)

test('a submission creates a row of a visitor in the workspace of the form, and names it', async t => {
  const data = entry({ from: { city: 'Ulm' }, comment: 'x' })
  const { status, body } = await submit(data)
  t.is(status, 201)
  t.false('rowId' in body)
  const [row, ...more] = await rowsOf(data.email)
  t.deepEqual(more, [])
  t.like(row as Row, { email: data.email, subject: 'Help', city: 'Ulm', urgent: false, createdBy: null, note: null })
  t.is((await stored(data.email))[0]?.rowId, row?.id)
})

test('a field that the entry leaves out has its default in the row', async t => {
  const data = entry()
  await submit(data)
  t.like((await rowsOf(data.email))[0], { city: 'Unknown', event: null })
})

test('a row that is refused refuses the submission, with errors of the fields of the form', async t => {
  for (const [more, expected] of [
    [{ title: 'x'.repeat(21) }, ['/data/title invalid']],
    [{ event: `happening_${'0'.repeat(26)}` }, ['/data/event not_found']],
  ] as const) {
    const data = entry(more)
    const answer = await submit(data)
    t.is(codeOf(answer), '422 validation_failed')
    t.deepEqual(errorsOf(answer), expected)
    t.deepEqual(await rowsOf(data.email), [])
    t.deepEqual(await stored(data.email), [])
  }
})

test('a row without a free place refuses the submission', async t => {
  const { body } = await operator.post<Row>('/v1/data/happenings', { name: 'Talk', places: 2 })
  const answers = await Promise.all(Array.from({ length: 8 }, () => submit(entry({ event: body.id }))))
  t.is(answers.filter(({ status }) => status === 201).length, 2)
  for (const answer of answers.filter(({ status }) => status !== 201))
    t.deepEqual(errorsOf(answer), ['/data/event full'])
})

test('a row that the rules refuse refuses the submission with the reason', async t => {
  const data = entry({ urgent: true })
  const answer = await submit(data)
  t.is(codeOf(answer), '409 row_refused')
  t.regex(problem(answer).detail, /roles don't allow you to create this row/)
  t.deepEqual(await stored(data.email), [])
})

test('a visitor does not find out which unique values exist', async t => {
  const data = entry()
  await submit(data)
  const again = await submit({ ...data, title: 'Again' })
  t.is(again.status, 201)
  t.is((await rowsOf(data.email)).length, 1)
  t.deepEqual((await stored(data.email)).map(({ rowId }) => rowId === null).sort(), [false, true])
})

test('a member and a visitor who send the same unique value at once create one row, and nothing fails', async t => {
  const desk = await people.colleague(operator as never, ['tenant.desk'])
  const direct = ({ email, title }: { email: string; title: string }) =>
    desk.post('/v1/data/inquiries', { email, subject: title })
  const byForm = (data: object) => submit(data, desk)
  const keyed = (data: object) =>
    kernel.post(`${FORMS}/inquiry/submit`, { data }, { headers: { 'idempotency-key': `race-${count}` } })
  for (const member of [direct, byForm])
    for (const visitor of [submit, keyed]) {
      const data = entry()
      const [hers, his] = await race(kernel.databaseUrl, 'lock table data_inquiries in share mode', [
        () => member(data),
        () => visitor(data),
      ])
      t.is(his?.status, 201)
      t.true(['201', '409 value_taken', '422 validation_failed'].includes(codeOf(hers as TestResponse<unknown>)))
      t.is((await rowsOf(data.email)).length, 1)
      t.is((await stored(data.email)).filter(({ rowId }) => rowId === null).length, hers?.status === 201 ? 1 : 0)
    }
})

test('spam creates no row until it is delivered', async t => {
  const data = entry()
  const { body: blank } = await kernel.get<{ token: string }>(`${FORMS}/inquiry/blank`)
  t.is((await submit(data, kernel, { meta: { token: blank.token } })).status, 201)
  t.deepEqual(await rowsOf(data.email), [])
  const [held] = await stored(data.email)
  const path = `${FORMS}/${held?.formId}/submissions/${held?.id}`
  const delivered = await operator.patch<Submission>(path, { spam: false })
  const [row] = await rowsOf(data.email)
  t.truthy(row)
  t.is(delivered.body.rowId, row?.id ?? null)
  await operator.patch(path, { spam: true })
  await operator.patch(path, { spam: false })
  t.is((await rowsOf(data.email)).length, 1)
})

test('a repeated submission creates no second row', async t => {
  const data = entry()
  for (const _ of [1, 2]) t.is((await submit(data)).status, 201)
  t.is((await rowsOf(data.email)).length, 1)
  const other = entry()
  const headers = { 'idempotency-key': 'once' }
  for (const client of [kernel, ada])
    for (const _ of [1, 2])
      t.is((await client.post(`${FORMS}/inquiry/submit`, { data: other }, { headers })).status, 201)
  t.is((await rowsOf(other.email)).length, 1)
})

test('members create the row with their own rights, and without one they cannot submit the form', async t => {
  const desk = await people.colleague(operator as never, ['tenant.desk'])
  const sender = await people.colleague(operator as never, ['tenant.sender'])
  const audit = (client: Client): Promise<TestResponse<Submission>> =>
    client.post(`${FORMS}/audit/submit`, { data: { what: 'Doors' } })
  const sent = await audit(desk)
  t.is(sent.status, 201)
  const { body } = await operator.get<Listed<Row>>('/v1/data/audits')
  t.truthy(body.data[0]?.by)
  t.like(body.data[0], { subject: 'Doors', createdBy: desk.userId })
  t.is(codeOf(await audit(sender)), '409 row_refused')
  const own = entry({ urgent: true })
  t.is((await submit(own, desk)).status, 201)
  t.like((await rowsOf(own.email))[0], { urgent: true, createdBy: desk.userId })
})

test('the page shows errors of the row at its fields, in its words and the reader’s language', async t => {
  const post = (data: Readonly<Record<string, string>>, language: string, path = '/forms/inquiry') =>
    kernel.post<string>(path, new URLSearchParams(data).toString(), {
      headers: {
        accept: 'text/html',
        'accept-language': language,
        origin: kernel.url,
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
  const { email } = entry()
  const { body: blank } = await kernel.get<{ token: string }>(`${FORMS}/inquiry/blank`)
  clock.forward(3 * SECOND)
  const fields = { token: blank.token, '/email': email, '/title': 'x'.repeat(30) }
  for (const path of ['/forms/inquiry', '/forms/inquiry/frame']) {
    const refused = await post(fields, 'en', path)
    t.is(refused.status, 422)
    t.regex(refused.body, /What it is about must (be|have) at most 20 characters/)
  }
  t.regex(
    (await post({ ...fields, '/title': 'Help', '/urgent': 'true' }, 'de')).body,
    /Das Formular kann zurzeit nicht gesendet werden\./,
  )
  t.is((await post({ ...fields, '/title': 'Help' }, 'en')).status, 303)
  t.is((await rowsOf(email)).length, 1)
})

test('visitors create no more rows than a collection may have of them', async t => {
  let answer = await submit(entry())
  for (let each = 0; each < 60 && answer.status === 201; each++) answer = await submit(entry())
  t.is(codeOf(answer), '403 form_full')
})
