import test from 'ava'
import { startTestKernel } from '../../../../testing/index.ts'

test('a page link selects a workspace of the reader and no other', async t => {
  const kernel = await startTestKernel({ recipe: { modules: { identity: {}, comms: {} } } })
  t.teardown(() => kernel.stop())
  const [ada, eve] = await Promise.all(['ada', 'eve'].map(name => kernel.register(`${name}@example.test`)))
  if (!ada || !eve) throw new Error('two people register')
  const { body: other } = await ada.post('/v1/identity/tenants', { name: 'Engines' })
  const open = (path: string, cookie: string) => kernel.get(path, { headers: { accept: 'text/html', cookie } })

  const chosen = await open(`/workspace/api-keys?workspace=${other.id}&days=30`, ada.cookie)
  t.deepEqual([chosen.status, chosen.headers.get('location')], [303, '/workspace/api-keys?days=30'])
  t.regex(chosen.headers.getSetCookie()[0] ?? '', new RegExp(`^platform_tenant=${other.id};`))
  const bySlug = await open(`/account?workspace=${other.slug}`, ada.cookie)
  t.deepEqual([bySlug.status, bySlug.headers.get('location')], [303, '/account'])
  t.regex(bySlug.headers.getSetCookie()[0] ?? '', new RegExp(`^platform_tenant=${other.id};`))

  for (const tenant of [other.id, other.slug, 'no-such-workspace', 'x'.repeat(500), '%0d%0aset-cookie:x']) {
    const refused = await open(`/workspace/api-keys?workspace=${tenant}`, eve.cookie)
    t.deepEqual([refused.status, refused.headers.getSetCookie()], [403, []], tenant)
  }
  const publicPage = await open(`/sign-in?workspace=${other.id}`, '')
  t.deepEqual([publicPage.status, publicPage.headers.getSetCookie()], [200, []])
})
