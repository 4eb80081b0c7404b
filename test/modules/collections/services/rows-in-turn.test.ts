/** Rows that are written at once: the hooks of each see the rows before it. Visits of one room must not overlap. */
import test from 'ava'
import { startTestKernel } from '../../../../testing/index.ts'
import { newEmail } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { visits } from '../academy/collections.ts'
import { academyRecipe } from '../fixtures.ts'
import { ended, errorsOf, type Import, send } from '../imports/fixtures.ts'

interface Visit {
  readonly id: string
  readonly starts: number
}
interface Refused {
  readonly code: string
  readonly errors: readonly { readonly pointer: string; readonly code: string }[]
}

let rooms = 0

const { kernel, ada } = withPeople(test, { recipe: academyRecipe }, { ada: 'owner' })

const newRoom = (): string => `room ${++rooms}`
const visit = (room: string, starts: number, ends: number, code?: string) => ({
  room,
  starts,
  ends,
  ...(code && { code }),
})
const post = <Body>(path: string, body: unknown) => ada.post<Body>(`/v1/data/visits${path}`, body as object)
async function startsIn(room: string): Promise<number[]> {
  const { body } = await ada.get<{ data: Visit[] }>(`/v1/data/visits?filter[room]=${room}&sort=starts`)
  return body.data.map(({ starts }) => starts)
}
async function imported(file: string, query: string): Promise<Import> {
  const { token, tenantId } = ada
  const { body } = await send({ url: kernel.url, token, tenantId }, `visits/imports${query}`, file)
  return ended(ada, 'visits', body.id)
}
const pointersOf = ({ errors }: Refused) => errors.map(({ pointer }) => pointer)

test('a list of two overlapping rows is refused, at the second one', async t => {
  const room = newRoom()
  const { status, body } = await post<Refused>('', [visit(room, 1, 3), visit(room, 2, 4)])
  t.is(status, 422, JSON.stringify(body))
  t.deepEqual(pointersOf(body), ['/1/starts'])
  t.deepEqual(await startsIn(room), [])
})

test('a list of rows that follow each other is written', async t => {
  const room = newRoom()
  const { status, body } = await post<{ data: Visit[] }>('', [visit(room, 1, 2), visit(room, 2, 3), visit(room, 3, 4)])
  t.is(status, 201, JSON.stringify(body))
  t.deepEqual(
    body.data.map(({ starts }) => starts),
    [1, 2, 3],
  )
  t.deepEqual(await startsIn(room), [1, 2, 3])
})

test('the errors of all rows of a list are reported', async t => {
  const room = newRoom()
  await post('', visit(room, 1, 3))
  const { body } = await post<Refused>('', [visit(room, 2, 4), visit(room, 5, 6), visit(room, 1, 2)])
  t.deepEqual(pointersOf(body), ['/0/starts', '/2/starts'])
  t.deepEqual(await startsIn(room), [1])
})

test('a value that two rows of a list share is refused at the second one', async t => {
  const room = newRoom()
  const rows = [visit(room, 1, 2, `${room} a`), visit(room, 2, 3, `${room} a`)]
  const { status, body } = await post<Refused>('', rows)
  t.is(status, 409)
  t.like(body, { code: 'value_taken', errors: [{ pointer: '/1/code', code: 'taken' }] })
})

test('lists that write the same unique values in opposite orders take turns', async t => {
  const [left, right] = [newRoom(), newRoom()]
  const codes = Array.from({ length: 20 }, (_, at) => `${left} ${at}`)
  const list = (room: string, from: readonly string[]) => from.map((code, at) => visit(room, at, at + 1, code))
  const replies = await Promise.all([
    post<Refused>('', list(left, codes)),
    post<Refused>('', list(right, codes.toReversed())),
  ])
  t.deepEqual(replies.map(({ status }) => status).sort(), [201, 409])
})

