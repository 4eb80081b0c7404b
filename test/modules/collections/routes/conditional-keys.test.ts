/** Unique keys that count only the rows of a condition, at every entrance that writes rows. */
import test from 'ava'
import type { Person, TestResponse } from '../../../../testing/index.ts'
import { type Colleague, codeOf, type Listed } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { ended, errorsOf, send } from '../imports/fixtures.ts'

interface Row {
  readonly id: string
  readonly [field: string]: unknown
}
interface Refusal {
  readonly code: string
  readonly errors?: readonly { readonly pointer: string; readonly code: string }[]
}
const members = () => ({ 'tenant.member': true })
const recipe = {
  modules: { identity: {}, billing: {}, collections: {} },
  plans: { free: { name: 'Free', price: 0 } },
  collections: {
    seats: {
      fields: {
        number: { type: 'integer', unique: true },
        email: { type: 'email' },
        status: { type: 'enum', values: ['active', 'left'], default: 'active' },
      },
      unique: { fields: ['email'], where: { status: 'active' } },
      access: { read: members(), create: members(), update: members(), delete: members() },
      trash: '30d',
    },
    notes: {
      fields: { kind: { type: 'text' }, level: { type: 'integer' }, sent: { type: 'boolean' } },
      unique: [{ fields: ['kind', 'level'], where: { sent: { ne: true }, kind: { notIn: ['free', 'any'] } } }],
      index: [['kind', 'level']],
      access: { read: members(), create: members() },
    },
  },
}
const { kernel, people } = withPeople(test, { recipe })

const url = '/v1/data/seats'
const EMAIL = 'ada@example.com'
const create = (client: Person | Colleague, values: object) =>
  client.post<Row & Refusal>(url, { email: EMAIL, ...values })
const assertTaken = (
  t: { like(a: object, b: object): boolean },
  { status, body }: TestResponse<Refusal>,
  pointer: string,
) => t.like({ status, body }, { status: 409, body: { code: 'value_taken', errors: [{ pointer, code: 'taken' }] } })

test('only rows of the condition count', async t => {
  const ada = await people.person()
  const first = await create(ada, { status: 'left' })
  t.is((await create(ada, { status: 'left' })).status, 201)
  t.is((await create(ada, {})).status, 201)
  assertTaken(t, await create(ada, { status: 'active' }), '/email')
  assertTaken(t, await ada.patch(`${url}/${first.body.id}`, { status: 'active' }), '/email')
  t.is((await create(await people.person(), {})).status, 201)
})

test('a list and a batch are refused as a whole, with the place of the row', async t => {
  const ada = await people.person()
  const rows = (list: readonly object[]) =>
    ada.post<Refusal>(
      url,
      list.map(row => ({ email: EMAIL, ...row })),
    )
  t.is((await rows([{ status: 'left' }, { status: 'left' }, {}])).status, 201)
  assertTaken(t, await rows([{ email: 'b@example.com' }, { status: 'left' }, {}]), '/2/email')
  assertTaken(t, await rows([{ email: 'b@example.com' }, { email: 'b@example.com' }]), '/1/email')
  const batch = await ada.post<Refusal>(`${url}/batch`, {
    operations: [
      { action: 'create', data: { email: 'c@example.com' } },
      { action: 'create', data: { email: 'c@example.com' } },
    ],
  })
  assertTaken(t, batch, '/operations/1/data/email')
})

test('is restored from the trash only while the values are free', async t => {
  const ada = await people.person()
  const { body } = await create(ada, {})
  await ada.delete(`${url}/${body.id}`)
  await create(ada, {})
  assertTaken(t, await ada.post<Refusal>(`${url}/${body.id}/restore`, {}), '/email')
})

test('an upsert finds rows by fields that are unique in all rows only', async t => {
  const ada = await people.person()
  t.is(codeOf(await ada.put(`${url}?by=email`, { email: EMAIL })), '400 malformed')
  await create(ada, {})
  assertTaken(t, await ada.put(`${url}?by=number`, { number: 1, email: EMAIL }), '/email')
})

test('an import reports rows whose values are taken, in the file or in the table', async t => {
  const ada = await people.person()
  await create(ada, {})
  const file = `email,status\n${EMAIL},active\n${EMAIL},left\nb@example.com,left\nb@example.com,\nb@example.com,active`
  const sender = { url: kernel.url, token: ada.token, tenantId: ada.tenantId }
  for (const query of ['', '?dryRun=true', '?onError=skip']) {
    const sent = await send(sender, `seats/imports${query}`, file)
    await ended(ada, 'seats', sent.body.id)
    const errors = await errorsOf(ada, 'seats', sent.body.id)
    t.deepEqual(
      errors.map(({ row, column, code }) => [row, column, code]),
      [
        [1, 'email', 'taken'],
        [5, 'email', 'taken'],
      ],
      query,
    )
  }
  t.is((await ada.get<Listed<Row>>(url)).body.data.length, 4)
})

test('a condition of opposites counts rows without a value', async t => {
  const ada = await people.person()
  const note = (values: object) => ada.post<Refusal>('/v1/data/notes', { kind: 'a', level: 1, ...values })
  t.is((await note({})).status, 201)
  t.is((await note({ sent: true })).status, 201)
  t.is((await note({ sent: true })).status, 201)
  t.is((await note({ kind: 'free' })).status, 201)
  t.is((await note({ kind: 'free' })).status, 201)
  assertTaken(t, await note({ sent: false }), '/kind')
  assertTaken(
    t,
    await ada.post('/v1/data/notes', [
      { kind: 'b', level: 1 },
      { kind: 'b', level: 1, sent: false },
    ]),
    '/1/kind',
  )
  const found = await ada.get<Listed<Row>>('/v1/data/notes?filter[kind]=a&filter[level][gte]=1&sort=level')
  t.is(found.body.data.length, 3)
})
