import test from 'ava'
import type { MenuItem, PageSummary } from '../../../modules/console/app/data/api-types.ts'
import { diffLines, withContext } from '../../../modules/console/app/data/diff.ts'
import { withText } from '../../../modules/console/app/data/local-text.ts'
import { type Mark, withMark } from '../../../modules/console/app/screens/content/marks.ts'
import {
  flatten,
  moveItem,
  pointersOf,
  removeItem,
  stepItem,
  toTree,
} from '../../../modules/console/app/screens/content/menu-items.ts'
import { buildTree, listNodes, slugOf } from '../../../modules/console/app/screens/content/pages.ts'

const row = (path: string, locale = 'en', slug = path.slice(1).replaceAll('/', '-') || 'home'): PageSummary => ({
  id: `${slug}-${locale}`,
  slug,
  path,
  locale,
  title: `${slug} ${locale}`,
  status: 'draft',
  version: 1,
  publishedVersion: null,
  publishAt: null,
  managedBy: null,
  editable: true,
  publishedAt: null,
  template: 'page',
  seo: {},
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
})

test('orders pages as a tree by their paths, with translations in one node', t => {
  const rows = [row('/docs/api/errors'), row('/'), row('/docs'), row('/doku', 'de', 'docs'), row('/docs/start')]
  const tree = buildTree(rows, 'en')
  const listed = listNodes(tree, new Set(), undefined)
  t.deepEqual(
    listed.map(({ node, depth }) => `${depth} ${node.main.path}`),
    ['0 /', '0 /docs', '1 /docs/api/errors', '1 /docs/start'],
  )
  t.deepEqual(
    listed[1]?.node.translations.map(({ locale }) => locale),
    ['de', 'en'],
  )
  t.is(listNodes(tree, new Set(['docs']), undefined).length, 2)
  const found = listNodes(tree, new Set(['docs']), { text: 'errors', status: '', locale: '' })
  t.deepEqual(
    found.map(({ node }) => node.main.path),
    ['/docs', '/docs/api/errors'],
  )
})

test('derives slugs from titles', t => {
  t.is(slugOf('Über uns & Größe!'), 'ueber-uns-groesse')
})

test('finds added and removed lines', t => {
  const lines = diffLines('a\nb\nc\nd', 'a\nc\nx\nd')
  t.deepEqual(
    lines.map(({ kind, text }) => `${kind} ${text}`),
    ['same a', 'removed b', 'same c', 'added x', 'same d'],
  )
  const long = Array.from({ length: 20 }, (_, n) => String(n)).join('\n')
  t.deepEqual(withContext(diffLines(long, `${long}\nend`), 1), [
    { kind: 'gap', count: 19 },
    { kind: 'same', text: '19' },
    { kind: 'added', text: 'end' },
  ])
})

const menu: MenuItem[] = [
  { label: 'A', page: 'a', items: [{ label: 'B', path: '/b' }] },
  { label: 'C', items: [] },
  { label: 'D', page: 'd' },
]
const shape = (items: readonly MenuItem[]): string =>
  items.map(({ label, items: below = [] }) => `${label}${below.length > 0 ? `(${shape(below)})` : ''}`).join(' ')
const labels = (items: readonly MenuItem[]) => shape(items)

test('moves items of a menu with everything below them', t => {
  const flat = flatten(menu)
  t.is(labels(toTree(flat)), 'A(B) C D')
  t.is(labels(toTree(stepItem(flat, 0, 'down'))), 'C A(B) D')
  t.is(labels(toTree(stepItem(flat, 2, 'up'))), 'C A(B) D')
  t.is(labels(toTree(stepItem(flat, 2, 'in'))), 'A(B C) D')
  t.is(labels(toTree(stepItem(flat, 1, 'out'))), 'A B C D')
  t.is(labels(toTree(stepItem(flat, 3, 'down'))), 'A(B) C D')
  t.is(labels(toTree(moveItem(flat, 3, 1, 1))), 'A(D B) C')
  t.is(labels(toTree(moveItem(flat, 0, 1, 0))), 'A(B) C D')
  t.is(labels(toTree(removeItem(flat, 0))), 'C D')
  t.deepEqual(pointersOf(flat), ['/items/0', '/items/0/items/0', '/items/1', '/items/2'])
})

test('keeps one label for all languages until another language is edited', t => {
  t.is(withText('Home', 'en', 'Start', 'en'), 'Start')
  t.deepEqual(withText('Home', 'de', 'Startseite', 'en'), { en: 'Home', de: 'Startseite' })
  t.deepEqual(withText({ en: 'Home', de: 'Startseite' }, 'de', '', 'en'), { en: 'Home' })
})

/** Marks what stands between brackets, `[]` for the cursor; the result has them around what is selected then. */
function marking(mark: Mark, written: string): string {
  const from = written.indexOf('[')
  const before = written.replace(/[[\]]/g, '')
  const { text, selection, ...range } = withMark(before, { from, to: written.indexOf(']') - 1 }, mark)
  const after = before.slice(0, range.from) + text + before.slice(range.to)
  const { anchor, head } = selection
  return `${after.slice(0, anchor)}[${after.slice(anchor, head)}]${after.slice(head)}`
}

test('marks the selection or the word at the cursor, and takes a mark away', t => {
  t.is(marking('bold', 'We [bake] bread'), 'We **[bake]** bread')
  t.is(marking('bold', 'We **[bake]** bread'), 'We [bake] bread')
  t.is(marking('bold', 'We ba[]ke bread'), 'We **ba[]ke** bread')
  t.is(marking('bold', 'We **ba[]ke** bread'), 'We ba[]ke bread')
  t.is(marking('bold', '[]'), '**[]**')
  t.is(marking('italic', 'We **[bäcken]**'), 'We ***[bäcken]***')
  t.is(marking('italic', 'We ***[bake]***'), 'We **[bake]**')
  t.is(marking('bold', 'We *[bake]*'), 'We ***[bake]***')
  t.is(marking('code', '[npm]'), '`[npm]`')
  t.is(marking('code', '`[npm]`'), '[npm]')
  t.is(marking('code', '[npm ci\nnpm test]\n'), '```\n[npm ci\nnpm test]\n```\n')
})

test('marks each line of the selection, and takes marks of lines away', t => {
  t.is(marking('list', '[Flour\n\nYeast]\nTea'), '[- Flour\n\n- Yeast]\nTea')
  t.is(marking('list', '[- Flour\n- Yeast\n]Tea'), '[Flour\nYeast]\nTea')
  t.is(marking('list', '* Flour[]'), '- Flour[]')
  t.is(marking('heading', 'Tea\nHours[] of work'), 'Tea\n## Hours[] of work')
  t.is(marking('heading', '# Hours[]'), '## Hours[]')
  t.is(marking('heading', '## []Hours'), '[]Hours')
  t.is(marking('quote', 'a[b\nc]d'), '[> ab\n> cd]')
})

test('a link selects what is missing', t => {
  const { text, selection } = withMark('See us', { from: 4, to: 6 }, 'link')
  t.is(text, '[us](https://)')
  t.deepEqual(selection, { anchor: 9, head: 17 })
  const address = withMark('https://example.test', { from: 0, to: 20 }, 'link')
  t.is(address.text, '[](https://example.test)')
  t.deepEqual(address.selection, { anchor: 1, head: 1 })
  t.deepEqual(withMark('', { from: 0, to: 0 }, 'link').selection, { anchor: 1, head: 1 })
})
