import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { codeOf, problem } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { contentRecipe, draft, PAGES, REDIRECTS } from '../fixtures.ts'

const { people, ada } = withPeople(
  test,
  { recipe: contentRecipe({ modules: { content: { redirects: { allowHosts: ['docs.test'] } } } }), clock: true },
  { ada: 'owner' },
)

const resolve = (person: Person, path: string) => person.get(`${REDIRECTS}/resolve?path=${encodeURIComponent(path)}`)

test('creates, reads, resolves, changes and deletes a redirect', async t => {
  const made = await ada.post(REDIRECTS, { from: '/a/', to: '/b' })
  t.is(made.status, 201)
  t.like(made.body, { from: '/a', to: '/b', status: 301, managedBy: null })
  t.is(made.headers.get('location'), `${REDIRECTS}/${made.body.id}`)
  t.deepEqual((await ada.get(`${REDIRECTS}/${made.body.id}`)).body, made.body)
  t.like((await resolve(ada, '/a')).body, { from: '/a', to: '/b', status: 301 })
  t.like((await ada.patch(`${REDIRECTS}/${made.body.id}`, { status: 410 })).body, { to: null, status: 410 })
  t.like((await resolve(ada, '/a')).body, { to: null, status: 410 })
  t.is(codeOf(await ada.patch(`${REDIRECTS}/${made.body.id}`, { status: 302 })), '422 validation_failed')
  t.like((await ada.patch(`${REDIRECTS}/${made.body.id}`, { status: 302, to: '/c' })).body, { to: '/c' })
  t.is((await ada.delete(`${REDIRECTS}/${made.body.id}`)).status, 204)
  t.is(codeOf(await ada.delete(`${REDIRECTS}/${made.body.id}`)), '404 not_found')
  t.is(codeOf(await resolve(ada, '/a')), '404 no_redirect')
})

test('a wildcard keeps the rest of the path', async t => {
  await ada.post(REDIRECTS, { from: '/old/*', to: '/new/:splat', status: 308 })
  t.like((await resolve(ada, '/old/x/y')).body, { from: '/old/*', to: '/new/x/y', status: 308 })
})

test('rejects an invalid redirect with pointers', async t => {
  for (const [body, pointer] of [
    [{}, '/from'],
    [{ from: 1, to: '/b' }, '/from'],
    [{ from: 'x', to: '/b' }, '/from'],
    [{ from: '/a*', to: '/b' }, '/from'],
    [{ from: '/r' }, '/to'],
    [{ from: '/r', to: null }, '/to'],
    [{ from: '/r', to: '//evil.test' }, '/to'],
    [{ from: '/r', to: 'https://evil.test/' }, '/to'],
    [{ from: '/r', to: 'https://docs.test@evil.test/' }, '/to'],
    [{ from: '/r', to: 'https://docs.test.evil.test/' }, '/to'],
    [{ from: '/r', to: 'javascript:alert(1)' }, '/to'],
    [{ from: '/r', to: '/x/:splat' }, '/to'],
    [{ from: '/r', to: '/x', status: 410 }, '/to'],
    [{ from: '/r', to: '/x', status: 303 }, '/status'],
    [{ from: '/r', to: '/x', status: '301' }, '/status'],
    [{ from: '/r', to: '/x', managedBy: 'recipe' }, '/managedBy'],
  ] as const) {
    const answer = await ada.post(REDIRECTS, body)
    t.is(codeOf(answer), '422 validation_failed', JSON.stringify(body))
    t.is(problem(answer).errors?.[0]?.pointer, pointer, JSON.stringify(body))
  }
  t.is((await ada.post(REDIRECTS, { from: '/docs/*', to: 'https://docs.test/:splat' })).status, 201)
  t.is((await ada.get(`${REDIRECTS}/resolve`)).status, 422)
})

test('rejects loops, and a second redirect from one path', async t => {
  const bob = await people.person()
  await bob.post(REDIRECTS, { from: '/a', to: '/b' })
  t.is(codeOf(await bob.post(REDIRECTS, { from: '/a', to: '/c' })), '409 redirect_exists')
  t.is(codeOf(await bob.post(REDIRECTS, { from: '/b', to: '/a' })), '409 redirect_loop')
  t.is(codeOf(await bob.post(REDIRECTS, { from: '/c', to: '/c' })), '409 redirect_loop')
  const safe = await bob.post(REDIRECTS, { from: '/b', to: '/d' })
  t.is(codeOf(await bob.patch(`${REDIRECTS}/${safe.body.id}`, { to: '/a' })), '409 redirect_loop')
  const both = await Promise.all([
    bob.post(REDIRECTS, { from: '/x', to: '/y' }),
    bob.post(REDIRECTS, { from: '/y', to: '/x' }),
  ])
  t.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
})

test('a moved page that was published has one redirect from each old path', async t => {
  const cleo = await people.person()
  const page = await draft(cleo, { slug: 'one' })
  await cleo.patch(`${PAGES}/${page.id}`, { slug: 'two' })
  t.is(codeOf(await resolve(cleo, '/one')), '404 no_redirect', 'it was never published')
  await cleo.post(`${PAGES}/${page.id}/publish`)
  await cleo.patch(`${PAGES}/${page.id}`, { slug: 'three' })
  t.like((await resolve(cleo, '/two')).body, { to: '/three', status: 301 })
  await cleo.patch(`${PAGES}/${page.id}`, { path: '/deep/four' })
  t.like((await resolve(cleo, '/two')).body, { to: '/deep/four' })
  t.like((await resolve(cleo, '/three')).body, { to: '/deep/four' })
  await cleo.patch(`${PAGES}/${page.id}`, { slug: 'two', path: '/two' })
  t.is(codeOf(await resolve(cleo, '/two')), '404 no_redirect', 'the page is there again')
  t.like((await resolve(cleo, '/three')).body, { to: '/two' })
})

test('isolates tenants and requires a permission for each route', async t => {
  const [bob, reader] = [await people.person(), await people.colleague(ada, ['tenant.member'])]
  const { id } = (await ada.post(REDIRECTS, { from: '/mine', to: '/b' })).body
  for (const [method, body] of [['GET'], ['PATCH', { to: '/x' }], ['DELETE']] as const)
    t.is(codeOf(await bob.call(method, `${REDIRECTS}/${id}`, body)), '404 not_found')
  t.is(codeOf(await resolve(bob, '/mine')), '404 no_redirect')
  t.deepEqual((await bob.get(REDIRECTS)).body.data, [])
  for (const [method, path, body, permission] of [
    ['GET', REDIRECTS, undefined, 'read'],
    ['GET', `${REDIRECTS}/resolve?path=/a`, undefined, 'read'],
    ['POST', REDIRECTS, {}, 'create'],
    ['PATCH', `${REDIRECTS}/${id}`, {}, 'update'],
    ['DELETE', `${REDIRECTS}/${id}`, undefined, 'delete'],
  ] as const) {
    const answer = await reader.call(method, path, body)
    t.is(codeOf(answer), '403 forbidden')
    t.is(problem(answer).requiredPermission, `content.redirect.${permission}`)
  }
})
