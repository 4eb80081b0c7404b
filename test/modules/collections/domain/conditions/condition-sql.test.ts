import test, { type ExecutionContext } from 'ava'
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

const firms = makeCollection('firms', {
  trashMs: 1000,
  fields: { city: { type: 'text' }, boss: { type: 'member' } },
})
const groups = makeCollection('groups', {
  fields: {
    owner: { type: 'member' },
    firm: { type: 'reference', reference: { to: 'firms' } },
    firms: { type: 'reference', reference: { to: 'firms', many: true } },
  },
})
const tags = makeCollection('tags', {
  trashMs: 1000,
  fields: {
    name: { type: 'text' },
    weight: { type: 'integer' },
    live: { type: 'boolean' },
    group: { type: 'reference', reference: { to: 'groups' } },
  },
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
const collections = collectionsOf(firms, groups, tags, items)
const TENANT = 'ten_a'

let fixture: Fixture
test.before(async () => {
  fixture = await createFixture()
  const owner = new pg.Client(fixture.ownerUrl)
  owner.on('error', () => {})
  await owner.connect()
  const query = ((sql, values) => owner.query(sql, values as unknown[])) as Migrator['query']
  await createTables(createMigrator(query, fixture.roles.roles), [firms, groups, tags, items])
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
  'Ä',
  'a\u0308',
  'é',
  'É',
  'e',
  'ß',
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
const LINKED: Readonly<Record<string, readonly string[]>> = {
  tags: ['tag_1', 'tag_2', 'tag_3', 'tag_4'],
  groups: ['group_1', 'group_2', 'group_3'],
  firms: ['firm_1', 'firm_2', 'firm_3'],
}
const arbitraryOf = ({ type, reference }: Field) => {
  const links = fc.constantFrom(...(LINKED[reference?.to ?? 'tags'] as string[]))
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
const keys = [
  ...keysOf(items),
  ...keysOf(tags, 'tag.'),
  ...keysOf(tags, 'tags.'),
  ...keysOf(groups, 'tag.group.'),
  ...keysOf(firms, 'tag.group.firm.'),
  ...keysOf(firms, 'tags.group.firms.'),
]
const variablesOf = (type: string): string[] =>
  type === 'member'
    ? ['$member', '$user']
    : type === 'datetime' || type === 'date'
      ? ['$now']
      : type === 'text' || type === 'enum'
        ? ['$tenant', '$member', '$role', '$plan', '$user.profile.region']
        : type === 'integer' || type === 'money'
          ? ['$entitlement(seats)', '$user.profile.rank']
          : type === 'boolean'
            ? ['$entitlement(sso)']
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
const ofCaller = fc.constantFrom(
  ['$plan', 'eq', 'a'],
  ['$plan', 'in', ['a', 'b']],
  ['$plan', 'ne', 'a'],
  ['$role', 'eq', 'a'],
  ['$role', 'notIn', ['b']],
  ['$role', 'exists', false],
  ['$entitlement(seats)', 'gt', 1],
  ['$entitlement(sso)', 'eq', true],
  ['$user.profile.region', 'startsWith', 'a'],
  ['tags.group.firms', 'contains', '$member'],
  ['tags.group.owner', 'contains', 'mem_1'],
) as fc.Arbitrary<readonly [string, string, unknown]>
const tests = (minLength: number): fc.Arbitrary<Condition> =>
  fc.array(fc.oneof({ weight: 6, arbitrary: test_ }, ofCaller), { minLength, maxLength: 3 }).map(given => {
    const made: Record<string, Record<string, unknown>> = {}
    for (const [key, operator, operand] of given) made[key] = { ...made[key], [operator]: operand }
    return made as Condition
  })
const nested = (depth: number): fc.Arbitrary<Condition> =>
  depth === 0
    ? tests(1)
    : fc
        .record(
          {
            tests: tests(1),
            or: fc.array(nested(depth - 1), { minLength: 1, maxLength: 3 }),
            not: nested(depth - 1),
          },
          { requiredKeys: [] },
        )
        .filter(parts => Object.keys(parts).length > 0)
        .map(({ tests: plain, ...words }) => ({ ...plain, ...words }) as Condition)
const condition: fc.Arbitrary<Condition> = fc.oneof(tests(0), nested(1), nested(2), nested(3))
const subject: fc.Arbitrary<Subject> = fc.record({
  $member: fc.option(members, { nil: undefined }),
  $user: fc.option(fc.constantFrom('usr_1', 'mem_1'), { nil: undefined }),
  $tenant: fc.constant(TENANT),
  $now: times,
  $role: fc.option(fc.uniqueArray(fc.constantFrom('a', 'b', 'ä'), { maxLength: 2 }), { nil: undefined }),
  $plan: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
  '$entitlement(seats)': fc.option(fc.constantFrom(0, 1, 2, Number.MAX_SAFE_INTEGER), { nil: undefined }),
  '$entitlement(sso)': fc.option(fc.boolean(), { nil: undefined }),
  '$user.profile.region': fc.option(fc.constantFrom('a', 'Ä'), { nil: undefined }),
  '$user.profile.rank': fc.option(fc.constantFrom(1, 2), { nil: undefined }),
})

const start = Date.now() % 2 ** 31
const ROUNDS = 10
const RULES = 500
// One after the other, because they share the tables.
for (const seed of [start, start + 1000])
  test.serial(`5,000 conditions select the same rows in SQL and in memory (seed ${seed})`, t => compare(t, seed))

async function compare(t: ExecutionContext, seed: number): Promise<void> {
  const { database } = fixture
  const tenant = database.tenant(TENANT)
  const rowsOf = (collection: Collection) =>
    fc.tuple(...(LINKED[collection.name] as string[]).map(id => rowOf(collection, id)))
  const someRows = fc.record({
    firms: rowsOf(firms),
    groups: rowsOf(groups),
    tags: rowsOf(tags),
    items: fc.tuple(...Array.from({ length: 12 }, (_, at) => rowOf(items, `item_${at}`))),
  })
  let matched = 0
  for (const [round, made] of fc.sample(someRows, { numRuns: ROUNDS, seed }).entries()) {
    await fixture.asOwner(
      'truncate data_firms, data_groups, data_groups__firms, data_tags, data_items, data_items__tags',
    )
    await tenant.all(
      [firms, groups, tags, items].flatMap(collection =>
        made[collection.name as keyof typeof made].flatMap(row => insertRow(TENANT, collection, row)),
      ),
    )
    // Rows in the trash and rows of other tenants don't count.
    await tenant.query("update data_tags set deleted_at = now() where id = 'tag_4'")
    await tenant.query("update data_firms set deleted_at = now() where id = 'firm_3'")
    const linked = [...made.firms, ...made.groups, ...made.tags].filter(({ id }) => id !== 'tag_4' && id !== 'firm_3')
    const findRows: FindRows = (_, wanted) => linked.filter(({ id }) => wanted.includes(id))
    const given = fc.sample(fc.tuple(condition, subject), { numRuns: RULES, seed: seed + round })
    const resolved = given.map(([when, who]) => resolveCondition({ collections }, items, when, who))
    const expected = resolved.map(each =>
      made.items
        .filter(row => matchesCondition(each, row, findRows))
        .map(({ id }) => id)
        .sort(),
    )
    const steps = resolved.map(each => {
      const context = createSqlContext('ten_operator')
      const where = conditionSql(context, items, each, 'r')
      return [`select r.id from data_items r where ${where}`, context.parameters.values] as const
    })
    const results = await tenant.all(steps)
    for (const [at, { rows }] of results.entries()) {
      const ids = rows.map(({ id }) => String(id)).sort()
      t.deepEqual(ids, expected[at], JSON.stringify({ given: given[at], sql: steps[at] }, null, 1))
      if (ids.length > 0 && ids.length < made.items.length) matched++
    }
  }
  t.true(matched > (ROUNDS * RULES) / 10, `only ${matched} rules told rows apart`)
}

const ROWS = ['open', 'solved', null].map((level, at) => ({
  id: `item_${at}`,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  createdBy: null,
  revision: 1,
  title: level,
  teacher: at === 0 ? 'mem_1' : null,
}))
const matchesOf = (when: Condition, who: Partial<Subject> = {}): (string | null)[] => {
  const everybody = { $member: undefined, $user: undefined, $tenant: TENANT, $now: '2026-01-01T00:00:00.000Z' }
  const resolved = resolveCondition({ collections }, items, when, { ...everybody, ...who })
  return ROWS.filter(row => matchesCondition(resolved, row, () => [])).map(({ title }) => title)
}

test('not includes rows without a value', t => {
  t.deepEqual(matchesOf({ not: { title: 'solved' } }), ['open', null])
  t.deepEqual(matchesOf({ not: { title: { startsWith: 's' } } }), ['open', null])
  t.deepEqual(matchesOf({ not: { not: { title: 'solved' } } }), ['solved'])
  t.deepEqual(matchesOf({ not: { title: 'solved', teacher: 'mem_1' } }), ['open', 'solved', null])
  t.deepEqual(matchesOf({ not: { or: [{ title: 'solved' }, { teacher: 'mem_1' }] } }), [null])
})

test('not opens no row to a caller whose variable has no value', t => {
  for (const inner of [
    { teacher: '$member' },
    { teacher: { in: ['$member', 'mem_1'] } },
    { teacher: { ne: '$member' } },
    { not: { teacher: '$member' } },
    { or: [{ teacher: '$member' }] },
  ] as Condition[]) {
    t.deepEqual(matchesOf({ not: inner }), [], JSON.stringify(inner))
    t.true(matchesOf({ not: inner }, { $member: 'mem_9' }).length + matchesOf(inner, { $member: 'mem_9' }).length > 0)
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
  fc.assert(property, { seed: start, numRuns: 200 })
})

test('a condition rejects names and operators that the collection does not have', t => {
  for (const [key, code] of [
    ['nothing', 'unknown_field'],
    ['title.name', 'unknown_field'],
    ['tag.nothing', 'unknown_field'],
    ['tag.name.x', 'unknown_field'],
    ['tag.group.firm.city.x', 'unknown_field'],
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
