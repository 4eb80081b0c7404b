/** What a changed recipe would do to the site, told before it is done. */
import test from 'ava'
import { fingerprint } from '../../../../kernel/base/fingerprint.ts'
import type { RecipeChange } from '../../../../kernel/index.ts'
import { describeMenus, describePages, describeRedirects } from '../../../../modules/content/recipe/plan.ts'
import { diffMenus, diffPages, diffRedirects, type MenuRow } from '../../../../modules/content/recipe/diff.ts'
import type { DeclaredPage } from '../../../../modules/content/recipe/declared.ts'
import type { PageRow } from '../../../../modules/content/services/page-repository.ts'

const planned = (slug: string, more: Partial<DeclaredPage> = {}): DeclaredPage => ({
  ...{ slug, locale: 'en', path: `/${slug}`, published: true, editable: false, hash: 'new' },
  text: { title: slug, body: '', template: 'page', seo: {} },
  ...more,
})
const row = (slug: string, more: Partial<PageRow> = {}): PageRow => ({
  ...{ id: `pag_${slug}`, slug, path: `/${slug}`, locale: 'en', version: 1, publishedVersion: 1, publishedAt: null },
  ...{ publishAt: null, revision: 1, managedBy: 'recipe', editable: false, recipeHash: 'old', recipeVersion: 1 },
  ...more,
})
const said = (changes: readonly RecipeChange[]) =>
  changes.map(({ change, subject, detail, breaks }) => [change, subject, detail, breaks].filter(Boolean).join(' | '))

test('pages that are new, different, gone and taken are told apart', t => {
  const own = { id: 'pag_x', slug: 'mine', path: '/taken', locale: 'en' }
  const diff = diffPages(
    [
      planned('same', { hash: 'old' }),
      planned('new'),
      planned('moved', { path: '/elsewhere' }),
      planned('hidden', { published: false }),
      planned('said', {}),
      planned('taken'),
      planned('mine'),
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
  t.deepEqual(said(describePages(diff)), [
    'add | page new (en) | at /new',
    'change | page moved (en) | path /moved → /elsewhere',
    'change | page hidden (en) | taken back',
    'change | page said (en) | what it says',
    'add | page mine (en) | takes over the page mine of the operator’s own',
    'remove | page gone (en) | visitors find nothing at /gone',
    'remove | page draft (en)',
    'remove | page kept (en) | somebody edited it: it stays, as a page of the operator’s own',
    'add | page taken (en) | left out: /taken belongs to the page mine of the operator’s own',
  ])
})

test('menus that are new, different, edited and gone are told apart', t => {
  const items = [{ label: 'Home', path: '/' }]
  const menu = (key: string, more: Partial<MenuRow> = {}): MenuRow => ({
    ...{ key, items, managed: true, editable: false, hash: fingerprint(items) },
    ...more,
  })
  const diff = diffMenus(
    { same: items, different: [{ label: 'Start', path: '/' }], added: items, own: items },
    [
      menu('same'),
      menu('different'),
      menu('own', { managed: false, hash: null }),
      menu('gone'),
      menu('edited', { editable: true, hash: 'x' }),
    ],
    false,
  )
  t.deepEqual(said(describeMenus(diff)), [
    'change | menu different',
    'add | menu added',
    'add | menu own | takes over the menu of the operator’s own',
    'remove | menu gone',
    'remove | menu edited | somebody edited it: it stays, as a menu of the operator’s own',
  ])
  const kept = diffMenus(
    { edited: [{ label: 'New', path: '/' }] },
    [menu('edited', { editable: true, hash: 'x' })],
    true,
  )
  t.deepEqual(said(describeMenus(kept)), ['change | menu edited | somebody edited it: its items stay'])
})

test('redirects that are new, different and gone are told apart', t => {
  const rule = (from: string, to: string | null, status: 301 | 302 | 410 = 301) => ({ id: from, from, to, status })
  const diff = diffRedirects(
    [rule('/same', '/a'), rule('/other', '/b'), rule('/gone-now', null, 410)],
    [rule('/same', '/a'), rule('/other', '/a', 302), rule('/left', '/x')],
  )
  t.deepEqual(said(describeRedirects(diff)), [
    'change | redirect /other | /a (302) → /b (301)',
    'add | redirect /gone-now | to 410',
    'remove | redirect /left | links to /left lead nowhere',
  ])
})
