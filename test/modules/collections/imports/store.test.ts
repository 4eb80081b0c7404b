/** Imports between their steps: interrupted, repeated and old ones. No worker runs. */
import test from 'ava'
import { DAY, HOUR, MINUTE, wording } from '../../../../kernel/index.ts'
import type { ImportOptions, RowError } from '../../../../modules/collections/domain/imports/import-record.ts'
import type { StoredCaller } from '../../../../modules/collections/domain/rights/stored-caller.ts'
import type { Imports } from '../../../../modules/collections/services/imports/imports.ts'
import type { Listed } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { servicesOf } from '../services-of.ts'
import type { Import, ImportRowError } from './fixtures.ts'

const recipe = {
  modules: { identity: {}, collections: {} },
  collections: { things: { fields: { name: { type: 'text', required: true } } } },
}

let imports: Imports
let memberId: string

const { kernel, clock, owner } = withPeople(
  test,
  { recipe, role: 'web', clock: true },
  { owner: 'owner' },
  async () => {
    imports = servicesOf(kernel).imports
    memberId = (await owner.get('/v1/identity/members')).body.data[0]?.id ?? ''
  },
)

const { signal } = new AbortController()
const unitOf = () => kernel.kernel.ports.database.tenant(owner.tenantId)
const read = async (id: string) => (await owner.get<Import>(`/v1/data/things/imports/${id}`)).body
const names = async (): Promise<unknown[]> =>
  (await owner.get<Listed<{ name: string }>>('/v1/data/things?sort=name')).body.data.map(({ name }) => name)

async function create(options: Partial<ImportOptions> = {}): Promise<string> {
  const { userId } = owner
  const caller = { kind: 'login', principalId: 'lgn_1', userId, memberId, roles: ['tenant.owner'], permissions: ['*'] }
  return imports.store.create(owner.tenantId, {
    collection: 'things',
    format: 'ndjson',
    by: null,
    onError: 'skip',
    dryRun: false,
    ...options,
    caller: caller as unknown as StoredCaller,
  })
}
async function queued(rows: readonly string[], options: Partial<ImportOptions> = {}): Promise<string> {
  const id = await create(options)
  const texts = rows.map((name, at) => JSON.stringify({ line: at + 1, values: { name } }))
  await imports.store.addBatch(owner.tenantId, id, 0, texts)
  await unitOf().transaction(unit =>
    imports.store.queue(unit, id, { rows: rows.length, digest: id, idempotencyKey: undefined }),
  )
  return id
}
const written = (id: string, from: number, rows: number) =>
  unitOf().transaction(unit =>
    imports.store.recordWritten(unit, owner.tenantId, id, from, { rows, created: rows, updated: 0, errors: [] }),
  )
const wrong = (row: number, column: string): RowError => ({
  row,
  column,
  line: row,
  code: 'invalid',
  wording: wording('is invalid'),
})

test.serial('continues an interrupted import with the row after the last one that was written', async t => {
  const id = await queued(['a', 'b', 'c'])
  await imports.store.startWriting(owner.tenantId, id)
  await written(id, 0, 2)
  await imports.runner.run(owner.tenantId, id, signal)
  t.deepEqual(await names(), ['c'])
  t.like(await read(id), { state: 'succeeded', rows: { processed: 3, created: 3 } })
})

test.serial('only one of two processes records the same rows', async t => {
  const id = await queued(['a', 'b'])
  await imports.store.startWriting(owner.tenantId, id)
  t.true(await written(id, 0, 1))
  t.false(await written(id, 0, 1))
  t.is((await read(id)).rows.processed, 1)
})

test.serial('a check that was interrupted starts again without the errors that it found', async t => {
  const id = await queued(['a', 'b'])
  await imports.store.startCheck(owner.tenantId, id)
  await imports.store.recordCheck(owner.tenantId, id, 2, [wrong(1, 'name')])
  await imports.store.startCheck(owner.tenantId, id)
  t.like((await read(id)).rows, { checked: 0, failed: 0 })
  const { body } = await owner.get<Listed<ImportRowError>>(`/v1/data/things/imports/${id}/errors`)
  t.deepEqual(body.data, [])
})

