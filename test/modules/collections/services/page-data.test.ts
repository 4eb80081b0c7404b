import test from 'ava'
import { renderedMarkdown } from '../../../../kernel/base/html.ts'
import { createMarkdownFields } from '../../../../modules/collections/services/markdown-fields.ts'
import { createPageData } from '../../../../modules/collections/services/page-data.ts'
import { problems as contentProblems } from '../../../../modules/content/problems.ts'
import { toCollections } from './storage/fixtures.ts'

type Visit = Parameters<ReturnType<typeof createPageData>['load']>[1]

test('a parameter without a value drops its own condition alone', async t => {
  const given: unknown[] = []
  const deps = {
    collectionMap: toCollections({ courses: { fields: { price: { type: 'integer' }, level: { type: 'text' } } } }),
    view: () => ({ allows: () => true, collections: new Map(), subjectFor: () => ({ $user: 'usr_1' }) }),
    reader: {
      list: async (...[, , query]: unknown[]) => {
        const { where } = query as { where: readonly { operator: string; operands: unknown }[] }
        given.push(where.map(({ operator, operands }) => [operator, operands]))
        return { data: [], nextCursor: null }
      },
    },
    markdownFields: createMarkdownFields({}),
  }
  const pageData = createPageData({ ...deps, operator: { tenantId: 'ten_1' } } as never)
  const visit = { params: {}, search: '?min=5' } as unknown as Visit
  const filter = {
    price: { gte: '$query.min', lte: 100 },
    level: { eq: '$query.level', ne: 'draft' },
    createdBy: '$user',
  }
  await pageData.load({ collection: 'courses', filter }, visit)
  await pageData.load({ collection: 'courses', filter }, { ...visit, search: '' })
  const shared = [
    ['lte', [100]],
    ['ne', ['draft']],
    ['eq', ['usr_1']],
  ]
  t.deepEqual(given, [[['gte', [5]], ...shared], shared])
})

test('a parameter that is written like a variable is a text', async t => {
  const given: unknown[] = []
  const deps = {
    collectionMap: toCollections({ courses: { fields: { title: { type: 'text' } } } }),
    view: () => ({ allows: () => true, collections: new Map(), subjectFor: () => ({ $user: 'usr_1' }) }),
    reader: {
      list: async (...[, , query]: unknown[]) => {
        given.push(query)
        return { data: [], nextCursor: null }
      },
    },
    markdownFields: createMarkdownFields({}),
  }
  const pageData = createPageData({ ...deps, operator: { tenantId: 'ten_1' } } as never)
  const search = `?title=${encodeURIComponent('$user')}`
  await pageData.load({ collection: 'courses', filter: { title: '$query.title' } }, visit(search))
  t.like(given, [{ where: [{ operands: ['$user'] }] }])
})

type Renderer = Parameters<typeof createMarkdownFields>[0]['markdownHtml']

function pageDataOf(
  rows: readonly object[],
  markdownHtml: Renderer,
  nextCursor: string | null = null,
  fields: Parameters<typeof toCollections>[0][string]['fields'] = {},
) {
  const given: { cursor?: string }[] = []
  const deps = {
    collectionMap: toCollections({
      courses: { fields: { title: { type: 'text' }, summary: { type: 'markdown' }, ...fields } },
      lessons: { fields: { course: { type: 'reference', to: 'courses' } } },
    }),
    reader: {
      list: async (...[, , query]: unknown[]) => {
        given.push(query as object)
        return { data: rows, nextCursor }
      },
    },
  }
  const collections = deps.collectionMap
  const view = () => ({ collections, tenantId: 'ten_1', allows: () => true, subjectFor: () => ({}) })
  const markdownFields = createMarkdownFields({ markdownHtml })
  const pageData = createPageData({ ...deps, view, markdownFields, operator: { tenantId: 'ten_1' } } as never)
  return { given, pageData }
}
const visit = (search: string) => ({ path: '/courses', params: {}, search, locale: 'en' }) as unknown as Visit

