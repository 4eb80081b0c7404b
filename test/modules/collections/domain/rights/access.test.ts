import test from 'ava'
import type { AccessCatalogue, Caller } from '../../../../../kernel/internal.ts'
import { formatDuration, parseDuration } from '../../../../../modules/collections/domain/fields/durations.ts'
import { freeSlug, slugFrom } from '../../../../../modules/collections/domain/fields/slug.ts'
import { createAccessRules } from '../../../../../modules/collections/domain/rights/access.ts'
import { makeCollection } from '../../hand-made.ts'

const READ = 'collections.items.read'
const OWN = 'ten_own'
const role = (key: string, permissions: string[]) => ({
  key,
  name: key,
  description: null,
  scope: 'tenant' as const,
  permissions,
  from: 'recipe',
})
const catalogue: AccessCatalogue = {
  permissions: () => [],
  roles: () => [
    role('tenant.named', [READ]),
    role('tenant.wide', ['collections.*']),
    role('tenant.none', ['content.*']),
    role('tenant.member', [READ]),
  ],
}
const rules = createAccessRules(catalogue, ({ name }, action) => `collections.${name}.${action}`)
const own = { createdBy: '$user' }
const items = makeCollection('items', {
  fields: { title: { type: 'text' } },
  access: {
    anyone: { title: 'open' },
    signedIn: undefined,
    guests: undefined,
    actions: { read: { 'tenant.named': own, 'tenant.member': { title: 'x' } }, create: {}, update: {}, delete: {} },
  },
})
const callerWith = (roles: string[], permissions: string[], can = true) =>
  ({ tenantId: OWN, memberId: 'mem_1', roles, permissions, can: () => can }) as unknown as Caller
const rows = (roles: string[], permissions: string[], can = true) =>
  rules.rows(items, 'read', callerWith(roles, permissions, can), OWN)

test('named roles are limited to their conditions, and other roles open every row', t => {
  const anyone = { title: 'open' }
  t.deepEqual(rules.rows(items, 'read', undefined, OWN), [anyone])
  t.deepEqual(rows(['tenant.named'], [READ]), [own, anyone])
  t.deepEqual(rows(['tenant.named', 'tenant.member'], [READ]), [own, { title: 'x' }, anyone])
  t.is(rows(['tenant.named', 'tenant.wide'], [READ, 'collections.*']), 'all')
  t.is(rows(['tenant.owner', 'tenant.named'], ['*']), 'all')
  t.deepEqual(rows(['tenant.none'], ['content.*'], false), [anyone])
  t.deepEqual(rules.rows(items, 'create', undefined, OWN), [])
})

test('a role that the tenant defined opens every row, unless a named role grants the same permission', t => {
  t.is(rows(['tenant.custom'], [READ]), 'all')
  t.is(rows(['tenant.custom', 'tenant.named'], [READ, 'collections.items.*']), 'all')
  t.deepEqual(rows(['tenant.custom', 'tenant.named'], [READ]), [own, { title: 'open' }])
})

test('an API key has no more rows than its roles, whatever pattern limits it', t => {
  t.deepEqual(rows(['tenant.named'], [READ]), [own, { title: 'open' }])
  t.is(rows(['tenant.owner'], [READ]), 'all')
  t.deepEqual(rows(['tenant.owner'], [], false), [{ title: 'open' }])
})

test('makes slugs from texts', t => {
  t.is(slugFrom('  Straße & Café — 2026!', 'course'), 'strasse-cafe-2026')
  t.is(slugFrom('abc def', 'course', 4), 'abc')
  t.is(freeSlug('a', new Set(['a', 'a-2'])), 'a-3')
  t.is(freeSlug('abcdef', new Set(['abcdef']), 6), 'abcd-2')
})

test('makes slugs from texts of every script', t => {
  const slugs = {
    Smørrebrød: 'smorrebrod',
    Łódź: 'lodz',
    Œuvre: 'oeuvre',
    'Привет, большой мир': 'privet-bolshoy-mir',
    'Việt Nam': 'viet-nam',
    '北京 大学': 'beijing-daxue',
    مرحبا: 'mrhb',
    '🎉': 'tada',
    İstanbul: 'istanbul',
    'ﬁne ½': 'fine-1-2',
  }
  for (const [title, slug] of Object.entries(slugs)) t.is(slugFrom(title, 'course'), slug)
})

test('names a row after its collection if nothing of the title remains, and nothing without a title', t => {
  for (const title of ['!!!', '—', '\u{e000}']) t.is(slugFrom(title, 'course_tag'), 'course-tag')
  for (const title of [5, null, undefined, ' ', '']) t.is(slugFrom(title, 'course'), null)
})

test('formats durations in their largest unit', t => {
  for (const [text, ms, formatted] of [
    ['90m', 5_400_000, '90m'],
    ['120m', 7_200_000, '2h'],
    ['0s', 0, '0s'],
    ['1500ms', 1500, '1500ms'],
    ['48h', 172_800_000, '2d'],
  ] as const) {
    t.is(parseDuration(text), ms)
    t.is(formatDuration(ms), formatted)
  }
  for (const wrong of ['', '5', '-1s', '1.5h', '999999999999d', '1 h']) t.is(parseDuration(wrong), undefined, wrong)
})
