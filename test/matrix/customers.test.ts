/** Whose screens the console shows, with every module of the product. */
import test from 'ava'
import { promote } from '../modules/platform/fixtures.ts'
import { startOwnConsole } from '../system/console-fixtures.ts'
import type { CleansUp } from '../system/fixtures.ts'
import { refusedLinksOf, screensOf } from '../system/refused-links.ts'

const COLLECTIONS = {
  courses: { fields: { title: { type: 'text', required: true } }, search: ['title'], trash: '30d' },
}
const MODULES = {
  identity: { signIn: { password: {}, enterprise: {} }, impersonation: true },
  automations: {},
  billing: { provider: 'dev' },
  collections: {},
  content: {},
  features: {},
  forms: {},
  media: {},
  messaging: {},
  platform: {},
  sessions: {},
  streams: {},
  webhooks: {},
}

test.serial('a customer who types the address of any screen of the operator reads that it is not theirs', async t => {
  t.timeout(600_000)
  const console = await startOwnConsole(
    t,
    { ...MODULES, console: { customers: ['courses'] } },
    { collections: COLLECTIONS },
  )
  const { ada, kernel, open } = console
  const admin = await promote(kernel, await kernel.register('boss@example.test'))
  const paths = (await screensOf(console, admin)).filter(path => !path.startsWith('/collections/courses'))
  t.true(paths.length > 25, String(paths.length))
  const page = await open(ada, '/collections/courses')
  const base = page.url().replace('/collections/courses', '')
  const open404: string[] = []
  for (const path of paths) {
    await page.goto(base + path)
    const heading = page.getByRole('heading', { level: 1 })
    await heading.first().waitFor()
    const text = await heading.first().textContent()
    if (text !== 'Not part of this console') open404.push(`${path}: ${text}`)
  }
  t.deepEqual(open404, [])
})

/** A customer with a record of each kind, and an operator. */
async function startWithRecords(t: CleansUp) {
  const console = await startOwnConsole(t, MODULES, { collections: COLLECTIONS })
  const { ada, kernel } = console
  await ada.post('/v1/data/courses', { title: 'Chess' })
  await ada.post('/v1/forms', { name: 'Contact', schema: { type: 'object', properties: { name: { type: 'string' } } } })
  await ada.post('/v1/content/pages', { slug: 'about', title: 'About', body: 'We play.' })
  return { console, ada, admin: await promote(kernel, await kernel.register('boss@example.test')) }
}

test.serial('no link of the console of a customer refuses them', async t => {
  t.timeout(600_000)
  const { console, ada } = await startWithRecords(t)
  t.deepEqual(await refusedLinksOf(console, ada), [])
})

test.serial('no link of the console of a customer refuses an operator who looks into it', async t => {
  t.timeout(600_000)
  const { console, ada, admin } = await startWithRecords(t)
  t.deepEqual(await refusedLinksOf(console, { email: admin.email, tenantId: ada.tenantId }), [])
})