test('renders Markdown fields of rows and of expanded rows, each text once', async t => {
  const rendered: string[] = []
  const render = async (tenantId: string, text: string) => `${tenantId}<p>${rendered[rendered.push(text) - 1]}</p>`
  const course = { title: '*Sailing*', summary: '*At sea*' }
  const { pageData } = pageDataOf([{ course }, { course }, { course: null }], { render })
  const page = await pageData.load({ collection: 'lessons', expand: ['course'] }, visit(''))
  const [first] = (page as { data: { course: { title: string; summary: unknown } }[] }).data
  t.is(renderedMarkdown(first?.course.summary), 'ten_1<p>*At sea*</p>')
  t.is(String(first?.course.summary), '*At sea*')
  t.is(first?.course.title, '*Sailing*')
  t.deepEqual(rendered, ['*At sea*'])
})

test('shows a Markdown text that costs too much as it was written', async t => {
  const render = () => Promise.reject(contentProblems.body_too_costly())
  const { pageData } = pageDataOf([{ summary: '<b>' }], { render })
  const row = await pageData.load({ collection: 'courses', one: true }, visit(''))
  t.is(renderedMarkdown((row as { summary: unknown }).summary), '<p>&#60;b&#62;</p>')
})

test('reads the page that the query names, and links to the next and the first one', async t => {
  const query = { collection: 'courses', paginate: 'page' }
  const { pageData, given } = pageDataOf([], undefined, 'next one')
  t.like(await pageData.load(query, visit('level=a')), { nextUrl: '/courses?level=a&page=next+one', firstUrl: null })
  t.is(given[0]?.cursor, undefined)
  const second = await pageData.load(query, visit('level=a&page=abc'))
  t.like(second, { nextUrl: '/courses?level=a&page=next+one', firstUrl: '/courses?level=a' })
  t.is(given[1]?.cursor, 'abc')
})

test('the last page links to the first one alone', async t => {
  const { pageData } = pageDataOf([], undefined)
  const page = await pageData.load({ collection: 'courses', paginate: 'page' }, visit('page=abc'))
  t.like(page, { nextUrl: null, firstUrl: '/courses' })
})

test('links to each choice keep the rest of the query, and lead to the first page', async t => {
  const { pageData, given } = pageDataOf([], undefined, 'next', {
    level: { type: 'enum', values: ['easy', 'hard'], labels: { easy: { en: 'Easy', de: 'Leicht' } } },
    live: { type: 'boolean' },
  })
  const query = { collection: 'courses', paginate: 'page', q: '$query.q', filters: ['level', 'live'] }
  const list = await pageData.load(query, visit('q=a&x=1&page=abc&level=easy&live=maybe'))
  t.like(list, {
    isFiltered: true,
    allUrl: '/courses?x=1',
    search: { name: 'q', path: '/courses', kept: [{ name: 'x' }, { name: 'level' }, { name: 'live' }] },
    filters: [
      {
        name: 'level',
        label: 'Level',
        isAll: false,
        allUrl: '/courses?q=a&x=1&live=maybe',
        choices: [
          { label: 'Easy', isChosen: true, url: '/courses?q=a&x=1&live=maybe' },
          { label: 'hard', isChosen: false, url: '/courses?q=a&x=1&level=hard&live=maybe' },
        ],
      },
      { name: 'live', isAll: true, choices: [{ label: 'Live', url: '/courses?q=a&x=1&level=easy&live=true' }] },
    ],
  })
  t.like(given[0], { where: [{ operands: ['easy'] }] })
  t.is((given[0] as { where: unknown[] }).where.length, 1)
})

test('facts have the words of the recipe, and rows without a value have none', async t => {
  const { pageData } = pageDataOf(
    [
      { level: 'easy', price: 1200, starts: null, live: true },
      { level: 'hard', price: 0, starts: '2027-01-11', live: false },
    ],
    undefined,
    null,
    {
      level: { type: 'enum', values: ['easy', 'hard'], labels: { easy: { en: 'Easy', de: 'Leicht' } } },
      price: { type: 'money', currency: 'EUR' },
      starts: { type: 'date' },
      live: { type: 'boolean' },
    },
  )
  const query = { collection: 'courses', facts: ['level', 'price', 'starts', 'live'] }
  const { data } = (await pageData.load(query, { ...visit(''), locale: 'de' })) as {
    data: { facts: { kind: string; value: unknown }[] }[]
  }
  const shown = data.map(({ facts }) => facts.map(({ kind, value }) => [kind, value]))
  t.deepEqual(shown, [
    [
      ['text', 'Leicht'],
      ['money', 1200],
      ['text', 'Live'],
    ],
    [
      ['text', 'hard'],
      ['money', 0],
      ['day', '2027-01-11'],
    ],
  ])
})
