import test from 'ava'
import { VARIABLES, variableOf } from '../../../../modules/collections/domain/declarations/condition.ts'
import { CollectionSchema } from '../../../../modules/collections/recipe/sections.ts'
import { recipeProblems, toLine } from '../../recipe-problems.ts'

interface EditorSchema {
  readonly examples?: readonly unknown[]
  readonly items?: EditorSchema
  readonly properties?: Readonly<Record<string, EditorSchema>>
  readonly additionalProperties?: EditorSchema
}

const MODULES =
  'modules: { identity: {}, billing: {}, media: {}, collections: {} }\nplans: { free: { name: Free, price: 0 } }\n'
const COURSES = `${MODULES}entitlements: { courses.count: { kind: gauge }, exports: { kind: flag } }
roles:
  tenant.teacher: { name: Teacher, permissions: [identity.member.read] }
collections:
  categories:
    fields: { name: { type: text, required: true, unique: true } }
  tags: { fields: { name: { type: text } } }
  courses:
    label: { en: Course, de: Kurs }
    fields:
      title: { type: text, required: true, maxLength: 200 }
      slug: { type: slug, from: title, unique: true }
      summary: { type: markdown }
      level: { type: enum, values: [beginner, advanced], default: beginner }
      price: { type: money, currency: EUR, min: 0 }
      startsAt: { type: datetime, index: true }
      published: { type: boolean, default: false }
      cover: { type: file, accept: [image/*], maxSize: 5MB }
      teacher: { type: member }
      category: { type: reference, to: categories, onDelete: restrict }
      tags: { type: reference, to: tags, many: true }
      outline: { type: json, schema: { type: array } }
      length: { type: duration, min: 1m, max: 8h, default: 90m }
      gross: { type: computed, expression: "round(price * 1.19)", of: integer }
    search: [title, summary]
    unique: [[teacher, title]]
    limit: courses.count
    access:
      read: { anyone: { published: true }, tenant.member: true }
      create: { tenant.teacher: true }
      update: { tenant.teacher: { teacher: $member, startsAt: { gt: $now }, category.name: { startsWith: A } } }
    trash: 30d
    history: 50
`

test('accepts a recipe with every type of field', async t => {
  t.deepEqual((await recipeProblems(t, COURSES)).map(toLine), [])
})

test('reports collections whose visitors would solve tasks, although they create no rows', async t => {
  const source = (proof: string, access = 'create: { anyone: true }') =>
    `modules: { identity: {}, collections: { guestProof: ${proof} } }\ncollections:\n  tickets: { fields: { title: { type: text } }, access: { ${access} } }\n  notes: { fields: { title: { type: text } } }\n`
  const found = async (...given: Parameters<typeof source>) => (await recipeProblems(t, source(...given))).map(toLine)
  for (const proof of ['{}', '{ tries: 100 }', '{ collections: [tickets] }']) t.deepEqual(await found(proof), [], proof)
  for (const [proof, expected] of [
    ['{ collections: [tickts] }', /Unknown collection "tickts".*Did you mean "tickets"/],
    ['{ collections: [notes] }', /Visitors create no rows of "notes".*create: \{ anyone: true \}/],
    ['{ collections: [] }', /collections/],
    ['{ tries: 5 }', /tries|at least 10/],
    ['{ tries: many }', /tries|integer|number/],
    ['{ cost: 5 }', /Unknown key "cost"/],
  ] as const) {
    const [line = '', ...more] = await found(proof)
    t.regex(line, expected, proof)
    t.deepEqual(more, [], proof)
  }
  const [line = ''] = await found('{}', 'read: { tenant.member: true }')
  t.regex(line, /Visitors create rows of no collection/)
})

/** A collection whose field `x` has these options, beside a text field `title`. */
const field = (options: string) =>
  `${MODULES}collections:\n  courses:\n    fields:\n      title: { type: text }\n      x: { ${options} }\n  tags: { fields: { name: { type: text } } }\n`
const collection = (options: string) =>
  `${MODULES}collections:\n  courses:\n    fields: { title: { type: text }, price: { type: number }, secret: { type: text, private: true }, tags: { type: reference, to: courses, many: true } }\n    ${options}\n`

