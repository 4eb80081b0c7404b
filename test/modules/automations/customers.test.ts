/** In a product of people, runs count for the customer who started them. */
import test from 'ava'
import { expectStatus, type Listed } from '../../fixtures/people.ts'
import { withPeople } from '../../fixtures/with-people.ts'

const { kernel, people } = withPeople(test, {
  recipe: {
    product: { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080', audience: 'people' },
    modules: { identity: {}, billing: {}, collections: {}, automations: {} },
    entitlements: { 'automations.runs': { kind: 'meter', period: 'month' } },
    plans: { free: { name: 'Free', price: 0, entitlements: { 'automations.runs': 2 } } },
    collections: {
      notes: {
        fields: { title: { type: 'text' } },
        access: { create: { 'tenant.customer': true }, read: { 'tenant.customer': { createdBy: '$user' } } },
      },
      stamps: { fields: { title: { type: 'text' } } },
    },
    automations: {
      stamp: {
        on: 'collections.notes.created',
        steps: [{ 'collections.create': { collection: 'stamps', values: { title: '{{ row.title }}' } } }],
      },
      // What a run writes starts another one, for the same customer.
      repeat: { on: 'collections.stamps.created', steps: [{ wait: '400d' }] },
    },
  },
})

interface Run {
  readonly id: string
  readonly automation: string
  readonly state: string
  readonly error: { readonly code: string } | null
}
const runsOf = async (automation: string) => {
  await kernel.automations.settle()
  const operator = await people.operator()
  const { data } = expectStatus(
    200,
    await operator.get<Listed<Run>>(`/v1/automations/runs?filter[automation]=${automation}`),
  )
  return data.map(({ state, error }) => error?.code ?? state).sort()
}

test.serial('a run counts for the customer whose row started it, and not for others or for the staff', async t => {
  const [ada, ben, operator] = [await people.person(), await people.person(), await people.operator()]
  for (const title of ['one', 'two', 'three']) {
    expectStatus(201, await ada.post('/v1/data/notes', { title }))
    await kernel.automations.settle()
  }
  // Each note starts two runs, and the plan has two.
  t.deepEqual(await runsOf('stamp'), ['done', 'entitlement_exceeded', 'entitlement_exceeded'])
  t.deepEqual(await runsOf('repeat'), ['waiting'])
  expectStatus(201, await ben.post('/v1/data/notes', { title: 'of Ben' }))
  for (const title of ['a', 'b', 'c']) expectStatus(201, await operator.post('/v1/data/notes', { title }))
  t.deepEqual(await runsOf('stamp'), [
    'done',
    'done',
    'done',
    'done',
    'done',
    'entitlement_exceeded',
    'entitlement_exceeded',
  ])
  t.deepEqual(await runsOf('repeat'), ['waiting', 'waiting', 'waiting', 'waiting', 'waiting'])
})

test.serial('a run of a customer who has left counts for the operator', async t => {
  const eva = await people.person()
  const before = await runsOf('stamp')
  expectStatus(201, await eva.post('/v1/data/notes', { title: 'last' }))
  expectStatus(204, await eva.post('/v1/auth/me/delete', { password: eva.password }))
  t.deepEqual(await runsOf('stamp'), [...before, 'done'].sort())
})

test.serial('a customer sees how a run for their row ended, and nothing that its steps wrote', async t => {
  const [fay, operator] = [await people.person(), await people.operator()]
  const { id } = expectStatus(201, await fay.post<{ id: string }>('/v1/data/notes', { title: 'of Fay' }))
  await kernel.automations.settle()
  const { data } = expectStatus(200, await fay.get<Listed<Run>>(`/v1/automations/runs?filter[rowId]=${id}`))
  t.like(data, [{ automation: 'stamp', state: 'done' }])
  const at = `/v1/automations/runs/${data[0]?.id}`
  t.like(expectStatus(200, await fay.get(at)), { input: {}, steps: [{ state: 'done', input: null, output: null }] })
  t.like(expectStatus(200, await operator.get(at)), { steps: [{ input: { values: { title: 'of Fay' } } }] })
})
