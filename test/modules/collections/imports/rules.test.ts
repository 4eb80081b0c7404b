/** Which rows an import accepts, and from whom. */
import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { type Colleague, codeOf, type Listed, type problem } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { ended, errorsOf, type Import, type Sender, send } from './fixtures.ts'

interface Row {
  readonly id: string
  readonly [field: string]: unknown
}

// Functions, because recipes have no aliases.
const shown = () => ({ 'tenant.member': { hidden: false } })
const all = () => ({ 'tenant.member': true })
const recipe = {
  modules: { identity: {}, billing: {}, collections: {} },
  plans: { free: { name: 'Free', price: 0, entitlements: { 'seats.count': 3 } } },
  entitlements: { 'seats.count': { kind: 'gauge', name: 'Seats' } },
  collections: {
    topics: {
      fields: { name: { type: 'text', required: true, unique: true }, hidden: { type: 'boolean', default: false } },
      access: { read: shown(), create: shown(), update: shown() },
    },
    entries: { fields: { name: { type: 'text', unique: true } }, access: { read: all(), create: all() } },
    items: {
      fields: {
        code: { type: 'text', unique: true },
        title: { type: 'text', required: true },
        serial: { type: 'text', unique: true },
        day: { type: 'date', unique: true },
        kind: { type: 'text', writeOnce: true },
        total: { type: 'integer', readOnly: true },
        topics: { type: 'reference', to: 'topics', many: true },
      },
      access: { read: all(), create: all(), update: all() },
    },
    seats: { fields: { name: { type: 'text' } }, limit: 'seats.count' },
  },
}

const { kernel, people } = withPeople(test, { recipe })

type Someone = Person | Colleague
const senderOf = ({ token, tenantId }: Someone): Sender => ({ url: kernel.url, token, tenantId })
const post = (person: Someone, path: string, file: string, headers?: Readonly<Record<string, string>>) =>
  send(senderOf(person), path, file, headers)
async function run(person: Someone, path: string, file: string): Promise<Import> {
  const sent = await post(person, path, file)
  if (sent.status !== 202) throw new Error(JSON.stringify(sent.body))
  const [collection = ''] = path.split('/')
  return ended(person, collection, sent.body.id)
}
const rowsOf = async (person: Someone, query: string): Promise<Row[]> =>
  (await person.get<Listed<Row>>(`/v1/data/${query}`)).body.data
const errorCodes = async (person: Someone, collection: string, { id }: Import) =>
  (await errorsOf(person, collection, id)).map(({ row, column, code }) => [row, column, code])

test('an import that updates rows requires the permission to update them', async t => {
  const owner = await people.person()
  const member = await people.colleague(owner, ['tenant.member'])
  t.is(codeOf(await post(member, 'entries/imports?by=name', 'name\nA')), '403 forbidden')
  t.is((await run(member, 'entries/imports', 'name\nA')).state, 'succeeded')
})

test('the key of a row that the caller cannot read is taken', async t => {
  const owner = await people.person()
  const member = await people.colleague(owner, ['tenant.member'])
  await owner.post('/v1/data/topics', { name: 'Secret', hidden: true })
  const result = await run(member, 'topics/imports?by=name', 'name\nSecret\n')
  t.is(result.state, 'failed')
  t.deepEqual(await errorCodes(member, 'topics', result), [[1, 'name', 'taken']])
})

test('a row without a value of its key is invalid', async t => {
  const person = await people.person()
  const result = await run(person, 'items/imports?by=code', 'code,title\n,A\n')
  t.deepEqual(await errorCodes(person, 'items', result), [[1, 'code', 'required']])
})

test('a file must have the column of its key', async t => {
  const { body } = await post(await people.person(), 'items/imports?by=code', 'title\nA\n')
  t.deepEqual((body as unknown as ReturnType<typeof problem>).errors, [
    { pointer: '/columns', code: 'required', detail: 'must include "code"' },
  ])
})

