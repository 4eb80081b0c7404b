import test from 'ava'
import type {
  DeclaredCollection,
  DeclaredProfile,
} from '../../../../modules/collections/domain/declarations/declaration.ts'
import { compareAccess, compareStates, compareTables } from '../../../../modules/collections/recipe/comparisons.ts'
import { compareProfiles } from '../../../../modules/collections/recipe/profile-comparison.ts'
import { toCollections } from '../services/storage/fixtures.ts'

type Declared = Readonly<Record<string, DeclaredCollection>>
const lines = (compare: typeof compareTables) => (before: Declared | undefined, after: Declared) => {
  const former = before && compare(toCollections(before)).state
  return compare(toCollections(after)).changesFrom(former).map(toLine)
}
const toLine = ({
  change,
  subject,
  detail,
  breaks,
}: ReturnType<ReturnType<typeof compareTables>['changesFrom']>[number]) =>
  [`${change} ${subject}`, detail, breaks && `! ${breaks}`].filter(Boolean).join(' | ')
const tables = lines(compareTables)
const access = lines(compareAccess)
const courses = (fields: DeclaredCollection['fields'], more = {}): Declared => ({ courses: { fields, ...more } })
const TITLE = { title: { type: 'text' } } as const

test('a renamed collection breaks clients and processes of the earlier recipe', t => {
  const { courses: lessons } = courses(TITLE) as { courses: DeclaredCollection }
  t.deepEqual(tables(courses(TITLE), { lessons: { ...lessons, was: 'courses' } }), [
    'change collection lessons | renamed from courses | ! the routes, events and permissions of courses end, and processes of the earlier recipe fail',
  ])
})

test('finds no change between equal collections', t => {
  t.deepEqual(tables(courses(TITLE), courses(TITLE)), [])
  t.deepEqual(access(courses(TITLE), courses(TITLE)), [])
})

test('every collection of a new module is added', t => {
  t.deepEqual(tables(undefined, courses(TITLE)), ['add collection courses | title'])
})

test('names what is lost, and what rows must fit', t => {
  t.deepEqual(
    tables(
      courses({ title: { type: 'text', maxLength: 9 }, gone: { type: 'integer' } }),
      courses({ title: { type: 'text', maxLength: 5 } }),
    ),
    [
      'remove field courses.gone | integer | ! its values are kept for 30 days, then deleted',
      "change field courses.title | maxLength 9 → 5; refused for rows that don't fit: longer than 5 characters",
    ],
  )
})

test('a rename breaks nothing until it ends', t => {
  const renamed = courses({ name: { type: 'text', was: 'title' } })
  t.deepEqual(tables(courses(TITLE), renamed), [
    'change field courses.name | renamed from title, and still served as title',
  ])
  t.deepEqual(tables(renamed, courses({ name: { type: 'text' } })), [
    'remove former name title of courses.name | ! processes that use title fail',
  ])
})

test('names fields of the recipe that the changes describe, with their former names', t => {
  const { changesFrom } = compareTables(toCollections(courses({ name: { type: 'text', was: 'title' } })))
  const [change] = changesFrom(compareTables(toCollections(courses(TITLE))).state)
  t.deepEqual(change?.at, [
    ['collections', 'courses', 'fields', 'name'],
    ['collections', 'courses', 'fields', 'title'],
  ])
})

test('compares access rules by role, and marks those that may lose rows', t => {
  const rows = (title: string) => ({ title })
  const before = courses(TITLE, {
    access: { read: { anyone: true, 'tenant.a': true, 'tenant.c': rows('x') }, create: { 'tenant.a': true } },
  })
  const after = courses(TITLE, {
    access: { read: { anyone: rows('x'), 'tenant.a': true, 'tenant.b': true, 'tenant.c': rows('y') } },
  })
  t.deepEqual(access(before, after), [
    'change access courses.read of tenant.c | rows with {"title":"x"} → rows with {"title":"y"} | ! tenant.c may lose rows',
    'change access courses.read of anyone | every row → rows with {"title":"x"} | ! anyone may lose rows',
    'add access courses.read of tenant.b | every row',
    'remove access courses.create of tenant.a | every row | ! tenant.a may lose these rows',
  ])
})

test('a rule that no longer has a condition breaks nothing', t => {
  const rule = (anyone: true | { title: string }) => courses(TITLE, { access: { read: { anyone } } })
  t.deepEqual(access(rule({ title: 'x' }), rule(true)), [
    'change access courses.read of anyone | rows with {"title":"x"} → every row',
  ])
})

