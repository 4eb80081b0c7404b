import test from 'ava'
import { HOUR, SECOND } from '../../../../kernel/base/units.ts'
import { codeOf } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { FORMS, type Form, formsRecipe, newForm, submissionsOf } from '../fixtures.ts'

interface Mail {
  to: string
  subject: string
}

let addresses = 0

const { kernel, clock, people, ada } = withPeople(
  test,
  {
    recipe: formsRecipe({
      modules: { comms: { transport: 'mailbox' }, forms: { spam: { minFill: '3s', duplicates: '1h' } } },
    }),
    clock: true,
    env: { RATE_LIMITS: 'on', TRUST_PROXY: '1' },
  },
  { ada: 'owner' },
)

/** A visitor with a unique address. */
const visitor = () => kernel.with({ 'x-forwarded-for': `198.51.100.${++addresses}` })
const submit = (client: ReturnType<typeof visitor>, { id }: Form, email: string, meta: object = {}) =>
  client.post(`${FORMS}/${id}/submit`, { data: { email }, meta })
const reasons = async (form: Form) => (await submissionsOf(ada, form)).map(({ spamReason }) => spamReason)
/** Confirms all addresses, as the links in the requests do. */
async function confirmRecipients(): Promise<void> {
  const { database } = kernel.kernel.ports
  await database.tenant(ada.tenantId).query("update forms_recipients set state = 'confirmed'")
}
const mailsTo = async (to: string): Promise<Mail[]> => {
  const { database } = kernel.kernel.ports
  const { rows } = await database
    .tenant(ada.tenantId)
    .query<Mail>(
      'select recipient as "to", subject from comms_messages where recipient = $1 and template = \'forms.submission\'',
      [to],
    )
  return rows
}

test.serial('marks a filled honeypot and a fast submission as spam, with the same reply', async t => {
  const form = await newForm(ada, { access: 'public' })
  const eve = visitor()
  const { token } = (await eve.get(`${FORMS}/${form.id}/blank`)).body
  t.is((await submit(eve, form, 'a@x.test', { website: 'http://x.test' })).status, 201)
  t.is((await submit(eve, form, 'b@x.test', { token })).status, 201)
  clock.at += 3 * SECOND
  t.is((await submit(eve, form, 'c@x.test', { token })).status, 201)
  t.is((await submit(eve, form, 'd@x.test', { website: '' })).status, 201)
  t.deepEqual(await reasons(form), [null, null, 'too_fast', 'honeypot'])
})

test.serial('an expired token counts as no token', async t => {
  const form = await newForm(ada, { access: 'public' })
  const { token } = (await visitor().get(`${FORMS}/${form.id}/blank`)).body
  await ada.patch(`${FORMS}/${form.id}`, { name: 'Newer' })
  clock.at += 25 * HOUR
  const late = await submit(visitor(), form, 'late@x.test', { token })
  t.is(late.status, 201)
  t.is((await submissionsOf(ada, form))[0]?.formVersion, 2, 'the current version applies')
})

test.serial('an equal entry from one address is spam for an hour, also for concurrent submissions', async t => {
  const form = await newForm(ada, { access: 'public' })
  const [eve, dan] = [visitor(), visitor()]
  const many = await Promise.all(Array.from({ length: 5 }, () => submit(eve, form, 'same@x.test')))
  t.true(many.every(({ status }) => status === 201))
  t.is((await reasons(form)).filter(reason => reason === null).length, 1)
  t.is((await submit(dan, form, 'same@x.test')).status, 201)
  t.is((await submissionsOf(ada, form))[0]?.spamReason, null, 'another address may send an equal entry')
  clock.at += HOUR
  await submit(eve, form, 'same@x.test')
  t.is((await submissionsOf(ada, form))[0]?.spamReason, null)
  await submit(eve, form, 'same@x.test')
  t.is((await submissionsOf(ada, form))[0]?.spamReason, 'duplicate')
})

test.serial('limits submissions to ten a minute per address and form, except for members', async t => {
  const [form, other] = [await newForm(ada, { access: 'public' }), await newForm(ada, { access: 'public' })]
  const eve = visitor()
  const statuses: number[] = []
  for (let at = 0; at < 11; at++) statuses.push((await submit(eve, form, `${at}@x.test`)).status)
  t.deepEqual(statuses, [...Array(10).fill(201), 429])
  const refused = await submit(eve, form, 'more@x.test')
  t.is(codeOf(refused), '429 rate_limited')
  t.true(Number(refused.headers.get('retry-after')) > 0)
  t.is((await submit(eve, other, 'x@x.test')).status, 201)
  t.is((await submit(visitor(), form, 'x@x.test')).status, 201)
  for (let at = 0; at < 12; at++) t.is((await submit(ada, form, `own-${at}@x.test`)).status, 201)
  const bob = await people.person()
  const foreign = bob.with({ 'x-forwarded-for': '203.0.113.9' })
  for (let at = 0; at < 10; at++) await submit(foreign, form, `bob-${at}@x.test`)
  t.is((await submit(foreign, form, 'bob@x.test')).status, 429, 'a member of another tenant has the same limit')
})

test.serial('emails each notified address once per submission, but not about spam', async t => {
  const form = await newForm(ada, {
    access: 'public',
    name: 'Sales & more',
    notify: ['sales@acme.test', 'two@acme.test'],
  })
  await confirmRecipients()
  await submit(visitor(), form, 'ada@example.test')
  await submit(visitor(), form, 'machine@example.test', { website: 'x' })
  await kernel.settled()
  t.deepEqual(await mailsTo('sales@acme.test'), [{ to: 'sales@acme.test', subject: 'New submission: Sales & more' }])
  t.is((await mailsTo('two@acme.test')).length, 1)
})

test.serial('truncates a long entry in the email', async t => {
  const form = await newForm(ada, { access: 'public', notify: ['long@acme.test'] })
  await confirmRecipients()
  const data = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`field ${at}`, '&'.repeat(6000)]))
  const sent = await visitor().post(`${FORMS}/${form.id}/submit`, { data: { email: ada.email, ...data } })
  t.is(sent.status, 201)
  await kernel.settled()
  t.is((await mailsTo('long@acme.test')).length, 1)
})

test.serial('an invalid address does not keep the email from the others', async t => {
  const form = await newForm(ada, { access: 'public', notify: [`${'long'.repeat(17)}@acme.test`, 'fine@acme.test'] })
  await confirmRecipients()
  await submit(visitor(), form, 'ada@example.test')
  await kernel.settled()
  t.is((await mailsTo('fine@acme.test')).length, 1)
})

test.serial('sends no email about a deleted submission', async t => {
  const form = await newForm(ada, { access: 'public', notify: ['late@acme.test'] })
  await confirmRecipients()
  const { database, events } = kernel.kernel.ports
  await database.tenant(ada.tenantId).query('select 1')
  const payload = { formId: form.id, submissionId: 'sub_00000000000000000000000000', formVersion: 1 }
  await events.publish('forms.submission.created', { payload, tenantId: ada.tenantId })
  await kernel.settled()
  t.deepEqual(await mailsTo('late@acme.test'), [])
})
