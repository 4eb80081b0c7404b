import test from 'ava'
import type { Client } from '../../../../testing/index.ts'
import { codeOf, type Listed, problem } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { CONTACT, ENTRY, errorsOf, FORMS, type Form, formsRecipe, newForm } from '../fixtures.ts'

const { kernel, people, ada } = withPeople(
  test,
  { recipe: formsRecipe({ modules: { comms: { transport: 'mailbox' } } }), clock: true },
  { ada: 'owner' },
)

test('creates, reads, changes and deletes a form', async t => {
  const uiSchema = { message: { 'ui:widget': 'textarea' } }
  const made = await ada.post(FORMS, { name: 'Contact', schema: CONTACT, uiSchema })
  t.is(made.status, 201)
  t.is(made.headers.get('location'), `${FORMS}/${made.body.id}`)
  t.is(made.headers.get('etag'), '"1"')
  t.like(made.body, { name: 'Contact', access: 'tenant', version: 1, key: null, managedBy: null, notify: [], uiSchema })
  t.is(made.body.url, `http://localhost:8080/forms/${made.body.id}`)
  t.deepEqual((await ada.get(`${FORMS}/${made.body.id}`)).body, made.body)
  const changed = await ada.patch(`${FORMS}/${made.body.id}`, { access: 'public', uiSchema: null })
  t.like(changed.body, { access: 'public', version: 2, uiSchema: null, name: 'Contact' })
  t.is(changed.headers.get('etag'), '"2"')
  t.is((await ada.delete(`${FORMS}/${made.body.id}`)).status, 204)
  t.is(codeOf(await ada.get(`${FORMS}/${made.body.id}`)), '404 not_found')
  t.is(codeOf(await ada.delete(`${FORMS}/${made.body.id}`)), '404 not_found')
})

const propertiesOf = ({ schema }: Form) => (schema as { properties: object }).properties

test('keeps the order of fields, and a new order is a change', async t => {
  const schema = { type: 'object', properties: { zebra: {}, apple: {}, 'm/n': {} } }
  const form = await newForm(ada, { schema })
  t.deepEqual(Object.keys(propertiesOf(form)), ['zebra', 'apple', 'm/n'])
  const turned = { type: 'object', properties: { apple: {}, zebra: {}, 'm/n': {} } }
  const { body } = await ada.patch<Form>(`${FORMS}/${form.id}`, { schema: turned })
  t.is(body.version, 2)
  t.deepEqual(Object.keys(propertiesOf(body)), ['apple', 'zebra', 'm/n'])
})

test('each change creates a version that stays readable, and an equal patch creates none', async t => {
  const form = await newForm(ada)
  const same = await ada.patch(`${FORMS}/${form.id}`, {
    name: form.name,
    schema: form.schema,
    access: form.access,
  })
  t.deepEqual(same.body, form)
  t.like((await ada.patch(`${FORMS}/${form.id}`, {})).body, { version: 1 })
  await ada.patch(`${FORMS}/${form.id}`, { name: 'Contact us', schema: {} })
  t.like((await ada.get(`${FORMS}/${form.id}?version=1`)).body, { version: 1, name: 'Contact', schema: CONTACT })
  t.like((await ada.get(`${FORMS}/${form.id}`)).body, { version: 2, name: 'Contact us', schema: {} })
  t.is(codeOf(await ada.get(`${FORMS}/${form.id}?version=3`)), '404 not_found')
  t.is(codeOf(await ada.get(`${FORMS}/${form.id}?version=99999999999`)), '422 validation_failed')
})

test('reports all invalid fields of a body', async t => {
  const answer = await ada.post(FORMS, {
    name: 7,
    access: 'everybody',
    notify: ['nobody'],
    allowedOrigins: ['https://shop.example/path'],
    id: 'frm_1',
    version: 3,
    managedBy: 'recipe',
    key: 'contact',
  })
  t.is(codeOf(answer), '422 validation_failed')
  t.deepEqual(errorsOf(answer), [
    '/access not_allowed',
    '/allowedOrigins/0 wrong_format',
    '/id unknown_field',
    '/key unknown_field',
    '/managedBy unknown_field',
    '/name wrong_type',
    '/notify/0 wrong_format',
    '/schema required',
    '/version unknown_field',
  ])
  t.is(codeOf(await ada.post(FORMS)), '422 validation_failed')
  for (const [field, value] of [
    ['name', ' '],
    ['name', '\u200b'],
    ['name', 'x'.repeat(121)],
    ['schema', []],
    ['schema', null],
    ['uiSchema', 'x'],
    ['notify', ['a@b.test', 'a@b.test']],
    ['allowedOrigins', ["https://a.test 'unsafe-inline'"]],
    ['allowedOrigins', ['https://a.test;script-src *']],
    ['allowedOrigins', ['javascript:alert(1)']],
    ['allowedOrigins', ['*']],
    ['allowedOrigins', ['https://a.test；script-src']],
    ['allowedOrigins', ['https://ü.test/path']],
    ['allowedOrigins', ['https://Ü ber.test']],
    ['allowedOrigins', ['https://a.test:99999']],
    ['allowedOrigins', ['https://a.test:443']],
  ] as const) {
    const refused = await ada.post(FORMS, { name: 'x', schema: {}, [field]: value })
    t.is(codeOf(refused), '422 validation_failed', `${field} ${JSON.stringify(value)}`)
    t.regex(problem(refused).errors?.[0]?.pointer ?? '', new RegExp(`^/${field}`))
  }
})