test.serial('counts failed rows, keeps their first 1,000 errors, and lists those page by page', async t => {
  const id = await queued(['a'])
  await imports.store.startCheck(owner.tenantId, id)
  const rows = Array.from({ length: 501 }, (_, at) => at + 1)
  await imports.store.recordCheck(
    owner.tenantId,
    id,
    501,
    rows.flatMap(row => [wrong(row, 'name'), wrong(row, 'other')]),
  )
  t.is((await read(id)).rows.failed, 501)
  const found = await kernel.all<ImportRowError>(owner, `/v1/data/things/imports/${id}/errors?limit=199`)
  t.is(found.length, 1000)
  t.is(new Set(found.map(({ row, column }) => `${row} ${column}`)).size, 1000)
})

test.serial('an import that has ended keeps no rows', async t => {
  const id = await queued(['a'])
  t.is((await imports.store.batch(owner.tenantId, id, 0)).length, 1)
  await imports.store.finish(owner.tenantId, id, 'canceled')
  t.deepEqual(await imports.store.batch(owner.tenantId, id, 0), [])
  t.false(await imports.store.finish(owner.tenantId, id, 'succeeded'))
})

test.serial('cancels the imports of one user only', async t => {
  const id = await queued(['a'])
  const failure = { code: 'rights_changed', wording: wording('The collection no longer exists.') }
  await imports.store.cancelOf(owner.tenantId, 'usr_other', failure)
  t.is((await read(id)).state, 'queued')
  await imports.store.cancelOf(owner.tenantId, owner.userId, failure)
  t.like(await read(id), {
    state: 'canceled',
    failure: { code: 'rights_changed', detail: 'The collection no longer exists.' },
  })
  t.deepEqual(await imports.store.batch(owner.tenantId, id, 0), [])
})

test.serial('an import fails if its collection is gone', async t => {
  const id = await queued(['a'], { collection: 'gone' })
  await imports.runner.run(owner.tenantId, id, signal)
  t.deepEqual(await imports.store.batch(owner.tenantId, id, 0), [])
})

test.serial('lists imports newest first, page by page', async t => {
  const ids = [await queued(['a']), await queued(['b']), await queued(['c'])]
  const first = await owner.get<Listed<Import>>('/v1/data/things/imports?limit=2')
  const rest = await owner.get<Listed<Import>>(`/v1/data/things/imports?limit=1&cursor=${first.body.nextCursor}`)
  const listed = [...first.body.data, ...rest.body.data].map(({ id }) => id)
  t.deepEqual(listed, ids.toReversed())
})

test.serial('an upload that was interrupted an hour ago is not active, and is deleted', async t => {
  const before = await imports.store.countActive(owner.tenantId)
  const id = await create()
  t.is(await imports.store.countActive(owner.tenantId), before + 1)
  const system = kernel.kernel.ports.systemDatabase.acrossTenants('a test deletes old imports')
  const isStored = async () => {
    const { rows } = await system.query('select 1 from collections_imports where id = $1', [id])
    return rows.length > 0
  }
  clock.forward(HOUR - MINUTE)
  await imports.store.sweep(system)
  t.true(await isStored())
  clock.forward(2 * MINUTE)
  t.is(await imports.store.countActive(owner.tenantId), before)
  await imports.store.sweep(system)
  t.false(await isStored())
})

test.serial('deletes imports after 30 days', async t => {
  const system = kernel.kernel.ports.systemDatabase.acrossTenants('a test deletes old imports')
  const id = await queued(['a'])
  clock.forward(29 * DAY)
  await imports.store.sweep(system)
  const stored = 'select 1 from collections_imports where id = $1'
  t.is((await system.query(stored, [id])).rows.length, 1)
  clock.forward(2 * DAY)
  await imports.store.sweep(system)
  t.is((await system.query(stored, [id])).rows.length, 0)
})
