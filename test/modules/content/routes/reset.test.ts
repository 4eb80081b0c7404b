/** Pages and menus of the recipe that editors change, and reset. */
import test from 'ava'
import { codeOf, type Listed, type ProblemBody } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { contentRecipe, NAVIGATION, PAGES, type Page, startFixtures } from '../fixtures.ts'

const { kernel, people, operator } = withPeople(
  test,
  {
    recipe: contentRecipe({
      pages: {
        home: { path: '/', title: 'Home', body: 'From the recipe', editable: true },
        terms: { title: 'Terms', body: 'Be kind.' },
        idea: { title: 'Idea', body: 'Soon', editable: true, status: 'draft' },
      },
      navigation: { main: [{ label: 'Home', page: 'home' }] },
    }),
    clock: true,
    alone: true,
  },
  { operator: 'operator' },
)

const pageOf = async (slug: string): Promise<Page> =>
  (await operator.get<Listed<Page>>(PAGES)).body.data.find(page => page.slug === slug) as Page
const home = async () => (await kernel.get<string>('/', { headers: { accept: 'text/html' } })).body

test.serial('an edit of a page of the recipe wins until the page is reset', async t => {
  const { id } = await pageOf('home')
  await operator.patch(`${PAGES}/${id}`, { body: 'By an editor', title: 'Changed' })
  await operator.post(`${PAGES}/${id}/publish`, {})
  t.regex(await home(), /By an editor/)
  const reset = await operator.post(`${PAGES}/${id}/reset`)
  t.like(reset, { status: 200, body: { body: 'From the recipe', title: 'Home', version: 3, publishedVersion: 3 } })
  t.regex(await home(), /From the recipe/)
  const again = await operator.post(`${PAGES}/${id}/reset`)
  t.is(again.body.version, 3)
})

test.serial('a reset page has the state of the recipe', async t => {
  const { id } = await pageOf('idea')
  await operator.post(`${PAGES}/${id}/publish`, {})
  t.is((await operator.post(`${PAGES}/${id}/reset`)).body.status, 'draft')
})

test.serial('a refused change names the line of the recipe that allows it', async t => {
  const { id } = await pageOf('terms')
  const refused = await operator.patch<ProblemBody>(`${PAGES}/${id}`, { body: 'x' })
  t.is(codeOf(refused), '409 managed_by_recipe')
  t.regex(refused.body.detail, /set pages\.terms\.editable: true/)
  const menu = await operator.put<ProblemBody>('/v1/content/navigation/main', { items: [] })
  t.is(codeOf(menu), '409 managed_by_recipe')
  t.regex(menu.body.detail, /set modules\.content\.editable: true/)
})

test.serial('pages and menus say whether editors may change them', async t => {
  t.true((await pageOf('home')).editable)
  const { id, editable } = await pageOf('terms')
  t.false(editable)
  t.like(await operator.get(`${PAGES}/${id}`), { body: { editable: false } })
  t.like(await operator.get('/v1/content/navigation/main'), { body: { editable: false } })
  const own = await operator.put('/v1/content/navigation/own', { items: [] })
  t.like(own, { body: { editable: true } })
})

test.serial(
  'resets only pages of the recipe, in the revision that the caller read, with the right to publish',
  async t => {
    const own = await operator.post(PAGES, { slug: 'own', title: 'Own' })
    t.is(codeOf(await operator.post(`${PAGES}/${own.body.id}/reset`)), '409 page_not_of_recipe')
    const { id } = await pageOf('home')
    const stale = await operator.post(`${PAGES}/${id}/reset`, undefined, { headers: { 'if-match': '"0"' } })
    t.is(codeOf(stale), '412 precondition_failed')
    t.is(codeOf(await operator.post(`${PAGES}/pag_00000000000000000000000000/reset`)), '404 not_found')
    const stranger = await people.person()
    t.is(codeOf(await stranger.post(`${PAGES}/${id}/reset`)), '404 not_found')
  },
)

test('a menu of the recipe is edited and reset, by people who may change menus', async t => {
  const own = await startFixtures({
    modules: { content: { editable: true } },
    navigation: { main: [{ label: 'Home', path: '/' }] },
  })
  t.teardown(() => own.stop())
  const editor = await own.operator()
  const menu = { key: 'main', managedBy: 'recipe', editable: true }
  const items = [{ label: 'Shop', path: '/shop' }]
  t.like(await editor.put(`${NAVIGATION}/main`, { items }), { body: { ...menu, items } })
  const reset = { status: 200, body: { ...menu, items: [{ label: 'Home', path: '/' }] } }
  t.like(await editor.post(`${NAVIGATION}/main/reset`), reset)
  t.like(await editor.post(`${NAVIGATION}/main/reset`), reset)
  t.like(await editor.get(`${NAVIGATION}/main`), { body: reset.body })

  await editor.put(`${NAVIGATION}/own`, { items })
  t.is(codeOf(await editor.post(`${NAVIGATION}/own/reset`)), '409 menu_not_of_recipe')
  t.is(codeOf(await editor.post(`${NAVIGATION}/none/reset`)), '404 not_found')
  const stranger = await own.person()
  t.is(codeOf(await stranger.post(`${NAVIGATION}/main/reset`)), '404 not_found')
  await stranger.put(`${NAVIGATION}/main`, { items })
  t.is(codeOf(await stranger.post(`${NAVIGATION}/main/reset`)), '409 menu_not_of_recipe')
  const reader = await own.colleague(stranger, ['tenant.reader'])
  t.is(codeOf(await reader.post(`${NAVIGATION}/main/reset`)), '403 forbidden')
})
