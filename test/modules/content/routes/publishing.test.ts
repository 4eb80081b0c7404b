import test from 'ava'
import { codeOf, forgedCursor } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { contentRecipe, draft, PAGES, type Page } from '../fixtures.ts'

const { kernel, clock, ada } = withPeople(test, { recipe: contentRecipe(), clock: true }, { ada: 'owner' })

const read = async (id: string) => (await ada.get(`${PAGES}/${id}`)).body
const HOUR = 3_600_000
const later = (ms: number) => new Date(clock.at + ms).toISOString()
/** Types of the events about this page, oldest first. */
async function changesOf(id: string): Promise<string[]> {
  const { data } = await kernel.kernel.inspector.events.list({ tenantId: ada.tenantId, limit: 200 })
  return data
    .filter(({ subject }) => subject === id)
    .map(({ type }) => type.replace('content.page.', ''))
    .reverse()
}

test.serial('publishing is idempotent and shows the newest version; unpublishing makes a draft', async t => {
  const page = await draft(ada)
  t.like((await ada.post(`${PAGES}/${page.id}/publish`)).body, { status: 'published', publishedVersion: 1 })
  const again = await ada.post(`${PAGES}/${page.id}/publish`, {})
  t.like(again.body, { status: 'published', publishedVersion: 1 })
  await ada.patch(`${PAGES}/${page.id}`, { body: 'new' })
  t.like(await read(page.id), { status: 'published', version: 2, publishedVersion: 1 })
  await ada.post(`${PAGES}/${page.id}/publish`)
  t.like(await read(page.id), { publishedVersion: 2 })
  t.like((await ada.post(`${PAGES}/${page.id}/unpublish`)).body, { status: 'draft', publishedVersion: null })
  t.is((await ada.post(`${PAGES}/${page.id}/unpublish`)).status, 200)
  t.deepEqual(await changesOf(page.id), ['created', 'published', 'updated', 'published', 'unpublished'])
})

test.serial('publishes a page at its time, by the clock of the worker', async t => {
  const page = await draft(ada, { publishAt: later(HOUR) })
  t.like(page, { status: 'scheduled', publishedVersion: null })
  await kernel.settled()
  t.like(await read(page.id), { status: 'scheduled' })
  clock.at += HOUR + 1000
  await kernel.settled()
  t.like(await read(page.id), { status: 'published', publishedVersion: 1, publishAt: null })
  t.deepEqual(await changesOf(page.id), ['created', 'published'])
})

test.serial('a postponed or cancelled publication does not run early', async t => {
  const [moved, freed] = [await draft(ada, { publishAt: later(HOUR) }), await draft(ada)]
  await ada.patch(`${PAGES}/${moved.id}`, { publishAt: later(3 * HOUR) })
  t.like((await ada.post(`${PAGES}/${freed.id}/publish`, { publishAt: later(HOUR) })).body, {
    status: 'scheduled',
  })
  await ada.patch(`${PAGES}/${freed.id}`, { publishAt: null })
  clock.at += 2 * HOUR
  await kernel.settled()
  t.like(await read(moved.id), { status: 'scheduled' })
  t.like(await read(freed.id), { status: 'draft', publishAt: null })
  clock.at += 2 * HOUR
  await kernel.settled()
  t.like(await read(moved.id), { status: 'published' })
})

test.serial('deleting or publishing a scheduled page cancels its job', async t => {
  const [gone, hand] = [await draft(ada, { publishAt: later(HOUR) }), await draft(ada, { publishAt: later(HOUR) })]
  await ada.delete(`${PAGES}/${gone.id}`)
  await ada.post(`${PAGES}/${hand.id}/publish`)
  const { systemDatabase } = kernel.kernel.ports
  const { rows } = await systemDatabase
    .acrossTenants('a test looks at the queue')
    .query<{ key: string }>(
      `select key from larder_jobs where name = 'content.publish' and state = 'waiting' and key = any ($1)`,
      [[gone.id, hand.id]],
    )
  t.deepEqual(rows, [])
  t.like(await read(hand.id), { status: 'published', publishAt: null })
})

test.serial('keeps the configured number of versions, and always the published one', async t => {
  const page = await draft(ada, { body: '1' })
  await ada.post(`${PAGES}/${page.id}/publish`)
  for (let body = 2; body <= 9; body++) await ada.patch(`${PAGES}/${page.id}`, { body: String(body) })
  const { data } = (await ada.get(`${PAGES}/${page.id}/versions`)).body
  t.deepEqual(
    data.map(({ version }) => version),
    [9, 8, 7, 6, 5, 1],
  )
  t.deepEqual(
    data.filter(({ published }) => published).map(({ version }) => version),
    [1],
  )
  const first = await ada.get(`${PAGES}/${page.id}/versions?limit=4`)
  const rest = await ada.get(`${PAGES}/${page.id}/versions?cursor=${first.body.nextCursor}`)
  t.deepEqual(
    rest.body.data.map(({ version }) => version),
    [5, 1],
  )
  t.like((await ada.get<Page>(`${PAGES}/${page.id}/versions/7`)).body, { body: '7', html: '<p>7</p>\n' })
  for (const unknown of ['2', '0', '-1', '1.5', 'x', '99999999999999999999'])
    t.is(codeOf(await ada.get(`${PAGES}/${page.id}/versions/${unknown}`)), '404 not_found', unknown)
  const forged = forgedCursor('get /content/pages/:id/versions', ['x'])
  t.is(codeOf(await ada.get(`${PAGES}/${page.id}/versions?cursor=${forged}`)), '400 invalid_cursor')
})

test.serial('restores a version as a new one and keeps the address', async t => {
  const page = await draft(ada, { title: 'Old', body: 'old', seo: { noindex: true } })
  await ada.patch(`${PAGES}/${page.id}`, { title: 'New', body: 'new', seo: {}, slug: `${page.slug}-b` })
  const restored = await ada.post<Page>(`${PAGES}/${page.id}/versions/1/restore`)
  t.like(restored.body, { title: 'Old', body: 'old', seo: { noindex: true }, version: 3, slug: `${page.slug}-b` })
  t.is(codeOf(await ada.post(`${PAGES}/${page.id}/versions/77/restore`)), '404 not_found')
  t.like((await ada.post<Page>(`${PAGES}/${page.id}/versions/3/restore`)).body, { version: 3 })
})