test('operations of a batch see those before them: creates, upserts, changes and deletions', async t => {
  const room = newRoom()
  const first = (await post<Visit>('', visit(room, 1, 2))).body
  const create = { action: 'create', data: visit(room, 3, 5) }
  const batches = [
    [create, { action: 'create', data: visit(room, 4, 6) }],
    [create, { action: 'upsert', by: 'code', data: visit(room, 4, 6, `${room} upsert`) }],
    [create, { action: 'update', id: first.id, data: { starts: 4, ends: 6 } }],
  ]
  for (const operations of batches) {
    const { status, body } = await post<Refused>('/batch', { operations })
    t.is(status, 422, JSON.stringify(body))
    t.deepEqual(pointersOf(body), ['/operations/1/data/starts'])
  }
  const replaced = await post('/batch', {
    operations: [
      { action: 'delete', id: first.id },
      { action: 'create', data: visit(room, 1, 2) },
    ],
  })
  t.is(replaced.status, 200)
  t.deepEqual(await startsIn(room), [1])
  const restored = await ada.post<Refused>(`/v1/data/visits/${first.id}/restore`)
  t.is(restored.body.code, 'room_taken')
})

test('code that creates several rows is refused in the same way', async t => {
  const room = newRoom()
  const rows = kernel.kernel.ports.collections.rows(visits, { tenantId: ada.tenantId })
  await t.throwsAsync(rows.createMany([visit(room, 1, 3), visit(room, 2, 4)]), { message: /invalid/ })
  t.deepEqual(await startsIn(room), [])
})

for (const onError of ['stop', 'skip'])
  test(`an import reports each row that a row before it excludes, with onError=${onError}`, async t => {
    const room = newRoom()
    const rows = [visit(room, 1, 3), visit(room, 2, 4), visit(room, 2, 3), visit(room, 3, 5), visit(room, 4, 6)]
    const file = `room,starts,ends\n${rows.map(each => [each.room, each.starts, each.ends].join()).join('\n')}\n`
    const { id, state, rows: counts } = await imported(file, `?onError=${onError}`)
    t.is(state, onError === 'stop' ? 'failed' : 'succeeded')
    t.is(counts.created, onError === 'stop' ? 0 : 2)
    const errors = await errorsOf(ada, 'visits', id)
    t.deepEqual(
      errors.map(({ row, column }) => [row, column]),
      [
        [2, 'starts'],
        [3, 'starts'],
        [5, 'starts'],
      ],
    )
    t.deepEqual(await startsIn(room), onError === 'stop' ? [] : [1, 3])
  })

test('the rows of an import are written in the order of the file, new and existing ones', async t => {
  const room = newRoom()
  await post('', visit(room, 1, 3, `${room} a`))
  const file = `code,room,starts,ends\n${room} a,${room},5,6\n${room} b,${room},1,3\n${room} b,${room},2,4\n`
  for (const query of ['?by=code&dryRun=true', '?by=code']) {
    const { id, state } = await imported(file, query)
    t.is(state, 'succeeded', JSON.stringify(await errorsOf(ada, 'visits', id)))
  }
  t.deepEqual(await startsIn(room), [2, 5])
})

test('rows that a hook creates between those of a list count for the limit of the plan', async t => {
  const product = await startTestKernel({
    recipe: {
      ...academyRecipe,
      modules: { ...academyRecipe.modules, billing: {} },
      collections: {
        ...academyRecipe.collections,
        topics: { fields: { name: { type: 'text' } }, limit: 'topics.count' },
      },
      entitlements: { 'topics.count': { kind: 'gauge' } },
      plans: { free: { name: 'Free', price: 0, entitlements: { 'topics.count': 3 } } },
    },
  })
  t.teardown(() => product.stop())
  const person = await product.register(newEmail('bob'))
  const create = (...names: string[]) => person.post<Refused>('/v1/data/topics', names.map(name => ({ name })) as never)
  t.is((await create('a', 'b', 'c', 'd')).body.code, 'entitlement_exceeded')
  t.is((await create('a', 'twice', 'c')).body.code, 'entitlement_exceeded')
  t.is((await create('a', 'twice')).status, 201)
})
