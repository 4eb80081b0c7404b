import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { create, expectStatus, type ListBody, streamsRecipe } from '../fixtures.ts'

const { ada } = withPeople(test, { recipe: streamsRecipe() }, { ada: 'owner' })

const rowsOf = async (person: Person, path: string) =>
  expectStatus(200, await person.get<ListBody<unknown>>(path)).data.length

for (const [what, end, body] of [
  ['stream', undefined, { customer: 'once' }],
  ['stream token', '/tokens', { role: 'viewer' }],
  ['source', '/sources', { kind: 'screen' }],
] as const)
  test(`creates one ${what} per Idempotency-Key and replays the response`, async t => {
    const path = end === undefined ? '/v1/streams' : `/v1/streams/${(await create(ada)).id}${end}`
    const options = { headers: { 'idempotency-key': `once at ${path}` } }
    const first = await ada.post<{ join_token?: string; token?: string }>(path, body, options)
    const second = await ada.post(path, body, options)
    t.is(first.status, 201)
    t.deepEqual([second.status, second.body as object], [first.status, first.body])
    t.is(second.headers.get('location'), first.headers.get('location'))
    t.is(second.headers.get('idempotent-replayed'), 'true')
    t.is((await ada.post(path, { ...body, metadata: { other: 1 }, label: 'other' }, options)).status, 422)
    t.is(await rowsOf(ada, end === undefined ? `${path}?filter[customer]=once` : path), 1)
  })
