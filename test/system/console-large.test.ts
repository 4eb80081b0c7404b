/** Long lists and long texts in the console. */
import test from 'ava'
import type { Page } from 'playwright-core'
import { startOwnConsole } from './console-fixtures.ts'

const ROWS = 100_000
const BATCH = 500
const PARALLEL = 4
const PAGE_SIZE = 50
const MAX_RENDERED_ROWS = 100
const MAX_HEAP_GROWTH_BYTES = 40 * 1024 * 1024

const ARTICLES = {
  label: 'Article',
  title: 'Articles',
  search: ['title'],
  fields: { title: { type: 'text', required: true } },
}

/** The console needs it to know the parameters of a list. On a busy machine, it arrives after the first rows. */
async function hasApiDocument(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/openapi.json')),
  )
  // Rendering follows.
  await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

test.serial('scrolls a list of 100,000 rows without loading them all', async t => {
  const { ada, open } = await startOwnConsole(t, { collections: {} }, { collections: { articles: ARTICLES } })
  const batches = Array.from({ length: ROWS / BATCH }, (_, batch) => batch)
  const insert = async () => {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      const rows = Array.from({ length: BATCH }, (_, n) => ({ title: `Article ${Number(batch) * BATCH + n}` }))
      t.is((await ada.post('/v1/data/articles', rows)).status, 201)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, insert))

  const page = await open(ada, '/collections/articles')
  const requests: URL[] = []
  page.on('request', request => {
    const url = new URL(request.url())
    if (url.pathname === '/v1/data/articles' && url.searchParams.has('cursor')) requests.push(url)
  })
  await page.getByText(`${PAGE_SIZE} of ${ROWS.toLocaleString('en')} rows loaded`).waitFor()
  await hasApiDocument(page)
  const session = await page.context().newCDPSession(page)
  const heap = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage')
    return (await session.send('Runtime.getHeapUsage')).usedSize
  }
  const before = await heap()
  const list = page.getByRole('region', { name: 'Articles' })
  let most = 0
  const scrolls = 40
  for (let n = 1; n <= scrolls; n++) {
    await list.evaluate(element => {
      Reflect.set(element, 'scrollTop', Reflect.get(element, 'scrollHeight'))
    })
    const loaded = (PAGE_SIZE * (n + 1)).toLocaleString('en')
    await page.getByText(`${loaded} of ${ROWS.toLocaleString('en')} rows loaded`).waitFor()
    most = Math.max(most, await page.locator('tbody tr').count())
  }
  const growth = (await heap()) - before
  t.log(`${most} rows in the document, ${Math.round(growth / 1024)} KiB for ${scrolls * PAGE_SIZE} rows`)
  t.true(most <= MAX_RENDERED_ROWS, `${most} rows in the document`)
  t.true(growth <= MAX_HEAP_GROWTH_BYTES, `${growth} bytes`)
  t.is(requests.length, scrolls)
  t.true(requests.every(({ searchParams }) => searchParams.get('limit') === String(PAGE_SIZE)))
  t.is(new Set(requests.map(({ searchParams }) => searchParams.get('cursor'))).size, scrolls)
  await page.getByLabel('Search Articles').fill('Article 99999')
  await page.getByRole('link', { name: 'Article 99999', exact: true }).waitFor()
})

/** Characters; the limit of the API. */
const MAX_TEXT = 200_000
const PARAGRAPH = '## Tea\n\nTea is an *aromatic* drink, see [the list](/teas).\n\n'
const textOf = (length: number) => PARAGRAPH.repeat(Math.ceil(length / PARAGRAPH.length)).slice(0, length)
/** Work of the page for each key, in CPU time, which other programs don't change. */
const MAX_KEY_MS = 150

test.serial('opens the longest page that the API allows, and types in it without delay', async t => {
  const { ada, open } = await startOwnConsole(t, { content: {} })
  const full = textOf(MAX_TEXT - 20)
  const { body } = await ada.post('/v1/content/pages', { slug: 'tea', title: 'Tea', body: full })
  const page = await open(ada, `/content/pages/${body.id}`)
  const text = page.getByRole('textbox', { name: 'Text (Markdown)' })
  await text.click()
  await page.keyboard.press('Control+Home')
  const typed = 'Twenty characters ok'
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const workOf = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
  const before = await workOf()
  await page.keyboard.type(typed)
  const perKey = ((await workOf()) - before) / typed.length
  t.log(`${Math.round(perKey)} ms per key`)
  t.true(perKey <= MAX_KEY_MS, `${perKey} ms per key`)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Draft saved.').waitFor()
  t.is((await ada.get(`/v1/content/pages/${body.id}`)).body.body, typed + full)
})

test.serial('a text of 10 MiB gets a clear error, and nothing is lost', async t => {
  const { ada, open, problems } = await startOwnConsole(t, { content: {} })
  const { body } = await ada.post('/v1/content/pages', { slug: 'tea', title: 'Tea', body: 'Short' })
  const page = await open(ada, `/content/pages/${body.id}`)
  const text = page.getByRole('textbox', { name: 'Text (Markdown)' })
  await text.click()
  await page.keyboard.press('Control+a')
  const long = textOf(10 * 1024 * 1024)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(long)})`)
  await page.keyboard.press('Control+v')
  await page.getByText('The text has 10,485,760 characters.').waitFor()
  await page.keyboard.type('!')
  await page.getByText('The text has 10,485,761 characters.').waitFor()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.locator('.page > .notice', { hasText: 'A page can have at most 200,000.' }).waitFor()
  t.is(await page.getByText('The server can’t be reached').count(), 0)
  t.is((await ada.get(`/v1/content/pages/${body.id}`)).body.body, 'Short')

  await page.keyboard.press('Control+z')
  await text.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText('Shorter')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Draft saved.').waitFor()
  t.is((await ada.get(`/v1/content/pages/${body.id}`)).body.body, 'Shorter')
  t.deepEqual(problems, [])
})