test('rejects an invalid schema with pointers, in new forms and in patches', async t => {
  const form = await newForm(ada)
  const schema = {
    properties: {
      a: { $ref: 'https://evil.test/schema.json' },
      b: { type: 'string', pattern: '(a)\\1' },
      c: { type: 'nothing' },
    },
  }
  for (const answer of [
    await ada.post(FORMS, { name: 'x', schema }),
    await ada.patch(`${FORMS}/${form.id}`, { schema }),
  ]) {
    t.is(codeOf(answer), '422 validation_failed')
    t.deepEqual(errorsOf(answer), ['/schema/properties/a/$ref not_allowed', '/schema/properties/b/pattern bad_pattern'])
  }
  const only = await ada.post(FORMS, { name: 'x', schema: { properties: { 'c/d': { type: 'nothing' } } } })
  t.deepEqual(errorsOf(only), ['/schema/properties/c~1d/type not_allowed'])
  const texts = { x: { 'ui:title': { de: 1 }, 'ui:enumNames': ['a', { german: 'b' }] } }
  t.deepEqual(errorsOf(await ada.post(FORMS, { name: 'x', schema: {}, uiSchema: texts })), [
    '/uiSchema/x/ui:enumNames/1/german not_allowed',
    '/uiSchema/x/ui:title/de wrong_type',
  ])
  const big = { description: 'x'.repeat(70_000) }
  t.deepEqual(errorsOf(await ada.post(FORMS, { name: 'x', schema: big })), ['/schema too_long'])
  t.deepEqual(errorsOf(await ada.post(FORMS, { name: 'x', schema: {}, uiSchema: big })), ['/uiSchema too_long'])
  const huge = await ada.post(FORMS, { name: 'x', schema: { description: 'x'.repeat(1024 * 1024) } })
  t.is(codeOf(huge), '413 body_too_large')
})

test('exactly one of two concurrent updates of the same version succeeds', async t => {
  const { id } = await newForm(ada)
  const headers = { 'if-match': '"1"' }
  const both = await Promise.all(['a', 'b'].map(name => ada.patch(`${FORMS}/${id}`, { name }, { headers })))
  t.deepEqual(both.map(({ status }) => status).sort(), [200, 412])
  t.is((await ada.get(`${FORMS}/${id}`)).body.version, 2)
  t.is(codeOf(await ada.delete(`${FORMS}/${id}`, { headers })), '412 precondition_failed')
  t.is((await ada.get(`${FORMS}/${id}`, { headers: { 'if-none-match': '"2"' } })).status, 304)
  const unguarded = await Promise.all(['c', 'd', 'e'].map(name => ada.patch(`${FORMS}/${id}`, { name })))
  t.deepEqual(unguarded.map(({ body }) => body.version).sort(), [3, 4, 5], 'each change has its own version')
  t.deepEqual(
    unguarded.map(({ body, headers }) => [body.name, headers.get('etag')]),
    ['c', 'd', 'e'].map((name, at) => [name, `"${unguarded[at]?.body.version}"`]),
  )
})

test('a form of another tenant is indistinguishable from an unknown one', async t => {
  const { id } = await newForm(ada)
  const bob = await people.person()
  const unknown = 'frm_00000000000000000000000000'
  for (const [method, rest, body] of [
    ['GET', ''],
    ['PATCH', '', { name: 'x' }],
    ['DELETE', ''],
    ['GET', '/blank'],
    ['POST', '/submit', ENTRY],
    ['GET', '/submissions'],
    ['GET', '/submissions/sub_00000000000000000000000000'],
    ['DELETE', '/submissions/sub_00000000000000000000000000'],
  ] as const) {
    const [foreign, none] = [
      await bob.call(method, `${FORMS}/${id}${rest}`, body),
      await bob.call(method, `${FORMS}/${unknown}${rest}`, body),
    ]
    t.is(codeOf(foreign), '404 not_found', `${method} ${rest}`)
    t.is(problem(foreign).detail, problem(none).detail)
  }
  t.deepEqual((await bob.get(FORMS)).body.data, [])
})

