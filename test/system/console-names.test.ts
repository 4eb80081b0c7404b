/** Screens of every kind of record, with values that refer to others. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import type { Page } from 'playwright-core'
import { startTestKernel } from '../../testing/index.ts'
import { freePort } from '../fixtures/free-port.ts'
import { seed } from '../recipes/routes/catalog.ts'
import { type Account, createWorld, ROUTE_ENV, type World } from '../recipes/routes/world.ts'
import { cutTexts, goInConsole, recordRequests, shownIds, waitForScreen } from './console-fixtures.ts'
import { type CleansUp, openBrowser } from './fixtures.ts'

interface Listed {
  readonly id: string
  readonly module: string
  readonly name: string
  readonly key: string
  readonly operations: {
    readonly list: { readonly path: string }
    readonly get?: { readonly path: string }
    readonly update?: object
  }
}
type Row = Readonly<Record<string, unknown>>

const recipe = fileURLToPath(new URL('../recipes/routes/recipe.yaml', import.meta.url))
const LONG_NAME = 'Maximiliane Oberhuber-Schwarzenberger von und zu Hohenfels'
const HIDDEN = 'Not part of this console'
/** Resources whose records the screens of others show. */
const MIN_RECORDS = 25

async function startWorld(t: CleansUp): Promise<World> {
  const port = String(await freePort())
  const env = { ...ROUTE_ENV, PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` }
  const kernel = await startTestKernel({ recipe, env, role: 'web' })
  t.teardown(() => kernel.stop())
  const world = await createWorld(kernel.url, kernel.databaseUrl)
  t.teardown(() => world.close())
  await seed(world)
  const worker = await startTestKernel({ recipe, env: ROUTE_ENV, role: 'worker', database: kernel.databaseUrl })
  await world.settled().finally(worker.stop)
  return world
}

async function openConsole(t: CleansUp, { url }: World, { browser: headers }: Account): Promise<Page> {
  const context = await (await openBrowser(t)).newContext({ locale: 'en', reducedMotion: 'reduce' })
  await context.addCookies(
    String(headers.cookie)
      .split('; ')
      .map(pair => ({ name: pair.replace(/=.*/, ''), value: pair.replace(/^[^=]*=/, ''), url })),
  )
  const page = await context.newPage()
  recordRequests(page)
  return page
}

test.serial('lists, records and forms show whole names instead of the IDs of other records', async t => {
  t.timeout(600_000)
  const world = await startWorld(t)
  const found: string[] = []
  for (const who of ['owner', 'operator'] as const) {
    const account = world[who]
    await world.call(account, 'PATCH', '/v1/auth/me', { name: LONG_NAME })
    const page = await openConsole(t, world, account)
    const look = async (path: string) => {
      await waitForScreen(page)
      const texts = [...(await shownIds(page)), ...(await cutTexts(page))]
      found.push(...texts.map(text => `${who} ${path}: ${text}`))
      if (await page.getByRole('heading', { name: HIDDEN }).count()) found.push(`${who} ${path}: ${HIDDEN}`)
    }
    await page.goto(`${world.url}/console/${account.tenantId}`)
    const visit = async (path: string) => {
      await goInConsole(page, path)
      await look(path)
    }
    const { data: resources } = await world.call<{ data: Listed[] }>(account, 'GET', '/v1/platform/resources')
    const rows = new Map<string, Row>()
    for (const { id, operations } of resources)
      if (!operations.list.path.includes('{')) {
        const { data } = await world.call<{ data: Row[] }>(account, 'GET', operations.list.path)
        if (data[0]) rows.set(id, data[0])
      }
    t.true(who === 'operator' || rows.size >= MIN_RECORDS, String(rows.size))
    for (const { id, module, name, key, operations } of resources) {
      const row = rows.get(id)
      if (!row) continue
      const path = `/${module}/${name}`
      await visit(path)
      const record = `${path}/${encodeURIComponent(String(row[key]))}`
      if (operations.update) await visit(`${record}/edit`)
      if (!operations.get) continue
      await visit(record)
      const tabs = page.locator('main [role=tab]')
      for (let n = 1; n < (await tabs.count()); n++) {
        await tabs.nth(n).click()
        await look(`${record}, tab ${n}`)
      }
    }
  }
  t.deepEqual(found, [])
})
