import anyTest, { type TestFn } from 'ava'
import { common, Problem } from '../../../kernel/problem.ts'
import { page } from '../../../kernel/route.ts'
import type { Site, SiteVisit } from '../../../kernel/site.ts'
import { type House, houseFor, startHouse } from './house.ts'

const test = anyTest as TestFn<{ house: House }>
const html = { accept: 'text/html' }
const visits: SiteVisit[] = []

const site: Site = {
  templates: ['notes.shown'],
  async find(visit) {
    visits.push(visit)
    if (visit.path === '/moved') return { redirect: '/here', status: 308 }
    if (visit.path === '/gone') throw new Problem('gone', 410, 'It is gone.')
    if (visit.path === '/broken') throw new Error('a bug of the site')
    if (visit.path === '/closed') throw common.unavailable({ seconds: 1 })
    if (visit.path !== '/here') return null
    return { name: 'notes.shown', title: 'Here', locale: 'fr', data: { a: 1 }, headers: { vary: 'accept-language' } }
  },
}

houseFor(test, () =>
  startHouse({
    site,
    pages: [
      {
        page: page({
          name: 'notes.own',
          path: '/own',
          title: 'Own',
          allow: 'public',
          load: async () => ({ data: {} }),
        }),
      },
    ],
  }),
)

test.serial('what no route and no page declares is shown by a site, in the language of what is shown', async t => {
  const { status, text, headers } = await t.context.house.get('/here?a=b', html)
  t.is(status, 200)
  t.regex(text, /^<h1>Here<\/h1>\{"a":1\} fr /)
  t.is(headers.get('vary'), 'accept-language')
  t.regex(headers.get('content-security-policy') ?? '', /'nonce-/)
  t.like(
    visits.find(({ path }) => path === '/here'),
    { search: 'a=b', caller: undefined },
  )
})

test.serial('a site redirects', async t => {
  const { status, headers } = await t.context.house.get('/moved', html)
  t.is(status, 308)
  t.is(headers.get('location'), '/here')
})

test.serial('a problem of a site is a page for a browser and a document for others; a bug is a 500', async t => {
  const gone = await t.context.house.get('/gone', html)
  t.is(gone.status, 410)
  t.is(gone.text, '<h1>problem gone</h1>')
  const document = await t.context.house.get('/gone')
  t.is(document.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  t.is((await t.context.house.get('/broken', html)).status, 500)
  t.is((await t.context.house.get('/closed', html)).status, 503)
})

test.serial('a site is asked for nothing that is declared, and for no address of the API', async t => {
  visits.length = 0
  t.is((await t.context.house.get('/own', html)).status, 200)
  t.is((await t.context.house.get('/v1/nothing')).status, 404)
  t.is((await t.context.house.get('/v1')).status, 404)
  t.is((await t.context.house.send('POST', '/here', {})).status, 404)
  t.deepEqual(visits, [])
  t.is((await t.context.house.get('/nothing', html)).status, 404)
  t.is(visits.length, 1)
})
