import test from 'ava'
import fc from 'fast-check'
import pg from 'pg'
import type { Migrator } from '../../../../../kernel/internal.ts'
import {
  type FindRows,
  matchesCondition,
} from '../../../../../modules/collections/domain/conditions/condition-match.ts'
import { conditionSql, createSqlContext } from '../../../../../modules/collections/domain/conditions/condition-sql.ts'
import { resolveCondition } from '../../../../../modules/collections/domain/conditions/resolved-condition.ts'
import type { Collection, Field, Row } from '../../../../../modules/collections/domain/declarations/collection.ts'
import type { Condition, Subject } from '../../../../../modules/collections/domain/declarations/condition.ts'
import { SYSTEM_SPECS, specOf } from '../../../../../modules/collections/domain/fields/field-types.ts'
import { createMigrator } from '../../../../../services/postgres/migration.ts'
import { createFixture, type Fixture } from '../../../../services/postgres/fixtures.ts'
import { collectionsOf, createTables, insertRow, makeCollection } from '../../hand-made.ts'

const tags = makeCollection('tags', {
  trashMs: 1000,
  fields: { name: { type: 'text' }, weight: { type: 'integer' }, live: { type: 'boolean' } },
})
const items = makeCollection('items', {
  fields: {
    title: { type: 'text' },
    body: { type: 'markdown' },
    order: { type: 'integer' },
    score: { type: 'number' },
    price: { type: 'money', currency: 'EUR' },
    done: { type: 'boolean' },
    day: { type: 'date' },
    startsAt: { type: 'datetime' },
    length: { type: 'duration' },
    level: { type: 'enum', values: ['a', 'b', 'c'] },
    data: { type: 'json' },
    teacher: { type: 'member' },
    tag: { type: 'reference', reference: { to: 'tags' } },
    tags: { type: 'reference', reference: { to: 'tags', many: true } },
  },
})
const collections = collectionsOf(tags, items)
const TENANT = 'ten_a'

let fixture: Fixture
test.before(async () => {
  fixture = await createFixture()
  const owner = new pg.Client(fixture.ownerUrl)
  owner.on('error', () => {})
  await owner.connect()
  const query = ((sql, values) => owner.query(sql, values as unknown[])) as Migrator['query']
  await createTables(createMigrator(query, fixture.roles.roles), [tags, items])
  await owner.end()
})
test.after.always(() => fixture.end())

const words = [
  '',
  'a',
  'A',
  'ab',
  'b',
  'ä',
  '€',
  '𝄞',
  '\uffee',
  "'; drop table x; --",
  '$1',
  '%',
  '_',
  '\\',
  '"',
  '$now',
  'null',
]
const text = fc.constantFrom(...words)
const numbers = fc.constantFrom(0, 1, -1, 2, 10, 1_000_000, Number.MAX_SAFE_INTEGER)
const floats = fc.oneof(numbers, fc.constantFrom(0.5, -0.25, 1e-7, 1e300, -0))
const days = fc.constantFrom('2026-01-01', '2026-01-02', '2024-02-29', '0001-01-01', '9999-12-31')
const times = fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', '2025-12-31T23:59:59.999Z')
const durations = fc.constantFrom('0s', '1ms', '90m', '1h', '1d', '60m')
const ids = fc.constantFrom('tag_1', 'tag_2', 'tag_3', 'tag_4', 'tag_9')
const members = fc.constantFrom('mem_1', 'mem_2')
const arbitraries: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  text,
  markdown: text,
  integer: numbers,
  money: numbers,
  number: floats,
  boolean: fc.boolean(),
  date: days,
  datetime: times,
  duration: durations,
  enum: fc.constantFrom('a', 'b', 'c'),
  member: members,
  reference: ids,
  json: fc.constantFrom(1, 'x', [], [1], {}, false),
}

const system = (id: string) =>
  fc.record({
    id: fc.constant(id),
    createdAt: times,
    updatedAt: times,
    createdBy: fc.option(fc.constantFrom('usr_1', 'usr_2')),
    revision: fc.constantFrom(1, 2, 3),
  })
const arbitraryOf = ({ type, reference }: Field) => {
  const links = fc.constantFrom('tag_1', 'tag_2', 'tag_3', 'tag_4')
  if (reference?.many) return fc.uniqueArray(links, { maxLength: 3 })
  return fc.option(reference ? links : (arbitraries[type] as fc.Arbitrary<unknown>), { freq: 3 })
}
const rowOf = (collection: Collection, id: string): fc.Arbitrary<Row> =>
  fc
    .tuple(
      system(id),
      fc.record(Object.fromEntries([...collection.fields].map(([n, field]) => [n, arbitraryOf(field)]))),
    )
    .map(([own, fields]) => ({ ...own, ...fields }))

const SYSTEM_TYPES = {
  id: 'reference',
  createdAt: 'datetime',
  updatedAt: 'datetime',
  createdBy: 'member',
  revision: 'integer',
}
const keysOf = ({ fields }: Collection, prefix = '') => [
  ...[...fields.values()].map(field => ({ key: prefix + field.name, spec: specOf(field), type: field.type as string })),
  ...Object.entries(SYSTEM_SPECS).map(([name, spec]) => ({
    key: prefix + name,
    spec,
    type: SYSTEM_TYPES[name as keyof typeof SYSTEM_TYPES],
  })),
]
const keys = [...keysOf(items), ...keysOf(tags, 'tag.'), ...keysOf(tags, 'tags.')]
const variablesOf = (type: string): string[] =>
  type === 'member'
    ? ['$member', '$user']
    : type === 'datetime' || type === 'date'
      ? ['$now']
      : type === 'text'
        ? ['$tenant', '$member']
        : []