test('compares what everybody with an account may read', t => {
  const rule = (signedIn: boolean | { title: string }) => courses(TITLE, { access: { read: { signedIn } } })
  t.deepEqual(access(rule(false), rule(true)), ['add access courses.read of signedIn | every row'])
  t.deepEqual(access(rule(true), rule({ title: 'x' })), [
    'change access courses.read of signedIn | every row → rows with {"title":"x"} | ! signedIn may lose rows',
  ])
})

test('compares what people without an account may create', t => {
  const rule = (anyone: boolean) => courses(TITLE, { access: { create: { anyone } } })
  t.deepEqual(access(rule(false), rule(true)), ['add access courses.create of anyone | every row'])
})

type ProfileFieldsOf = NonNullable<DeclaredProfile['user']>['fields']
const profiles = (before: ProfileFieldsOf, after: ProfileFieldsOf, whose: 'user' | 'member' = 'user') =>
  compareProfiles({ [whose]: { fields: after } })
    .changesFrom(compareProfiles({ [whose]: { fields: before } }).state)
    .map(toLine)

test('names fields of a profile that come and go, and what happens to their values', t => {
  t.deepEqual(profiles({ phone: { type: 'text' } }, { born: { type: 'date' } }), [
    'remove field user.phone | text | ! its values stay stored, but nothing reads them until the field is declared again',
    'add field user.born | date',
  ])
  t.deepEqual(
    compareProfiles({ member: { fields: { seat: { type: 'text', required: true } } } }).changesFrom(undefined),
    [
      {
        change: 'add',
        subject: 'field member.seat',
        detail: 'text; required',
        at: [['profile', 'member', 'fields', 'seat']],
      },
    ],
  )
})

test('a field of people that becomes required is asked for, and breaks registrations by API', t => {
  const demanded =
    'required: people without a value are asked for it after their next sign-in | ! registrations by API without it are refused'
  const required = { phone: { type: 'text', required: true } } as const
  t.deepEqual(profiles({ phone: { type: 'text' } }, required), [`change field user.phone | ${demanded}`])
  t.deepEqual(profiles({}, required), [`add field user.phone | text; ${demanded}`])
  t.deepEqual(profiles({ phone: { type: 'text' } }, required, 'member'), ['change field member.phone | required'])
  t.deepEqual(profiles(required, { phone: { type: 'text' } }), ['change field user.phone | no longer required'])
  t.deepEqual(profiles(required, { phone: { ...required.phone, default: '112' } }), [
    'change field user.phone | default none → 112, for those without a value',
  ])
})

test('another type or a narrower rule of a profile hides values that do not fit', t => {
  const hides = "! stored values that don't fit are shown as missing"
  const size = (values: readonly string[]) => ({ size: { type: 'enum', values } }) as const
  t.deepEqual(profiles({ age: { type: 'text' } }, { age: { type: 'integer' } }), [
    `change field user.age | text → integer | ${hides}`,
  ])
  t.deepEqual(profiles(size(['s', 'm']), size(['m', 'l'])), [
    `change field user.size | values ["s","m"] → ["m","l"] | ${hides}`,
  ])
  t.deepEqual(profiles(size(['s']), size(['s', 'm'])), ['change field user.size | values ["s"] → ["s","m"]'])
  const wait = (max: string) => ({ wait: { type: 'duration', max } }) as const
  t.deepEqual(profiles(wait('90m'), wait('1h')), [`change field user.wait | max 90m → 1h | ${hides}`])
  t.deepEqual(profiles(wait('1h'), wait('90m')), ['change field user.wait | max 1h → 90m'])
  const pay = (currency: string) => ({ pay: { type: 'money', currency } }) as const
  t.deepEqual(profiles(pay('EUR'), pay('USD')), [
    'change field user.pay | currency EUR → USD | ! stored amounts count as USD',
  ])
  const phone = (label: string) => ({ phone: { type: 'text', label } }) as const
  t.deepEqual(profiles(phone('Phone'), phone('Telephone')), [])
})

test('names the transitions that come and go', t => {
  const states = lines(compareStates)
  const tickets = (more: object): Declared => ({
    tickets: { fields: { status: { type: 'enum', values: ['open', 'solved'], default: 'open', ...more } } },
  })
  const both = { transitions: { open: ['solved'], solved: ['open'] } }
  const one = { transitions: { open: ['solved'] }, roles: { solved: ['tenant.agent'] } }
  t.deepEqual(states(tickets(both), tickets(both)), [])
  t.deepEqual(states(undefined, tickets(both)), [])
  t.deepEqual(states(tickets(both), tickets(one)), [
    'change states of tickets.status | + solved by tenant.agent, - solved → open | ! other changes of its state are refused',
  ])
  t.deepEqual(states(tickets(one), tickets({})), [
    'change states of tickets.status | - new → open, - open → solved, - solved by tenant.agent | ! the events of its states end',
  ])
})
