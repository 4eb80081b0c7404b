import test from 'ava'
import { compareContent } from '../../../../modules/content/recipe/comparisons.ts'

type Declared = Parameters<typeof compareContent>[0]
type Page = Declared['pages'][number]

const page = (slug: string, more: Partial<Page> = {}): Page => {
  const fields = {
    slug,
    locale: 'en',
    path: `/${slug}`,
    published: true,
    editable: false,
    text: { title: slug, body: '', template: 'page', seo: {} },
    ...more,
  }
  return { ...fields, hash: JSON.stringify({ ...fields, was: undefined }) }
}
const declared = (more: Partial<Declared> = {}): Declared => ({ pages: [], menus: {}, redirects: [], ...more })
const compare = (before: Partial<Declared> | undefined, after: Partial<Declared>) =>
  compareContent(declared(after))
    .changesFrom(before && declared(before))
    .map(({ change, subject, detail, breaks }) =>
      [`${change} ${subject}`, detail, breaks && `! ${breaks}`].filter(Boolean).join(' | '),
    )

test('finds no change between equal pages', t => {
  t.deepEqual(compare({ pages: [page('a')] }, { pages: [page('a')] }), [])
})

test('every page of a new module is added', t => {
  t.deepEqual(compare(undefined, { pages: [page('a')] }), ['add page a (en) | at /a'])
})

test('a removed or unpublished page breaks its address', t => {
  t.deepEqual(compare({ pages: [page('a'), page('b')] }, { pages: [page('b', { published: false })] }), [
    'change page b (en) | unpublished | ! /b is 404',
    'remove page a (en) | ! /a is 404',
  ])
})

test('a renamed page leaves a redirect', t => {
  t.deepEqual(compare({ pages: [page('a')] }, { pages: [page('b', { was: 'a', text: page('a').text })] }), [
    'change page b (en) | slug a → b, path /a → /b, with a redirect',
  ])
})

test('compares menus and redirects', t => {
  const redirect = (to: string) => ({ from: '/x', to, status: 301 }) as Declared['redirects'][number]
  t.deepEqual(
    compare(
      { menus: { main: [] }, redirects: [redirect('/a')] },
      { menus: { footer: [] }, redirects: [redirect('/b')] },
    ),
    ['remove menu main', 'add menu footer', 'change redirect /x | /a (301) → /b (301)'],
  )
  t.deepEqual(compare({ redirects: [redirect('/a')] }, {}), ['remove redirect /x | ! /x is 404'])
})
