import test from 'ava'
import type { DeclaredCollection } from '../../../../modules/collections/domain/declaration.ts'
import { compareAccess, compareTables } from '../../../../modules/collections/recipe/comparisons.ts'
import { toCollections } from '../services/storage/fixtures.ts'

type Declared = Readonly<Record<string, DeclaredCollection>>
const lines = (compare: typeof compareTables) => (before: Declared | undefined, after: Declared) => {
  const former = before && compare(toCollections(before)).state
  return compare(toCollections(after))
    .changesFrom(former)
    .map(({ change, subject, detail, breaks }) =>
      [`${change} ${subject}`, detail, breaks && `! ${breaks}`].filter(Boolean).join(' | '),
    )
}
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
