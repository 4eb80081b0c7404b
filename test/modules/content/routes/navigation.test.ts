import test from 'ava'
import type { MenuItem } from '../../../../modules/content/domain/menu.ts'
import type { Client, Person } from '../../../../testing/index.ts'
import type { Menu } from '../../../fixtures/api-types.ts'
import { codeOf, problem } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { contentRecipe, draft, NAVIGATION, PAGES } from '../fixtures.ts'

let reader: Client

const { people, ada } = withPeople(test, { recipe: contentRecipe(), clock: true }, { ada: 'owner' }, async () => {
  reader = await people.colleague(ada, ['tenant.reader'])
})

const labels = (items: readonly MenuItem[]): unknown[] =>
  items.map(({ label, items }) => (items ? [label, labels(items)] : label))
const put = (person: Person, key: string, items: unknown) => person.put(`${NAVIGATION}/${key}`, { items })

test('creates and replaces a menu', async t => {
  const page = await draft(ada)
  const items = [
    { label: 'Home', page: page.slug },
    { label: { en: 'Files', de: 'Dateien' }, path: '/files', items: [{ label: 'New', path: '/files/new' }] },
  ]
  const made = await put(ada, 'main', items)
  t.is(made.status, 200)
  t.like(made.body.items[0], { label: 'Home', page: page.slug, path: page.path })
  t.deepEqual(made.body.items[1], items[1])
  t.is((await put(ada, 'main', made.body.items)).status, 200, 'what was read can be written')
  t.deepEqual((await ada.get<Menu>(`${NAVIGATION}/main`)).body.items, made.body.items)
  t.deepEqual((await put(ada, 'main', [])).body.items, [])
})

test('hides items that the reader may not see, with the items below them', async t => {
  const [shown, hidden] = [await draft(ada), await draft(ada)]
  await ada.post(`${PAGES}/${shown.id}/publish`)
  await put(ada, 'side', [
    { label: 'shown', page: shown.slug },
    { label: 'hidden', page: hidden.slug },
    { label: 'members', path: '/members', permission: 'identity.member.read' },
    { label: 'menus', path: '/menus', permission: 'content.navigation.read' },
    { label: 'under', path: '/u', permission: 'identity.member.read', items: [{ label: 'inside', path: '/i' }] },
    { label: 'empty heading', items: [{ label: 'gone', path: '/g', permission: 'identity.member.read' }] },
    {
      label: 'heading',
      items: [
        { label: 'left', path: '/l' },
        { label: 'gone', path: '/g', permission: 'nobody.has.this' },
      ],
    },
  ])
  const seen = (await reader.get<Menu>(`${NAVIGATION}/side`)).body.items
  t.deepEqual(labels(seen), ['shown', 'menus', ['heading', ['left']]])
  const listed = (await reader.get(NAVIGATION)).body.data.find(({ key }) => key === 'side')
  t.deepEqual(listed?.items, seen)
  t.is((await ada.get<Menu>(`${NAVIGATION}/side`)).body.items.length, 7, 'editors see all items')
})

test('removes what nobody can see from labels', async t => {
  const items = [
    { label: '  Our \n files\u202e', path: '/a' },
    { label: { en: 'Files\u0007', de: 'Da\tteien' }, path: '/b' },
  ]
  const { body } = await put(ada, 'clean', items)
  t.deepEqual(labels(body.items), ['Our files', { en: 'Files', de: 'Da teien' }])
  t.is((await put(ada, 'clean', [{ label: '\u200b', path: '/a' }])).status, 422)
})

test('rejects an invalid menu with pointers', async t => {
  for (const [items, pointer] of [
    [undefined, '/items'],
    ['x', '/items'],
    [[{}], '/items/0/label'],
    [[{ label: 'x', href: '/x' }], '/items/0/href'],
    [[{ label: 'x', path: 'javascript:alert(1)' }], '/items/0/path'],
    [[{ label: 'x', path: '//evil.test' }], '/items/0/path'],
    [[{ label: 'x', path: '/x y' }], '/items/0/path'],
    [[{ label: 'x', path: 'https://[' }], '/items/0/path'],
    [[{ label: 'x', path: '/x\u0007' }], '/items/0/path'],
    [[{ label: 'x', items: [{ label: 'y', page: 'no-such-page' }] }], '/items/0/items/0/page'],
  ] as const) {
    const answer = await put(ada, 'wrong', items)
    t.is(codeOf(answer), '422 validation_failed', JSON.stringify(items))
    t.is(problem(answer).errors?.[0]?.pointer, pointer)
  }
  let deep: MenuItem = { label: 'x' }
  for (let level = 0; level < 5; level++) deep = { label: 'x', items: [deep] }
  t.is((await put(ada, 'wrong', [deep])).status, 422)
  const wide = { label: 'x', items: Array.from({ length: 99 }, () => ({ label: 'y' })) }
  t.is(
    (
      await put(
        ada,
        'wrong',
        Array.from({ length: 6 }, () => wide),
      )
    ).status,
    422,
    'over 500 in all',
  )
  t.is(codeOf(await put(ada, 'No%20Key', [])), '422 validation_failed')
  t.is(codeOf(await ada.get(`${NAVIGATION}/wrong`)), '404 not_found')
})

test('isolates tenants and requires a permission for each route', async t => {
  await put(ada, 'mine', [{ label: 'x', path: '/x' }])
  const bob = await people.person()
  t.is(codeOf(await bob.get(`${NAVIGATION}/mine`)), '404 not_found')
  t.is((await put(bob, 'mine', [])).status, 200)
  t.is((await ada.get<Menu>(`${NAVIGATION}/mine`)).body.items.length, 1)
  const member = await people.colleague(ada, ['tenant.member'])
  t.is(problem(await member.get(NAVIGATION)).requiredPermission, 'content.navigation.read')
  t.is(problem(await member.get(`${NAVIGATION}/mine`)).requiredPermission, 'content.navigation.read')
  t.is(problem(await reader.put(`${NAVIGATION}/mine`, { items: [] })).requiredPermission, 'content.navigation.update')
})
