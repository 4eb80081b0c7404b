import test from 'ava'
import { fingerprint } from '../../../../kernel/base/fingerprint.ts'
import type { RecipeChange } from '../../../../kernel/index.ts'
import type { DeclaredPage } from '../../../../modules/content/recipe/declarations.ts'
import { diffMenus, type MenuRow, menus } from '../../../../modules/content/recipe/menus.ts'
import { describePages, diffPages } from '../../../../modules/content/recipe/pages.ts'
import { diffRedirects, redirects } from '../../../../modules/content/recipe/redirects.ts'
import type { PageRow } from '../../../../modules/content/records/page.ts'

const declared = (slug: string, more: Partial<DeclaredPage> = {}): DeclaredPage => ({
  slug,
  locale: 'en',
  path: `/${slug}`,
  published: true,
  editable: false,
  hash: 'new',
  text: { title: slug, body: '', template: 'page', seo: {} },
  ...more,
})
const row = (slug: string, more: Partial<PageRow> = {}): PageRow => ({
  id: `pag_${slug}`,
  slug,
  path: `/${slug}`,
  locale: 'en',
  version: 1,
  publishedVersion: 1,
  publishedAt: null,
  publishAt: null,
  revision: 1,
  managedBy: 'recipe',
  editable: false,
  recipeHash: 'old',
  recipeVersion: 1,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...more,
})
const describe = (changes: readonly RecipeChange[]) =>
  changes.map(({ change, subject, detail, breaks }) => [change, subject, detail, breaks].filter(Boolean).join(' | '))

test('describes added, changed, removed and skipped pages', async t => {
  const own = row('mine', { id: 'pag_x', path: '/taken', managedBy: null, recipeHash: null })
  const diff = diffPages(
    [
      declared('same', { hash: 'old' }),
      declared('new'),
      declared('moved', { path: '/elsewhere' }),
      declared('hidden', { published: false }),
      declared('said', {}),
      declared('taken'),
      declared('mine'),
    ],
    [
      row('same'),
      row('moved'),
      row('hidden'),
      row('said'),
      row('gone'),
      row('draft', { publishedVersion: null }),
      row('kept', { editable: true, version: 2 }),
    ],
    [own],
  )
  t.deepEqual(describe(await describePages(diff, {} as never)), [
    'add | page new (en) | at /new',
    'change | page moved (en) | path /moved → /elsewhere',
    'change | page hidden (en) | unpublished',
    'change | page said (en) | text',
    'add | page mine (en) | takes over the operator’s page mine',
    'remove | page gone (en) | /gone returns 404',
    'remove | page draft (en)',
    'remove | page kept (en) | was edited and stays, as a page of the operator',
    'add | page taken (en) | left out: /taken is the path of the operator’s page mine',
  ])
})

test('describes renamed pages and their redirects', async t => {
  const published = { publishedAt: new Date(0) }
  const diff = diffPages(
    [declared('company', { was: 'about' }), declared('team', { was: 'people' }), declared('new', { was: 'never' })],
    [row('about', published), row('team'), row('people', published)],
    [],
  )
  t.deepEqual(describe(await describePages(diff, {} as never)), [
    'change | page company (en) | slug about → company, path /about → /company, with a redirect',
    'change | page team (en) | text',
    'add | page new (en) | at /new',
    'remove | page people (en) | /people returns 404',
  ])
})

test('describes added, changed, edited and removed menus', async t => {
  const items = [{ label: 'Home', path: '/' }]
  const menu = (key: string, more: Partial<MenuRow> = {}): MenuRow => ({
    key,
    items,
    managedBy: 'recipe',
    editable: false,
    recipeHash: fingerprint(items),
    ...more,
  })
  const diff = diffMenus(
    { same: items, different: [{ label: 'Start', path: '/' }], added: items, own: items },
    [
      menu('same'),
      menu('different'),
      menu('own', { managedBy: null, recipeHash: null }),
      menu('gone'),
      menu('edited', { editable: true, recipeHash: 'x' }),
    ],
    false,
  )
  t.deepEqual(describe(await menus.describe(diff, {} as never)), [
    'change | menu different',
    'add | menu added',
    'add | menu own | takes over a menu of the operator',
    'remove | menu gone',
    'remove | menu edited | was edited and stays, as a menu of the operator',
  ])
  const edited = diffMenus(
    { edited: [{ label: 'New', path: '/' }] },
    [menu('edited', { editable: true, recipeHash: 'x' })],
    true,
  )
  t.deepEqual(describe(await menus.describe(edited, {} as never)), ['change | menu edited | keeps the edited items'])
})

test('describes added, changed and removed redirects', async t => {
  const rule = (from: string, to: string | null, status: 301 | 302 | 410 = 301) => ({ id: from, from, to, status })
  const diff = diffRedirects(
    [rule('/same', '/a'), rule('/other', '/b'), rule('/gone-now', null, 410)],
    [rule('/same', '/a'), rule('/other', '/a', 302), rule('/left', '/x')],
  )
  t.deepEqual(describe(await redirects.describe(diff, {} as never)), [
    'change | redirect /other | /a (302) → /b (301)',
    'add | redirect /gone-now | to 410',
    'remove | redirect /left | /left returns 404',
  ])
})
