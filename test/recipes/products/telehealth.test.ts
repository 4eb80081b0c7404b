/** Telehealth: patients who share slots, each with a plan of their own. */
import test from 'ava'
import type { Client } from '../../../testing/index.ts'
import { change, create, created, mailTo, product, type Row, rowsOf, staff } from './fixtures.ts'

let practitioner: Client
let hour = 0
const telehealth = product(test, 'telehealth', async running => {
  practitioner = await staff(running, await running.people.operator(), ['tenant.practitioner'])
})
const slot = (): Promise<Row> => {
  const at = (offset: number) => new Date(Date.UTC(2032, 0, 1, hour + offset)).toISOString()
  const values = { startsAt: at(0), endsAt: at(1) }
  hour++
  return created(practitioner, 'slots', values)
}
const book = (client: Client, { id }: Row, more: object = {}) => create(client, 'visits', { slot: id, ...more })

test('one of many patients gets a slot, and another one after it is canceled', async t => {
  const free = await slot()
  const patients = await Promise.all(Array.from({ length: 8 }, () => telehealth.people.person()))
  const answers = await Promise.all(patients.map(patient => book(patient, free)))
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array.from({ length: 7 }, () => 409)])
  const winner = answers.findIndex(({ status }) => status === 201)
  const [first, next] = [patients[winner], patients[(winner + 1) % patients.length]] as [Client, Client]
  const { id } = (answers[winner] as { body: Row }).body
  t.is((await change(first, 'visits', id, { status: 'canceled' })).status, 200)
  t.is((await book(next, free)).status, 201)
})

test('the plan of each patient allows two visits a month, and a bought one more', async t => {
  const [ada, bob] = await Promise.all([telehealth.people.person(), telehealth.people.person()])
  for (const patient of [ada, bob]) {
    t.is((await book(patient, await slot())).status, 201)
    t.is((await book(patient, await slot())).status, 201)
  }
  const third = await slot()
  t.like(await book(ada, third), { status: 403, body: { code: 'entitlement_exceeded' } })
  t.is((await ada.post('/v1/billing/checkout', { planKey: 'plus' })).status, 201)
  t.is((await book(ada, third)).status, 201)
  t.is((await book(bob, await slot())).status, 403)
})

test('patients see their own visits and answers, and the practitioner sees all', async t => {
  const [ada, bob] = await Promise.all([telehealth.people.person(), telehealth.people.person()])
  const visits = await Promise.all([ada, bob].map(async patient => (await book(patient, await slot())).body as Row))
  const [first, second] = visits as [Row, Row]
  t.is((await create(ada, 'answers', { visit: first.id, symptoms: 'Cough' })).status, 201)
  t.is((await create(ada, 'answers', { visit: second.id, symptoms: 'Cough' })).status, 422)
  t.deepEqual(
    (await rowsOf(ada, 'visits')).map(({ id }) => id),
    [first.id],
  )
  t.deepEqual(await rowsOf(bob, 'answers'), [])
  t.is((await bob.get(`/v1/data/visits/${first.id}` as never)).status, 404)
  const all = (await rowsOf(practitioner, 'visits', '?limit=200')).map(({ id }) => id)
  t.true(visits.every(({ id }) => all.includes(id)))
  t.is((await rowsOf(practitioner, 'answers', `?filter[visit]=${first.id}`))[0]?.symptoms, 'Cough')
})

test('a patient books for nobody else, and holds no visit by themselves', async t => {
  const [ada, bob] = await Promise.all([telehealth.people.person(), telehealth.people.person()])
  const own = (await book(ada, await slot())).body as Row
  t.is((await book(bob, await slot(), { patient: own.patient })).status, 403)
  t.is((await change(ada, 'visits', own.id, { status: 'held' })).status, 403)
  t.is((await change(practitioner, 'visits', own.id, { status: 'held' })).status, 200)
})

test('practitioner and patient join one session', async t => {
  const ada = await telehealth.people.person()
  const visit = (await book(ada, await slot())).body as Row
  const session = await practitioner.post('/v1/sessions', { mode: 'screenshare' } as never)
  t.is(session.status, 201)
  const { join_token } = session.body as unknown as { join_token: string }
  t.is((await change(practitioner, 'visits', visit.id, { joinToken: join_token })).status, 200)
  const [shown] = await rowsOf(ada, 'visits')
  t.is(shown?.joinToken, join_token)
  for (const joiner of [ada, practitioner])
    t.is((await joiner.post('/v1/join', { join_token: shown?.joinToken } as never)).status, 200)
})

test('a patient is told by email that the visit is booked', async t => {
  const ada = await telehealth.people.person()
  await book(ada, await slot())
  t.true((await mailTo(telehealth, ada.email)).includes('Your visit is booked'))
})