const STATES = 'type: enum, values: [open, done], default: open'
const FIELD_MISTAKES: readonly (readonly [options: string, code: string, expected: RegExp])[] = [
  [`${STATES}, transitions: { opn: [done] }`, 'unknown_value', /"opn" is not a value of "x".*Did you mean "open"/],
  [`${STATES}, transitions: { open: [done, don] }`, 'unknown_value', /"don" is not a value.*Did you mean "done"/],
  [`${STATES}, transitions: { open: [open, done] }`, 'invalid_option', /"open" can't follow itself/],
  [`${STATES}, transitions: { open: [done] }, initial: [donee]`, 'unknown_value', /"donee".*Did you mean "done"/],
  [`${STATES}, transitions: { open: [done] }, roles: { no: [tenant.member] }`, 'unknown_value', /"no" is not a value/],
  [`${STATES}, transitions: { open: [done] }, roles: { done: [tenant.membr] }`, 'unknown_role', /tenant\.member/],
  [`${STATES}, transitions: { open: [done] }, writeOnce: true`, 'invalid_option', /transitions can't have writeOnce/],
  [`${STATES}, initial: [open]`, 'invalid_option', /initial needs transitions/],
  [`${STATES}, roles: { open: [tenant.member] }`, 'invalid_option', /roles needs transitions/],
  ['type: enum, values: [a, b], transitions: { a: [b], b: [a] }', 'invalid_option', /No new row.*Add default: a/],
  ['type: enum, values: [a, In work], default: a, transitions: { a: [In work] }', 'invalid_value', /name of an event/],
  ['type: enum, values: [a, b, c], default: a, transitions: { a: [b] }', 'unreachable_state', /No row can become c/],
  ['type: text, transitions: { a: [b] }', 'unknown_key', /Unknown key "transitions"/],
  ['type: txt', 'invalid_value', /"txt".*Did you mean "text"/],
  ['type: string', 'invalid_value', /Use text\. Allowed values/],
  ['unique: true', 'missing_key', /Missing key "type"/],
  ['type: text, min: 3', 'unknown_key', /Unknown key "min".*/],
  ['type: money', 'missing_key', /Missing key "currency"/],
  ['type: money, currency: EUX', 'invalid_value', /"EUX" is not a currency of ISO 4217 → Did you mean/],
  ['type: file, accept: [video/*]', 'invalid_option', /type video\/\*.*Add a type of this kind.*image\/png/],
  ['type: file, accept: [image/png, text/csv]', 'invalid_option', /type text\/csv.*Add text\/csv to its option allow/],
  ['type: file, maxSize: 1GB', 'invalid_option', /more than the 100 MiB.*Use at most 100MiB/],
  ['type: text, maxLength: 20000', 'invalid_option', /at most 10000 characters → Use type longtext/],
  ['type: text, unique: true, maxLength: 900', 'invalid_option', /at most 600/],
  ['type: text, minLength: 9, maxLength: 3', 'invalid_option', /minLength 9 is more than maxLength 3/],
  ['type: integer, min: 9, max: 3', 'invalid_option', /min 9 is more than max 3/],
  ['type: integer, default: 1.5', 'invalid_value', /default/],
  ['type: integer, min: 3, default: 1', 'invalid_value', /The default of "x" must be at least 3/],
  ['type: enum, values: [a, b], default: c', 'invalid_value', /must be one of a, b/],
  ['type: enum, values: [draft], labels: { drafts: Draft }', 'unknown_value', /"drafts" is not a value of "x".*draft/],
  ['type: date, default: 2026-02-30', 'invalid_value', /must be a date/],
  ['type: text, pattern: "(a)\\\\1"', 'invalid_pattern', /linear time/],
  ['type: text, unique: true, default: a', 'invalid_option', /only one row could have the default/],
  ['type: slug, from: titel', 'unknown_field', /Unknown field "titel".*Did you mean "title"/],
  ['type: reference, to: course', 'unknown_collection', /Unknown collection "course" → Did you mean "courses"/],
  ['type: reference, to: courses, many: true, unique: true', 'invalid_option', /several rows can't have unique/],
  ['type: reference, to: tags, required: true, onDelete: clear', 'invalid_option', /can't be cleared/],
  ['type: reference, to: courses, required: true', 'circular_reference', /courses\.x → courses/],
  ['type: json, schema: { type: lst }', 'invalid_schema', /is invalid/],
  ['type: json, schema: { type: array }, default: 3', 'invalid_value', /doesn't match the schema/],
  ['type: member, using: "title"', 'invalid_option', /can't be computed, because it is of type member/],
  ['type: date, using: "today()"', 'invalid_expression', /using can't read the time/],
  ['type: text, default: $now', 'invalid_value', /can't be \$now, because it is of type text/],
  ['type: date, default: $tomorrow', 'invalid_value', /default/],
  ['type: text, default: { expression: "titel" }', 'invalid_expression', /Unknown field "titel".*title/],
  ['type: text, default: { expression: "x" }', 'invalid_expression', /can't read itself/],
  ['type: date, default: { expression: "title" }', 'invalid_expression', /The result is a text/],
  ['type: text, default: { expression: "split(title)" }', 'invalid_expression', /split\(\) requires 3 operands, not 1/],
  ['type: computed, of: date, expression: "today()"', 'invalid_expression', /can't compute a field from the time/],
  ['type: date, onUpdate: $now, writeOnce: true', 'invalid_option', /written once/],
  ['type: text, sequence: "T-0000"', 'invalid_value', /sequence/],
  ['type: text, sequence: "T-{0}", default: x', 'invalid_option', /can't have default/],
  ['type: text, sequence: "T-{0}", unique: false', 'invalid_option', /always has unique/],
  ['type: integer, using: "number(title"', 'invalid_expression', /ends early/],
  ['type: computed, of: text, expression: "titel + 1"', 'invalid_expression', /Unknown field "titel"/],
  ['type: computed, of: text, expression: "title * 2"', 'invalid_expression', /Expected a number, but found a text/],
  ['type: computed, of: number, expression: "title"', 'invalid_expression', /The result is a text/],
  ['type: computed, of: text, expression: "upper(title"', 'invalid_expression', /ends early/],
  ['type: text, required: true, readOnly: true', 'invalid_option', /nobody can write it/],
  ['type: text, read: [tenant.techer]', 'unknown_role', /Unknown role "tenant.techer"/],
  ['type: text, was: title', 'invalid_rename', /still a field/],
]
for (const [options, code, expected] of FIELD_MISTAKES)
  test(`reports the field { ${options} }`, async t => {
    const [problem, ...rest] = await recipeProblems(t, field(options))
    t.is(problem?.code, code)
    t.regex(toLine(problem as never), expected)
    t.deepEqual(rest.map(toLine), [])
    t.true(Number(problem?.line) >= 7)
  })

const MISTAKES: readonly (readonly [options: string, code: string, expected: RegExp])[] = [
  ['unique: [[title, prize]]', 'unknown_field', /Unknown field "prize".*Did you mean "price"/],
  ['unique: [[title, tags]]', 'invalid_option', /can't be part of a unique key/],
  ['unique: { fields: [titel], where: { title: a } }', 'unknown_field', /Unknown field "titel".*Did you mean "title"/],
  ['unique: [{ fields: [title] }]', 'missing_key', /where/],
  ['unique: [{ fields: [title], where: { titel: a } }]', 'unknown_field', /"titel".*Did you mean "title"/],
  ['unique: [{ fields: [title], where: { tags.title: a } }]', 'unknown_field', /Use fields of the row itself/],
  ['unique: [{ fields: [title], where: { createdBy: a } }]', 'unknown_field', /Unknown field "createdBy"/],
  ['unique: [{ fields: [title], where: { price: { gt: 3 } } }]', 'invalid_condition', /Operators: eq, ne, in, notIn/],
  ['unique: [{ fields: [title], where: { price: cheap } }]', 'invalid_condition', /compared with a number/],
  ['unique: [{ fields: [title], where: { title: $user } }]', 'invalid_condition', /can't use \$user → Use a constant/],
  ['unique: [{ fields: [title], where: { secret: a } }]', 'invalid_condition', /private/],
  ['unique: [[title, price], [price, title]]', 'duplicate_name', /declared twice/],
  ['index: [[title, prize]]', 'unknown_field', /Unknown field "prize".*Did you mean "price"/],
  ['index: [[title, tags]]', 'invalid_option', /can't be part of an index/],
  ['index: [[title, price], [title, price]]', 'duplicate_name', /declared twice/],
  ['index: [[title]]', 'invalid_value', /at least 2/],
  ['search: [titel]', 'unknown_field', /Did you mean "title"/],
  ['search: [price]', 'invalid_option', /no text to search/],
  ['search: [secret]', 'invalid_option', /not readable by everyone/],
  ['limit: courses.count', 'unknown_entitlement', /Unknown entitlement "courses.count" → Add it under entitlements/],
  ['access: { read: { tenant.membr: true } }', 'unknown_role', /Did you mean "tenant.member"/],
  ['access: { update: { anyone: true } }', 'invalid_option', /not signed in can't update.*read and create only/],
  ['access: { delete: { anyone: true } }', 'invalid_option', /not signed in can't delete/],
  ['access: { create: { anyone: { titel: a } } }', 'unknown_field', /Unknown field "titel"/],
  ['access: { create: { anyone: { createdBy: $user } } }', 'invalid_condition', /not signed in have no \$user/],
  ['scope: shared\n    access: { create: { anyone: true } }', 'invalid_option', /shared collection can't be created/],
  ['access: { create: { signedIn: true } }', 'invalid_option', /without a role can't create/],
  ['access: { read: { signdIn: true } }', 'unknown_role', /Did you mean "signedIn"/],
  ['access: { read: { tenant.member: { titel: a } } }', 'unknown_field', /Unknown field "titel"/],
  ['access: { read: { tenant.member: { secret: a } } }', 'invalid_condition', /private/],
  ['access: { read: { tenant.member: { price: cheap } } }', 'invalid_condition', /must be compared with a number/],
  [
    'access: { read: { tenant.member: { price: { contains: 3 } } } }',
    'invalid_condition',
    /Operator contains can't be used/,
  ],
  ['access: { read: { tenant.member: { title: $me } } }', 'invalid_condition', /Unknown variable "\$me"/],
  ['access: { read: { tenant.member: { a.b.c.d.title: a } } }', 'invalid_condition', /more than 3 references/],
  ['access: { read: { tenant.member: { or: { title: a } } } }', 'invalid_value', /must be a list of maps/],
  [
    'access: { read: { tenant.member: { or: [{ not: { or: { title: a } } }] } } }',
    'invalid_condition',
    /or must have a list/,
  ],
  [
    'access: { read: { tenant.member: { or: [{ not: { or: [{ not: a }] } }] } } }',
    'invalid_condition',
    /not must have a condition/,
  ],
  ['access: { read: { tenant.member: { not: a } } }', 'invalid_value', /must be a map/],
  ['access: { read: { tenant.member: { or: [{ titel: a }] } } }', 'unknown_field', /"titel".*Did you mean "title"/],
  ['access: { read: { tenant.member: { not: { or: [{ price: a }] } } } }', 'invalid_condition', /with a number/],
  [
    'access: { read: { tenant.member: { or: [{ not: { or: [{ not: { title: a } }] } }] } } }',
    'invalid_condition',
    /nested more than 3 deep/,
  ],
  [
    'access: { read: { tenant.member: { or: [{ not: { or: [{ title: { in: [] } }] } }] } } }',
    'invalid_condition',
    /in must have a list/,
  ],
  ['access: { read: { tenant.member: { or: [{ not: { or: [] } }] } } }', 'invalid_condition', /1 to 10 conditions/],
  ['access: { read: { tenant.member: { or: [{ not: { or: [a] } }] } } }', 'invalid_condition', /must name a value/],
  ['access: { read: { tenant.member: { not: { title: [a] } } } }', 'invalid_value', /must be/],
  ['access: { read: { anyone: { not: { createdBy: $user } } } }', 'invalid_condition', /not signed in have no \$user/],
  ['access: { read: { anyone: { or: [{ title: a }, { createdBy: $user }] } } }', 'invalid_condition', /Move .* a role/],
  [
    'access: { read: { tenant.member: { not: { price: { gt: 5, lt: 3 } } } } }',
    'invalid_condition',
    /so not opens every row/,
  ],
  ['access: { read: { tenant.member: { title.x: a } } }', 'invalid_condition', /is not a reference/],
  ['was: courses', 'invalid_rename', /still a collection/],
  ['access: { read: { anyone: { createdBy: $user } } }', 'invalid_condition', /not signed in have no \$user/],
  ['access: { read: { tenant.member: { createdBy: $member } } }', 'invalid_condition', /Compare it with \$user/],
  [
    'access: { read: { tenant.member: { price: { gt: 5, lt: 3 } } } }',
    'invalid_condition',
    /No row meets the condition/,
  ],
  ['access: { read: { tenant.member: { title: { eq: a, startsWith: b } } } }', 'invalid_condition', /No row meets/],
  ['access: { read: { tenant.member: { createdAt: { exists: false } } } }', 'invalid_condition', /No row meets/],
  ['rows: [{ title: a, tags: [b] }]', 'invalid_value', /refers to an unknown row of courses: b/],
  [
    'unique: [[title, price]]\n    rows: [{ title: a, price: 1 }, { title: a, price: 1 }]',
    'invalid_value',
    /Rows 1 and 2 have the same/,
  ],
]
const PERIODS: readonly (readonly [options: string, code: string, expected: RegExp])[] = [
  ['noOverlap: { from: startAt, to: endsAt }', 'unknown_field', /"startAt" in visits → Did you mean "startsAt"/],
  ['noOverlap: { from: technician, to: endsAt }', 'invalid_option', /"technician" has no date or time/],
  ['noOverlap: { from: startsAt, to: startsAt }', 'invalid_option', /begins and ends with the same field/],
  ['noOverlap: { from: startsAt, to: day }', 'invalid_option', /of type datetime, and "day" of type date/],
  ['noOverlap: { by: [tecnician], from: startsAt, to: endsAt }', 'unknown_field', /Did you mean "technician"/],
  ['noOverlap: { by: [notes], from: startsAt, to: endsAt }', 'invalid_option', /can't be part of a calendar/],
  ['noOverlap: { by: [day], from: startsAt, to: endsAt }', 'invalid_option', /can't be part of a calendar/],
  ['noOverlap: { from: startsAt }', 'missing_key', /to/],
  [
    "noOverlap: { from: startsAt, to: endsAt }\n    rows: [{ startsAt: '2026-01-05T08:00:00Z', endsAt: '2026-01-05T10:00:00Z' }, { startsAt: '2026-01-05T09:00:00Z', endsAt: '2026-01-05T10:00:00Z' }]",
    'invalid_value',
    /Row 2 overlaps with an earlier row/,
  ],
  [
    "noOverlap: { from: startsAt, to: endsAt }\n    rows: [{ startsAt: '2026-01-05T08:00:00Z', endsAt: '2026-01-05T08:00:00Z' }]",
    'invalid_value',
    /must be later than startsAt/,
  ],
]
const CAPACITIES: readonly (readonly [options: string, code: string, expected: RegExp])[] = [
  ['capacity: { of: cours, max: 3 }', 'unknown_field', /"cours" in seats → Did you mean "course"/],
  ['capacity: { of: note, max: 3 }', 'invalid_option', /"note" is no reference → References to one row: course/],
  ['capacity: { of: others, max: 3 }', 'invalid_option', /"others" refers to many rows/],
  ['capacity: { of: shop, max: 3 }', 'invalid_option', /Rows of shops are shared.*audience: people/],
  ['capacity: { of: course, max: course.place }', 'unknown_field', /"course.place" → Did you mean "course.places"/],
  ['capacity: { of: course, max: places }', 'unknown_field', /"places" → Numbers: course.places/],
  ['capacity: { of: course, max: course.places.x }', 'unknown_field', /No number field/],
  [
    'capacity: { of: course, max: course.title }',
    'invalid_option',
    /"title" of courses is no number → Numbers: course.pla/,
  ],
  ['capacity: { of: course, max: 0 }', 'invalid_value', /1/],
  ['capacity: { of: course, max: 1.5 }', 'invalid_value', /integer/],
  ['capacity: { of: course }', 'missing_key', /max/],
  ['capacity: { of: course, max: 3, where: { stat: x } }', 'unknown_field', /Unknown field "stat"/],
  ['capacity: { of: course, max: 3, where: { note: $user } }', 'invalid_condition', /of a capacity can't use \$user/],
  ['capacity: { of: course, max: 3, where: { note: { gt: a } } }', 'invalid_condition', /gt can't be used/],
  ['capacity: { of: course, max: 3, where: { course.places: 3 } }', 'unknown_field', /fields of the row itself/],
  [
    'capacity: { of: course, max: 1 }\n    rows: [{ course: a }, { course: b }, { course: a }]',
    'invalid_value',
    /Row 3 takes/,
  ],
  [
    'capacity: { of: course, max: course.places }\n    rows: [{ course: b }, { course: b }, { course: a }, { course: a }]',
    'invalid_value',
    /Row 4 takes place 2 of "a", which has 1/,
  ],
]
for (const [field, code, expected] of [
  ['cover: { type: file }', 'invalid_option', /can't give a file → Name the roles .* under write/],
  ['agent: { type: member }', 'invalid_option', /can't give a member/],
  [
    'rank: { type: integer, required: true, write: [tenant.member] }',
    'invalid_option',
    /can't write "rank" → Add a default/,
  ],
] as const)
  test(`people who are not signed in can't have the field ${field}`, async t => {
    const source = `${MODULES}collections:\n  tickets:\n    fields: { title: { type: text }, ${field} }\n    access: { create: { anyone: true } }\n`
    const [problem, ...rest] = await recipeProblems(t, source)
    t.is(problem?.code, code)
    t.regex(toLine(problem as never), expected)
    t.deepEqual(rest.map(toLine), [])
  })

test('people who are not signed in can create rows with fields that roles set later', async t => {
  const fields = 'title: { type: text, required: true }, agent: { type: member, write: [tenant.member] }'
  const source = `${MODULES}collections:\n  tickets:\n    fields: { ${fields} }\n    access: { create: { anyone: true } }\n`
  t.deepEqual((await recipeProblems(t, source)).map(toLine), [])
})

for (const [options, code, expected] of PERIODS)
  test(`reports the periods { ${options.split('\n')[0]} } of ${code}, ${expected}`, async t => {
    const fields =
      'startsAt: { type: datetime }, endsAt: { type: datetime }, day: { type: date }, technician: { type: text }, notes: { type: longtext }'
    const source = `${MODULES}collections:\n  visits:\n    fields: { ${fields} }\n    ${options}\n`
    const [problem, ...rest] = await recipeProblems(t, source)
    t.is(problem?.code, code)
    t.regex(toLine(problem as never), expected)
    t.deepEqual(rest.map(toLine), [])
  })

for (const [options, code, expected] of CAPACITIES)
  test(`reports the capacity { ${options.split('\n')[0]} } of ${code}, ${expected}`, async t => {
    const source = `${MODULES}collections:
  shops: { scope: shared, fields: { title: { type: text } } }
  courses:
    fields: { title: { type: text, unique: true }, places: { type: integer } }
    rows: [{ title: a, places: 1 }, { title: b }]
  seats:
    fields: { course: { type: reference, to: courses }, others: { type: reference, to: courses, many: true }, shop: { type: reference, to: shops }, note: { type: text } }
    ${options}
`
    const [problem, ...rest] = await recipeProblems(t, source)
    t.is(problem?.code, code)
    t.regex(toLine(problem as never), expected)
    t.deepEqual(rest.map(toLine), [])
  })

test('a capacity is a number of another row, also a computed one, or a constant', async t => {
  for (const max of ['course.places', 'course.half', '12']) {
    const source = `${MODULES}collections:
  courses: { fields: { places: { type: number }, half: { type: computed, of: integer, expression: places / 2 } } }
  seats:
    fields: { course: { type: reference, to: courses }, canceled: { type: boolean } }
    capacity: { of: course, max: ${max}, where: { canceled: { ne: true } } }
`
    t.deepEqual((await recipeProblems(t, source)).map(toLine), [], max)
  }
})

for (const [options, code, expected] of MISTAKES)
  test(`reports the collection { ${options} }`, async t => {
    const [problem, ...rest] = await recipeProblems(t, collection(options))
    t.is(problem?.code, code)
    t.regex(toLine(problem as never), expected)
    t.deepEqual(rest.map(toLine), [])
  })

/** A product with plans, a profile and people in lists, whose tasks have this rule. */
const callerRule = (rule: string, modules = '{ identity: {}, billing: {}, collections: {} }', role = 'signedIn') =>
  `modules: ${modules}
${
  modules.includes('billing')
    ? `plans: { free: { name: Free, price: 0, entitlements: { seats: 1 } }, pro: { name: Pro, price: 0 } }
entitlements: { seats: { kind: gauge }, sso: { kind: flag } }
`
    : ''
}roles: { tenant.agent: { name: Agent, permissions: [identity.member.read] } }
profile:
  user:
    fields: { region: { type: text, readOnly: true }, phone: { type: text }, span: { type: duration, readOnly: true } }
collections:
  people: { fields: { name: { type: text }, member: { type: member } } }
  pairs: { fields: { first: { type: member }, second: { type: member } } }
  tags: { fields: { name: { type: text }, task: { type: reference, to: tasks }, next: { type: reference, to: tags } } }
  tasks:
    fields:
      title: { type: text }
      plan: { type: enum, values: [free, pro] }
      level: { type: integer }
      closed: { type: boolean }
      people: { type: reference, to: people, many: true }
      pairs: { type: reference, to: pairs, many: true }
      tag: { type: reference, to: tags }
      tags: { type: reference, to: tags, many: true }
    access: { read: { ${role}: ${rule} } }
`
for (const rule of [
  '{ title: $role, plan: $plan, level: { lte: $entitlement(seats) }, closed: $entitlement(sso) }',
  '{ title: { in: [$role, $user.profile.region, all] } }',
  '{ or: [{ $plan: pro }, { $plan: { in: [free, pro] }, not: { $role: tenant.agent } }] }',
  '{ $entitlement(seats): { gt: 3 }, $entitlement(sso): true, $user.profile.region: { startsWith: n } }',
  '{ people: { contains: $member } }',
  '{ people.member: { contains: $member } }',
  '{ tag.next.next.name: a }',
])
  test(`accepts the rule ${rule}`, async t => {
    t.deepEqual((await recipeProblems(t, callerRule(rule))).map(toLine), [])
  })

const CALLER_MISTAKES: readonly (readonly [rule: string, expected: RegExp])[] = [
  ['{ $plan: prro }', /recipe.yaml:24:35 .*must be one of free, pro/],
  ['{ $plam: pro }', /Unknown variable "\$plam".*Did you mean "\$plan"/],
  ['{ $role: tenant.agnt }', /must be one of.*tenant\.agent/],
  ['{ $entitlement(seat): 1 }', /Unknown entitlement "seat".*Did you mean "seats"/],
  ['{ level: $entitlement(seat) }', /Unknown entitlement "seat".*Did you mean "seats"/],
  ['{ $entitlement(sso): 1 }', /true or false/],
  ['{ closed: $entitlement(seats) }', /can't be compared with \$entitlement/],
  ['{ level: $plan }', /can't be compared with \$plan/],
  ['{ title: { startsWith: $role } }', /can't be used with \$role.*eq, ne, in, notIn/],
  ['{ $plan: $user.profile.region }', /must be compared with a value/],
  ['{ $member: mem_1 }', /"\$member" can't be compared itself/],
  ['{ title: $user.profile.phone }', /People change "phone" .*themselves.*Add readOnly: true/],
  ['{ $user.profile.phone: a }', /People change "phone" .*themselves.*Add readOnly: true/],
  ['{ $user.profile.regio: a }', /Unknown field "regio" in profile.user.*Did you mean "region"/],
  ['{ $user.profile.span: 1h }', /is a duration, which rules can't compare/],
  ['{ pairs: { contains: $member } }', /several fields of type member.*pairs\.first, pairs\.second/],
  ['{ tags: { contains: $member } }', /have no field of type member.*Add a field/],
  ['{ tag.task.title: a }', /goes in a circle: "task" leads back to tasks/],
  ['{ tag.task.tag.name: a }', /goes in a circle/],
  ['{ tag.next.next.next.name: a }', /follows more than 3 references/],
]
for (const [rule, expected] of CALLER_MISTAKES)
  test(`reports the rule ${rule}`, async t => {
    const [problem, ...rest] = await recipeProblems(t, callerRule(rule))
    t.regex(toLine(problem as never), expected)
    t.deepEqual(rest.map(toLine), [])
  })

test('reports a rule that asks for a plan in a product without plans', async t => {
  const modules = '{ identity: {}, collections: {} }'
  for (const rule of ['{ $plan: pro }', '{ or: [{ level: { lte: $entitlement(seats) } }] }']) {
    const [problem, ...rest] = await recipeProblems(t, callerRule(rule, modules))
    t.regex(toLine(problem as never), /needs plans, and no module has any.*Add billing/)
    t.deepEqual(rest.map(toLine), [])
  }
})

test('reports what people without an account have none of', async t => {
  for (const variable of ['$plan: pro', '$role: tenant.agent', 'title: $user.profile.region']) {
    const [problem] = await recipeProblems(t, callerRule(`{ or: [{ ${variable} }] }`, undefined, 'anyone'))
    t.regex(toLine(problem as never), /not signed in have no \$.*Move the condition to a role/)
  }
})

test('editors offer every variable in the rules of access', t => {
  const { properties } = CollectionSchema as unknown as { properties: Record<string, EditorSchema> }
  const rule = properties.access?.properties?.read?.additionalProperties as EditorSchema
  const examples = (rule.additionalProperties as EditorSchema).examples as readonly string[]
  for (const written of VARIABLES) {
    const form = written.replace('(…)', '(key)').replace('.…', '.field')
    t.true(examples.includes(form), written)
    t.truthy(variableOf(form), written)
  }
  const names = Object.keys(rule.properties ?? {}).sort()
  t.deepEqual(names, ['$entitlement(key)', '$plan', '$role', '$user.profile.field', 'not', 'or'])
  for (const name of names.filter(each => each.startsWith('$'))) t.truthy(variableOf(name), name)
  const inner = rule.properties?.or?.items?.properties ?? {}
  t.deepEqual(Object.keys(inner).sort(), names)
})

test('a rule that contains itself is refused', async t => {
  const problems = await recipeProblems(t, callerRule('&rule { or: [*rule] }'))
  t.true(problems.length > 0)
})

test('accepts or and not up to 3 deep', async t => {
  const rule = '{ price: 1, or: [{ title: a }, { not: { or: [{ price: 2 }, { tags.title: { in: [a] } }] } }] }'
  t.deepEqual(await recipeProblems(t, collection(`access: { read: { tenant.member: ${rule} } }`)), [])
})

test('a row of the recipe can refer to a row that has its id from before a rename', async t => {
  const row = '{ title: a, tags: [lesson_01jd7m2f3kq8v5w9x4y6z0a1b2] }'
  t.deepEqual(await recipeProblems(t, collection(`rows: [${row}]`)), [])
})

test('names the new name of a renamed collection where the former one is used', async t => {
  const lessons = 'lessons: { was: courses, fields: { next: { type: reference, to: courses } } }'
  const [problem] = await recipeProblems(t, `${MODULES}collections:\n  ${lessons}\n`)
  t.is(problem?.code, 'unknown_collection')
  t.is(problem?.hint, 'It was renamed to "lessons"')
})

test('reports reserved names and names that are too similar', async t => {
  const problems = await recipeProblems(
    t,
    `${MODULES}collections:
  batch: { fields: { title: { type: text } } }
  course: { fields: { createdAt: { type: text } } }
  courses: { fields: { toString: { type: text } } }
`,
  )
  t.deepEqual(
    problems.map(({ code, line }) => `${code}:${line}`),
    ['reserved_name:6', 'reserved_name:7', 'duplicate_name:8', 'reserved_name:8'],
  )
})

test('reports references and options that a shared collection cannot have', async t => {
  const problems = await recipeProblems(
    t,
    `${MODULES}collections:
  notes: { fields: { country: { type: reference, to: countries, onDelete: cascade } } }
  countries:
    scope: shared
    fields: { owner: { type: member }, note: { type: reference, to: notes } }
    access: { create: { tenant.member: true } }
`,
  )
  t.deepEqual(
    problems.map(({ code, line }) => `${code}:${line}`),
    ['invalid_option:6', 'invalid_option:9', 'invalid_option:9', 'invalid_option:10'],
  )
})

/** Rules of access over a reference to a shared collection, with what the check says about them in a product of teams. */
const OVER_SHARED: readonly (readonly [rule: string, expected: readonly string[]])[] = [
  ['{ shop.open: true }', []],
  ['{ shop.createdBy: $user }', []],
  ['{ shop.opn: true }', ['unknown_field recipe.yaml:11:40 Unknown field "opn" in shops → Did you mean "open"?']],
  [
    '{ shop.createdBy.name: Ada }',
    [
      'invalid_condition recipe.yaml:11:40 Field "createdBy" is not a reference, so "shop.createdBy.name" can\'t follow it → Use the name of a field, or of a reference and a field of the other collection',
    ],
  ],
  [
    '{ shop.owner: $member }',
    [
      "invalid_option recipe.yaml:8:55 shops is shared, and its rows belong to no workspace's members → Use scope: tenant, or another type",
    ],
  ],
]
for (const [rule, expected] of OVER_SHARED)
  test(`says what is wrong with the rule ${rule} over a reference to a shared collection`, async t => {
    const source = (role: string) => `${MODULES}collections:
  shops:
    scope: shared
    fields: { open: { type: boolean }${rule.includes('owner') ? ', owner: { type: member }' : ''} }
  orders:
    fields: { shop: { type: reference, to: shops } }
    access: { read: { ${role}: ${rule} } }
`
    const found = async (role: string, audience?: string) =>
      (await recipeProblems(t, source(role), audience === undefined ? {} : { audience })).map(toLine)
    t.deepEqual(
      await found('tenant.member'),
      expected.map(line => `error ${line}`),
    )
    // Nothing is shared in a product of people: that comes first, in the line that says so.
    const [first, ...others] = await found('tenant.customer', 'people')
    t.is(
      first,
      "error invalid_option recipe.yaml:7:12 A product of people has one workspace, the operator's, and all rows belong to it → Remove this line, and name the role of customers in access",
    )
    t.is(others.length, expected.length)
  })

test("warns about roles that open shared rows in the operator's workspace only", async t => {
  const problems = await recipeProblems(
    t,
    `${MODULES}collections:
  countries:
    scope: shared
    fields:
      name: { type: text, read: [tenant.owner, tenant.member] }
      note: { type: text, read: [signedIn] }
    access: { read: { anyone: { name: x }, signedIn: true, tenant.member: true, tenant.owner: true } }
  notes: { fields: { name: { type: text, read: [tenant.owner] } }, access: { read: { tenant.owner: true } } }
`,
  )
  t.deepEqual(
    problems.map(({ severity, code, line }) => `${severity} ${code}:${line}`),
    ['warning operator_role:9', 'warning operator_role:11'],
  )
})

test('suggests the spelling of a key, and the module of a section', async t => {
  const recipe = `modules: { identity: {} }\nforms: {}\n`
  t.deepEqual((await recipeProblems(t, recipe)).map(toLine), [
    'error unknown_key recipe.yaml:4:1 Unknown key "forms" → The section belongs to module "forms": add forms: {} to modules',
  ])
  const fields = `${MODULES}collections:\n  courses: { fields: { due_at: { type: date } } }\n`
  t.deepEqual((await recipeProblems(t, fields)).map(toLine), [
    'error invalid_key recipe.yaml:6:24 Invalid key "due_at" in "collections.courses.fields" → Did you mean "dueAt"?',
  ])
})

test('rejects a file without a module that stores it, and accepts a role that only access rules use', async t => {
  const recipe = (type: string) => `modules: { identity: {}, collections: {} }
roles: { tenant.agent: { name: Agent, permissions: [identity.member.read] } }
collections:
  courses: { fields: { cover: { type: ${type} } }, access: { read: { tenant.agent: true } } }
`
  t.deepEqual((await recipeProblems(t, recipe('text'))).map(toLine), [])
  t.deepEqual((await recipeProblems(t, recipe('file'))).map(toLine), [
    'error missing_port recipe.yaml:6:39 "cover" is a file, but no module stores files → Add media: {} to modules',
  ])
})

test('reports the line of a CSV file with an invalid row', async t => {
  const files = { 'courses.csv': 'title,price\nA,1\nB,cheap\n' }
  t.deepEqual((await recipeProblems(t, collection('seed: ./courses.csv'), { files })).map(toLine), [
    'error invalid_value courses.csv:3:1 "price" must be a number',
  ])
})

test('reports texts that the database cannot store', async t => {
  const recipe = `modules: { identity: {} }\nroles: { tenant.agent: { name: "A\\0", permissions: [identity.member.read] } }\n`
  const [problem] = await recipeProblems(t, recipe)
  t.like(problem, { code: 'invalid_text', line: 4, message: 'Text must not contain the NUL character' })
})

const profile = (field: string) => `${MODULES}profile:\n  user:\n    fields:\n      x: { ${field} }\n`

test('accepts fields of people and of members', async t => {
  const text = `${profile('type: text, label: { en: Phone, de: Telefon }')}  member: { fields: { rate: { type: money, currency: EUR }, tags: { type: json } } }\n`
  t.deepEqual((await recipeProblems(t, text)).map(toLine), [])
})

test('reports mistakes in fields of people at their lines', async t => {
  const mistakes: readonly (readonly [string, RegExp])[] = [
    ['type: reference, to: courses', /:8:.*"reference"/],
    ['type: file', /:8:.*"file".* → Use a collection with a field of type member and one of type file, because/],
    ['type: member', /:8:.*"member".* → Use a collection with a field of type member/],
    [
      'type: computed, expression: "1", of: number',
      /:8:.*"computed".* → Use a collection, because the database computes/,
    ],
    ['type: json, schema: { type: nothing }', /:8:.*The JSON Schema is invalid/],
    ['type: text, unique: true', /:8:.*"unique"/],
    ['type: enum, values: [a], default: c', /:8:.*must be one of a/],
    ['type: text, minLength: 9, maxLength: 3', /:8:.*minLength 9 is more than maxLength 3/],
    ['type: money, currency: EUX', /:8:.*"EUX" is not a currency/],
  ]
  for (const [field, expected] of mistakes) {
    const lines = (await recipeProblems(t, profile(field))).map(toLine)
    t.is(lines.length, 1, field)
    t.regex(lines[0] ?? '', expected)
  }
})

test('reports a mistake in a collection without the permissions that follow from it', async t => {
  const problems = await recipeProblems(
    t,
    `${MODULES}roles:
  tenant.agent: { name: Agent, permissions: [collections.notes.read] }
collections:
  notes: { fields: { owner: { type: slug, default: x } } }
`,
  )
  t.deepEqual(
    problems.map(({ code, line }) => `${code}:${line}`),
    ['unknown_key:8'],
  )
})

for (const [value, hint] of [
  ['tenant.teacher', 'Write create: { tenant.teacher: true }'],
  ['[tenant.teacher, tenant.owner]', 'Write create: { tenant.teacher: true, tenant.owner: true }'],
] as const)
  test(`the hint for the access ${value} names these roles and no other`, async t => {
    const [problem] = await recipeProblems(
      t,
      `${MODULES}collections:
  notes:
    fields: { title: { type: text } }
    access: { create: ${value} }
`,
    )
    t.is(problem?.hint?.replace(/ {2}#.*/, ''), hint)
  })

for (const value of ['~', 'own', '0'])
  test(`a rule with the value ${value} gets no hint that opens every row`, async t => {
    const [problem] = await recipeProblems(
      t,
      `${MODULES}collections:
  notes:
    fields: { title: { type: text } }
    access: { read: { tenant.member: ${value} } }
`,
    )
    t.is(problem?.hint, 'Expected: true for every row, or conditions on fields that must all match')
  })

test('a rule that is a list gets no hint that opens every row', async t => {
  const [problem] = await recipeProblems(
    t,
    `${MODULES}collections:
  notes:
    fields: { title: { type: text } }
    access: { read: { tenant.member: [{ title: a }, { title: b }] } }
`,
  )
  t.is(problem?.hint, 'Expected: true for every row, or conditions on fields that must all match')
})
