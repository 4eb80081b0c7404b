import { encodeCursor, Nullable, type RecordOf, Type, table } from '@larder-dev/larder/kernel'
import test from 'ava'
import type { Model, ModelStatic } from 'sequelize'
import type { LazyModel, PageQuery } from '../../../services/postgres/ports.ts'
import { createFixture, type Fixture } from './fixtures.ts'

const thingTable = table(
  'test_things',
  Type.Object({ id: Type.String(), tenantId: Type.String(), name: Type.String(), size: Nullable(Type.Integer()) }),
  { what: 'thing' },
)
const partTable = table(
  'test_parts',
  Type.Object({ id: Type.String(), tenantId: Type.String(), thingId: Type.String() }),
  { what: 'part' },
)
type Thing = RecordOf<typeof thingTable>

let fixture: Fixture
test.before(async () => {
  fixture = await createFixture()
})
test.beforeEach(async () => {
  await fixture.asOwner('truncate test_things, test_parts')
})
test.after.always(() => fixture.end())

/** With the types of Sequelize. */
const modelOf = async <Row extends object>(load: LazyModel<Row>) =>
  (await load()) as unknown as ModelStatic<Model<Row, Partial<Row>>>

async function models() {
  const things = fixture.models.of(thingTable)
  const [Things, Parts] = await Promise.all([modelOf(things), modelOf(fixture.models.of(partTable))])
  if ((await modelOf(things)) !== Things) throw new Error('a model is defined once')
  Things.hasMany(Parts, { foreignKey: 'thingId', as: 'parts' })
  return { things, Things, Parts }
}

test.serial(
  'a model creates, finds, updates and follows associations inside a unit, limited to its tenant',
  async t => {
    const { Things, Parts } = await models()
    const { database } = fixture
    await database.tenant('ten_b').transaction(() => Things.create({ id: 'b', tenantId: 'ten_b', name: "O'B" }))
    await database.tenant('ten_a').transaction(async unit => {
      await Things.create({ id: 'a', tenantId: 'ten_a', name: "it's", size: 1 })
      await Parts.create({ id: 'p', tenantId: 'ten_a', thingId: 'a' })
      const [changed] = await Things.update({ size: 7 }, { where: { id: 'a' } })
      t.is(changed, 1)
      const found = await Things.findAll({ include: [{ association: 'parts' }] })
      t.deepEqual(
        found.map(thing => thing.get({ plain: true })),
        [
          {
            id: 'a',
            tenantId: 'ten_a',
            name: "it's",
            size: 7,
            parts: [{ id: 'p', tenantId: 'ten_a', thingId: 'a' }],
          } as never,
        ],
      )
      t.is((await unit.query('select from test_things where size = 7')).rowCount, 1)
      t.is(await Parts.destroy({ where: { id: 'p' } }), 1)
    })
    t.deepEqual(await fixture.things(), ['a', 'b'])
  },
)

test.serial('rolls back writes of a model with their unit', async t => {
  const { Things } = await models()
  await t.throwsAsync(
    fixture.database.tenant('ten_a').transaction(async () => {
      await Things.create({ id: 'a', tenantId: 'ten_a', name: 'a' })
      throw new Error('no')
    }),
  )
  const duplicate = fixture.database.tenant('ten_a').transaction(async () => {
    await Things.create({ id: 'a', tenantId: 'ten_a', name: 'a' })
    await Things.create({ id: 'a', tenantId: 'ten_a', name: 'b' })
  })
  const error = await t.throwsAsync(duplicate)
  t.is(error?.name, 'SequelizeUniqueConstraintError')
  t.notRegex(JSON.stringify(error), /ten_a/, 'the error contains no values, because it is logged')
  t.deepEqual(await fixture.things(), [])
})

test.serial('rejects a model outside a unit, and a transaction begun by a model', async t => {
  const { Things } = await models()
  await t.throwsAsync(Things.findAll(), { message: /inside a unit of work/ })
  await fixture.database.tenant('ten_a').transaction(async () => {
    const begin = Things.sequelize?.query('START TRANSACTION') as Promise<unknown>
    await t.throwsAsync(begin, { message: /'start transaction' is not allowed/ })
  })
})

test.serial('pages through rows in both directions, and ignores undefined filters', async t => {
  const { things, Things } = await models()
  const unit = fixture.database.tenant('ten_a')
  await unit.transaction(async () => {
    for (const id of ['a', 'b', 'c']) await Things.create({ id, tenantId: 'ten_a', name: id, size: id === 'b' ? 2 : 1 })
  })
  const ids = async (query: PageQuery<Thing>) => {
    const { data, nextCursor } = await fixture.models.page(unit, things, query)
    return { ids: data.map(({ id }) => id), cursor: nextCursor ?? undefined }
  }
  const first = await ids({ limit: 2 })
  t.deepEqual(first.ids, ['c', 'b'])
  t.deepEqual(await ids({ limit: 2, cursor: first.cursor }), { ids: ['a'], cursor: undefined })
  t.deepEqual((await ids({ oldestFirst: true, limit: 1 })).ids, ['a'])
  t.deepEqual((await ids({ where: { size: 1, name: undefined } })).ids, ['c', 'a'])
  t.deepEqual((await ids({ where: ({ gt }) => ({ size: { [gt]: 1 } }) })).ids, ['b'])
  t.deepEqual((await ids({ cursor: encodeCursor(["' or true --"]), oldestFirst: true })).ids, ['a', 'b', 'c'])
  await t.throwsAsync(ids({ cursor: 'x' }), { code: 'invalid_cursor' })
})

test.serial('finds one row, and rejects an undefined condition instead of matching any row', async t => {
  const { things, Things } = await models()
  const unit = fixture.database.tenant('ten_a')
  await unit.transaction(() => Things.create({ id: 'f', tenantId: 'ten_a', name: 'f', size: 2 }))
  const find = (name: string | undefined) => fixture.models.find(unit, things, { id: 'f', name })
  t.deepEqual(await find('f'), { id: 'f', tenantId: 'ten_a', name: 'f', size: 2 })
  t.is(await find('y'), undefined)
  await t.throwsAsync(find(undefined), { message: /undefined/ })
})

test.serial('does not prepare the statements into which a model writes values', async t => {
  const { Things } = await models()
  const names = await fixture.database.tenant('ten_a').transaction(async unit => {
    for (let times = 0; times < 3; times++) await Things.findAll({ where: { id: 'secret' }, raw: true })
    return unit.query("select name from pg_prepared_statements where statement like '%''secret''%'")
  })
  t.is(names.rowCount, 0)
})

test.serial('reports a lost connection as SQL does', async t => {
  const { Things } = await models()
  const lost = fixture.database.tenant('ten_a').transaction(async unit => {
    const { rows } = await unit.query<{ pid: number }>('select pg_backend_pid() as pid')
    await fixture.asOwner('select pg_terminate_backend($1)', [rows[0]?.pid])
    await Things.findAll()
  })
  await t.throwsAsync(lost, { code: 'database_unavailable' })
})