test('finds rows by a date', async t => {
  const person = await people.person()
  await person.post('/v1/data/items', { title: 'Old', day: '2026-03-29' })
  const { rows } = await run(person, 'items/imports?by=day', 'day,title\n2026-03-29,New\n')
  t.like(rows, { updated: 1, created: 0 })
  t.like(await rowsOf(person, 'items'), [{ title: 'New', day: '2026-03-29' }])
})

test('reads lists of names with commas or semicolons between them', async t => {
  const person = await people.person()
  const { body } = await person.post<{ data: Row[] }>('/v1/data/topics', [{ name: 'One' }, { name: 'Two' }] as never)
  await run(person, 'items/imports', 'title,topics\nA,"One, Two"\nB,One;Two\n')
  const ids = body.data.map(({ id }) => id)
  t.deepEqual(
    (await rowsOf(person, 'items')).map(({ topics }) => topics),
    [ids, ids],
  )
})

test('an update keeps values that can only be set once', async t => {
  const person = await people.person()
  await person.post('/v1/data/items', { code: 'a', title: 'Old', kind: 'first' })
  const { state } = await run(person, 'items/imports?by=code', 'code,title,kind\na,New,second\n')
  t.is(state, 'succeeded')
  t.like(await rowsOf(person, 'items'), [{ title: 'New', kind: 'first' }])
})

test('a later row of a file may update an earlier one with the same unique values', async t => {
  const person = await people.person()
  const { state } = await run(person, 'items/imports?by=code', 'code,title,serial\na,One,x\na,Two,x\n')
  t.is(state, 'succeeded')
  t.like(await rowsOf(person, 'items'), [{ title: 'Two', serial: 'x' }])
})

test('reports cells with control characters', async t => {
  const person = await people.person()
  const result = await run(person, 'items/imports', 'code,title\na,A\u0000B\n')
  t.deepEqual(await errorCodes(person, 'items', result), [[1, 'title', 'not_allowed']])
})

test('a read-only field is no column', async t => {
  const owner = await people.person()
  const member = await people.colleague(owner, ['tenant.member'])
  const { body } = await post(member, 'items/imports', 'title,total\nA,1\n')
  t.like(body, { errors: [{ pointer: '/columns/1', code: 'unknown_field' }] })
})

test('a dry run checks the limit of the plan', async t => {
  const person = await people.person()
  const result = await run(person, 'seats/imports?dryRun=true', 'name\nA\nB\nC\nD\n')
  t.like(result, { state: 'failed', failure: { code: 'entitlement_exceeded' } })
})

test('a dry run with invalid rows succeeds and lists their errors', async t => {
  const person = await people.person()
  const result = await run(person, 'items/imports?dryRun=true', 'code,title\na,\n')
  t.like(result, { state: 'succeeded', failure: null, rows: { failed: 1 } })
  t.deepEqual(await errorCodes(person, 'items', result), [[1, 'title', 'required']])
})

test('an idempotency key belongs to a user and to the parameters of the import', async t => {
  const owner = await people.person()
  const member = await people.colleague(owner, ['tenant.member'])
  const key = { 'idempotency-key': 'shared' }
  const first = await post(owner, 'items/imports?dryRun=true', 'title\nA\n', key)
  t.is(codeOf(await post(owner, 'items/imports', 'title\nA\n', key)), '422 idempotency_mismatch')
  const theirs = await post(member, 'items/imports?dryRun=true', 'title\nA\n', key)
  t.is(theirs.status, 202)
  t.not(theirs.body.id, first.body.id)
})

test('owners list the imports of all members', async t => {
  const owner = await people.person()
  const member = await people.colleague(owner, ['tenant.member'])
  const { id } = await run(member, 'items/imports', 'title\nA\n')
  t.deepEqual(
    (await rowsOf(owner, 'items/imports')).map(row => row.id),
    [id],
  )
})

test('a file that is rejected leaves no active import', async t => {
  const person = await people.person()
  for (let attempt = 0; attempt < 10; attempt++)
    t.is(codeOf(await post(person, 'items/imports', 'title\n')), '422 import_empty')
  t.is((await run(person, 'items/imports', 'title\nA\n')).state, 'succeeded')
})