test('requires a permission for each route', async t => {
  const { id } = await newForm(ada)
  const reader: Client = await people.colleague(ada, ['tenant.member'])
  const submission = 'sub_00000000000000000000000000'
  for (const [method, path, body, permission] of [
    ['GET', FORMS, undefined, 'forms.form.read'],
    ['POST', FORMS, { name: 'x', schema: {} }, 'forms.form.create'],
    ['GET', `${FORMS}/${id}`, undefined, 'forms.form.read'],
    ['PATCH', `${FORMS}/${id}`, {}, 'forms.form.update'],
    ['DELETE', `${FORMS}/${id}`, undefined, 'forms.form.delete'],
    ['GET', `${FORMS}/${id}/blank`, undefined, 'forms.submission.create'],
    ['POST', `${FORMS}/${id}/submit`, ENTRY, 'forms.submission.create'],
    ['GET', `${FORMS}/${id}/submissions`, undefined, 'forms.submission.read'],
    ['GET', `${FORMS}/${id}/submissions/${submission}`, undefined, 'forms.submission.read'],
    ['DELETE', `${FORMS}/${id}/submissions/${submission}`, undefined, 'forms.submission.delete'],
  ] as const) {
    const answer = await reader.call(method, path, body)
    t.is(codeOf(answer), '403 forbidden', `${method} ${path}`)
    t.is(problem(answer).requiredPermission, permission)
  }
  const editor = await people.colleague(ada, ['tenant.form_editor'])
  t.is((await editor.post(FORMS, { name: 'x', schema: {} })).status, 201)
  t.is((await kernel.as(ada.apiKey).get(`${FORMS}/${id}`)).status, 200)
})

test('pages through and filters the list, and rejects unknown parameters', async t => {
  const cleo = await people.person()
  const made: string[] = []
  for (let count = 0; count < 5; count++)
    made.unshift((await newForm(cleo, { access: count === 0 ? 'public' : 'tenant' })).id)
  const seen: string[] = []
  let cursor: string | null = ''
  for (; cursor !== null; ) {
    const { body }: { body: Listed<Form> } = await cleo.get<Listed<Form>>(
      `${FORMS}?limit=2${cursor && `&cursor=${cursor}`}`,
    )
    seen.push(...body.data.map(({ id }) => id))
    t.false(
      body.data.some(form => 'schema' in form),
      'lists omit schemas',
    )
    cursor = body.nextCursor
  }
  t.deepEqual(seen, made)
  t.is((await cleo.get(`${FORMS}?filter[access]=public`)).body.data.length, 1)
  t.is(codeOf(await cleo.get(`${FORMS}?cursor=x`)), '400 invalid_cursor')
  t.is(codeOf(await cleo.get(`${FORMS}?colour=x`)), '400 malformed')
  t.is(codeOf(await cleo.get(`${FORMS}?filter[access]=x`)), '422 validation_failed')
})

test('creates one form per Idempotency-Key', async t => {
  const headers = { 'idempotency-key': 'once' }
  const body = { name: 'Once', schema: {} }
  const [first, second] = [await ada.post(FORMS, body, { headers }), await ada.post(FORMS, body, { headers })]
  t.is(second.status, 201)
  t.is(second.body.id, first.body.id)
})

test('counts forms and publishes events for their changes', async t => {
  const dora = await people.person()
  const { id } = await newForm(dora)
  await dora.patch(`${FORMS}/${id}`, { name: 'Other' })
  await dora.post(`${FORMS}/${id}/submit`, ENTRY)
  t.is(await kernel.kernel.ports.usage.count('forms.count', dora.tenantId), 1)
  await dora.delete(`${FORMS}/${id}`)
  t.is(await kernel.kernel.ports.usage.count('forms.count', dora.tenantId), 0)
  const { data } = (await dora.get('/v1/platform/events?limit=200')).body
  t.deepEqual(
    data.map(({ type }) => type).filter(type => type.startsWith('forms.')),
    ['forms.form.deleted', 'forms.submission.created', 'forms.form.updated', 'forms.form.created'],
  )
  t.false(JSON.stringify(data).includes('ada@example.test'), 'events contain no entries')
})

test('a name is one visible line', async t => {
  const make = (name: string) => ada.post(FORMS, { name, schema: CONTACT })
  for (const nothing of ['', ' ', '\u200b', '\u3164', '\u2800']) t.is((await make(nothing)).status, 422)
  const { status, body } = await make(' Spring\r\n\u202esurvey\t👩‍👩‍👧 ')
  t.is(status, 201)
  t.is(body.name, 'Spring survey 👩‍👩‍👧')
})