const test_ = fc.constantFrom(...keys).chain(({ key, spec, type }) => {
  const variables = variablesOf(type)
  const plain = arbitraries[type] as fc.Arbitrary<unknown>
  const value = variables.length > 0 ? fc.oneof(plain, fc.constantFrom(...variables)) : plain
  return fc.constantFrom(...spec.operators).chain(operator => {
    const operand =
      operator === 'exists'
        ? fc.boolean()
        : operator === 'in' || operator === 'notIn'
          ? fc.array(value, { maxLength: 3 })
          : value
    return operand.map(given => [key, operator, given] as const)
  })
})
const condition: fc.Arbitrary<Condition> = fc.array(test_, { maxLength: 3 }).map(tests => {
  const made: Record<string, Record<string, unknown>> = {}
  for (const [key, operator, operand] of tests) made[key] = { ...made[key], [operator]: operand }
  return made as Condition
})
const subject: fc.Arbitrary<Subject> = fc.record({
  $member: fc.option(members, { nil: undefined }),
  $user: fc.option(fc.constantFrom('usr_1', 'mem_1'), { nil: undefined }),
  $tenant: fc.constant(TENANT),
  $now: times,
})

const seed = Date.now() % 2 ** 31
test(`conditions select the same rows in SQL and in memory (seed ${seed})`, async t => {
  const { database } = fixture
  const tenant = database.tenant(TENANT)
  const someRows = fc.tuple(
    fc.tuple(...['tag_1', 'tag_2', 'tag_3', 'tag_4'].map(id => rowOf(tags, id))),
    fc.tuple(...Array.from({ length: 12 }, (_, at) => rowOf(items, `item_${at}`))),
  )
  for (const [round, [tagRows, itemRows]] of fc.sample(someRows, { numRuns: 6, seed }).entries()) {
    await fixture.asOwner('truncate data_tags, data_items, data_items__tags')
    await tenant.all([
      ...tagRows.flatMap(row => insertRow(TENANT, tags, row)),
      ...itemRows.flatMap(row => insertRow(TENANT, items, row)),
    ])
    // Rows in the trash and rows of other tenants don't count.
    await tenant.query("update data_tags set deleted_at = now() where id = 'tag_4'")
    const found = tagRows.filter(({ id }) => id !== 'tag_4')
    const findRows: FindRows = (_, wanted) => found.filter(({ id }) => wanted.includes(id))
    const given = fc.sample(fc.tuple(condition, subject), { numRuns: 120, seed: seed + round })
    const expected = given.map(([when, who]) => {
      const resolved = resolveCondition({ collections }, items, when, who)
      return itemRows
        .filter(row => matchesCondition(resolved, row, findRows))
        .map(({ id }) => id)
        .sort()
    })
    const steps = given.map(([when, who]) => {
      const context = createSqlContext('ten_operator')
      const where = conditionSql(context, items, resolveCondition({ collections }, items, when, who), 'r')
      return [`select r.id from data_items r where ${where}`, context.parameters.values] as const
    })
    const results = await tenant.all(steps)
    for (const [at, { rows }] of results.entries()) {
      const ids = rows.map(({ id }) => String(id)).sort()
      t.deepEqual(ids, expected[at], JSON.stringify({ given: given[at], sql: steps[at] }, null, 1))
    }
  }
})

test('no operand becomes part of the text of a statement', t => {
  const property = fc.property(fc.constantFrom(...keys), fc.string(), (found, operand) => {
    const marked = `zzz${operand}zzz`
    for (const operator of found.spec.operators) {
      if (operator === 'exists') continue
      const given = operator === 'in' || operator === 'notIn' ? [marked] : marked
      const context = createSqlContext('ten_operator')
      try {
        const resolved = resolveCondition({ collections }, items, { [found.key]: { [operator]: given } } as Condition)
        t.false(conditionSql(context, items, resolved, 'r').includes('zzz'))
        t.true(context.parameters.values.flat().includes(marked))
      } catch (error) {
        t.is((error as { code?: string }).code, 'wrong_type')
      }
    }
  })
  fc.assert(property, { seed, numRuns: 200 })
})

test('a condition rejects names and operators that the collection does not have', t => {
  for (const [key, code] of [
    ['nothing', 'unknown_field'],
    ['title.name', 'unknown_field'],
    ['tag.nothing', 'unknown_field'],
    ['tag.name.x', 'unknown_field'],
    ['__proto__', 'unknown_field'],
    ['constructor', 'unknown_field'],
    ['', 'unknown_field'],
  ] as const)
    t.like(
      t.throws(() => resolveCondition({ collections }, items, { [key]: 'x' } as Condition)),
      { code },
      key,
    )
  const unknown = t.throws(() => resolveCondition({ collections }, items, { data: { eq: 1 } }))
  t.like(unknown, { code: 'unknown_operator', operator: 'eq' })
})
