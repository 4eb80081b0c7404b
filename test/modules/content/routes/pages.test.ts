import test from 'ava'
import type { Client } from '../../../../testing/index.ts'
import { codeOf, type Listed, problem } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { role } from '../../identity/fixtures.ts'
import { contentRecipe, draft, PAGES, type Page } from '../fixtures.ts'

let reader: Client

const { people, ada, clock } = withPeople(
  test,
  { recipe: contentRecipe(), clock: true },
  { ada: 'owner' },
  async () => {
    reader = await people.colleague(ada, ['tenant.member'])
  },
)

test('creates, reads, changes and deletes a draft', async t => {
  const made = await ada.post(PAGES, {
    slug: 'first',
    title: 'First',
    body: '# Hi *you*',
    seo: { description: 'd' },
  })
  t.is(made.status, 201)
  t.is(made.headers.get('location'), `${PAGES}/${made.body.id}`)
  t.like(made.body, {
    slug: 'first',
    path: '/first',
    locale: 'en',
    template: 'page',
    status: 'draft',
    version: 1,
    managedBy: null,
  })
  t.is(made.body.html, '<h1>Hi <em>you</em></h1>\n')
  const read = await ada.get(`${PAGES}/${made.body.id}`)
  t.deepEqual(read.body, made.body)
  const changed = await ada.patch(`${PAGES}/${made.body.id}`, { body: 'Bye' })
  t.like(changed.body, { body: 'Bye', html: '<p>Bye</p>\n', title: 'First', version: 2 })
  t.is((await ada.delete(`${PAGES}/${made.body.id}`)).status, 204)
  t.is(codeOf(await ada.get(`${PAGES}/${made.body.id}`)), '404 not_found')
  t.is(codeOf(await ada.delete(`${PAGES}/${made.body.id}`)), '404 not_found', 'a second time it is not there')
})

test('reports all invalid fields of a body', async t => {
  const answer = await ada.post(PAGES, {
    slug: 'No Slug',
    title: 7,
    seo: { colour: 1 },
    id: 'pag_1',
    status: 'published',
  })
  t.is(codeOf(answer), '422 validation_failed')
  t.deepEqual(
    problem(answer)
      .errors?.map(({ pointer, code }) => `${pointer} ${code}`)
      .sort(),
    [
      '/id unknown_field',
      '/seo/colour unknown_field',
      '/slug wrong_format',
      '/status unknown_field',
      '/title wrong_type',
    ],
  )
  t.is(codeOf(await ada.post(PAGES)), '422 validation_failed')
  for (const [field, value] of [
    ['locale', 'fr'],
    ['template', 'nowhere'],
    ['path', '/v1/x'],
    ['path', '/a?b'],
    ['publishAt', '2026-13-01T00:00:00Z'],
    ['publishAt', '0000-01-01T00:00:00Z'],
    ['body', 'x'.repeat(200_001)],
    ['title', '  '],
  ] as const) {
    const refused = await ada.post(PAGES, { slug: 'odd', title: 'Odd', [field]: value })
    t.is(codeOf(refused), '422 validation_failed', `${field} ${value.slice(0, 20)}`)
    t.is(problem(refused).errors?.[0]?.pointer, `/${field}`)
  }
})

test('rejects a body that is too large or too complex', async t => {
  t.is((await ada.post(PAGES, { slug: 'big', title: 'Big', body: '> '.repeat(5_000_000) })).status, 413)
  t.is(
    codeOf(await ada.post(PAGES, { slug: 'big', title: 'Big', body: `|a|\n|-|\n${'||\n'.repeat(66_000)}` })),
    '422 body_too_costly',
  )
  t.is((await ada.get(`${PAGES}?filter[slug]=big`)).body.data.length, 0, 'nothing of it is kept')
})

test('slug and path are unique per language, also for concurrent requests', async t => {
  const page = await draft(ada)
  t.is(codeOf(await ada.post(PAGES, { slug: page.slug, title: 'x', path: '/other' })), '409 page_slug_taken')
  t.is(codeOf(await ada.post(PAGES, { slug: 'other', title: 'x', path: page.path })), '409 page_path_taken')
  t.is((await ada.post(PAGES, { slug: page.slug, title: 'x', locale: 'de' })).status, 201)
  const both = await Promise.all([1, 2, 3].map(() => ada.post(PAGES, { slug: 'raced', title: 'x' })))
  t.deepEqual(both.map(({ status }) => status).sort(), [201, 409, 409])
  const other = await draft(ada)
  t.is(codeOf(await ada.patch(`${PAGES}/${other.id}`, { slug: page.slug })), '409 page_slug_taken')
})

test('exactly one of two concurrent updates of the same version succeeds', async t => {
  const page = await draft(ada)
  const read = await ada.get(`${PAGES}/${page.id}`)
  const headers = { 'if-match': read.headers.get('etag') as string }
  const both = await Promise.all(['a', 'b'].map(body => ada.patch(`${PAGES}/${page.id}`, { body }, { headers })))
  t.deepEqual(both.map(({ status }) => status).sort(), [200, 412])
  t.is((await ada.get(`${PAGES}/${page.id}`)).body.version, 2)
  for (const stale of [
    await ada.delete(`${PAGES}/${page.id}`, { headers }),
    await ada.post(`${PAGES}/${page.id}/publish`, {}, { headers }),
    await ada.post(`${PAGES}/${page.id}/unpublish`, undefined, { headers }),
    await ada.post(`${PAGES}/${page.id}/versions/1/restore`, undefined, { headers }),
  ])
    t.is(codeOf(stale), '412 precondition_failed')
  const fresh = both.find(({ status }) => status === 200)?.headers.get('etag') as string
  t.is((await ada.get(`${PAGES}/${page.id}`, { headers: { 'if-none-match': fresh } })).status, 304)
  t.is((await ada.patch(`${PAGES}/${page.id}`, { body: 'c' }, { headers: { 'if-match': fresh } })).status, 200)
})

test('an equal patch writes no version', async t => {
  const page = await draft(ada)
  const again = await ada.patch(`${PAGES}/${page.id}`, { title: page.title, body: page.body, slug: page.slug })
  t.deepEqual(again.body, page)
  t.like((await ada.patch(`${PAGES}/${page.id}`, {})).body, { version: 1 })
})

test('a page of another tenant is indistinguishable from an unknown one', async t => {
  const page = await draft(ada)
  const bob = await people.person()
  const unknown = 'pag_00000000000000000000000000'
  for (const [method, rest, body] of [
    ['GET', ''],
    ['PATCH', '', { title: 'x' }],
    ['DELETE', ''],
    ['POST', '/publish', {}],
    ['POST', '/unpublish'],
    ['GET', '/versions'],
    ['GET', '/versions/1'],
    ['POST', '/versions/1/restore'],
  ] as const) {
    const [foreign, none] = [
      await bob.call(method, `${PAGES}/${page.id}${rest}`, body),
      await bob.call(method, `${PAGES}/${unknown}${rest}`, body),
    ]
    t.is(codeOf(foreign), '404 not_found', `${method} ${rest}`)
    t.is(problem(foreign).detail, problem(none).detail)
  }
  t.deepEqual((await bob.get(PAGES)).body.data, [])
  t.is((await bob.post(PAGES, { slug: page.slug, title: 'Mine' })).status, 201, 'addresses are each tenant’s own')
})

test('a reader sees the published version only', async t => {
  const hidden = await draft(ada)
  const page = await draft(ada, { body: 'shown' })
  await ada.post(`${PAGES}/${page.id}/publish`)
  await ada.patch(`${PAGES}/${page.id}`, { body: 'not yet' })
  t.is(codeOf(await reader.get(`${PAGES}/${hidden.id}`)), '404 not_found')
  t.like((await reader.get(`${PAGES}/${page.id}`)).body, { body: 'shown', version: 1, status: 'published' })
  t.like((await ada.get(`${PAGES}/${page.id}`)).body, { body: 'not yet', version: 2, publishedVersion: 1 })
  const { data } = (await reader.get(PAGES)).body
  t.true(data.length > 0 && data.every(({ status }) => status === 'published'))
})

test('a page that a reader sees stays the same while its draft is changed and scheduled', async t => {
  const { id } = await draft(ada)
  t.is((await ada.post(`${PAGES}/${id}/publish`)).status, 200)
  const publisher = await people.colleague(ada, [
    await role(ada, 'team.publisher', ['content.page.read', 'content.page.publish']),
  ])
  const seen = async (client: Client) => {
    const { body, headers } = await client.get<Page>(`${PAGES}/${id}`)
    const { data } = (await client.get<Listed<Page>>(`${PAGES}?filter[slug]=${body.slug}`)).body
    return { body, listed: data, tag: headers.get('etag') }
  }
  const before = await seen(reader)
  t.is(before.body.publishedAt, before.body.updatedAt)
  clock.forward(60_000)
  const publishAt = new Date(clock.now() + 3_600_000).toISOString()
  t.is((await ada.patch(`${PAGES}/${id}`, { title: 'Secret', publishAt })).status, 200)
  t.deepEqual(await seen(reader), before)
  // Who publishes it may know when, and sends back its revision.
  const managed = await seen(publisher)
  t.like(managed.body, { title: before.body.title, publishAt })
  const published = await publisher.post(`${PAGES}/${id}/publish`, {}, { headers: { 'if-match': String(managed.tag) } })
  t.is(published.status, 200)
  const after = await seen(reader)
  t.is(after.body.title, 'Secret')
  t.not(after.tag, before.tag)
  t.not(after.body.updatedAt, before.body.updatedAt)
  // A new address applies at once.
  await ada.patch(`${PAGES}/${id}`, { slug: 'moved-meanwhile' })
  const moved = await seen(reader)
  t.not(moved.tag, after.tag)
  for (const verb of ['unpublish', 'publish']) {
    clock.forward(1000)
    await ada.post(`${PAGES}/${id}/${verb}`)
  }
  const again = await seen(reader)
  t.not(again.body.updatedAt, moved.body.updatedAt)
  t.not(again.tag, moved.tag)
})

test('requires a permission for each route', async t => {
  const page = await draft(ada)
  const writer = await people.colleague(ada, ['tenant.writer'])
  const at = '2030-01-01T00:00:00Z'
  for (const [client, method, path, body, permission] of [
    [reader, 'POST', PAGES, { slug: 'x', title: 'x' }, 'content.page.create'],
    [reader, 'PATCH', `${PAGES}/${page.id}`, {}, 'content.page.update'],
    [reader, 'DELETE', `${PAGES}/${page.id}`, undefined, 'content.page.delete'],
    [reader, 'GET', `${PAGES}/${page.id}/versions`, undefined, 'content.page.update'],
    [writer, 'POST', `${PAGES}/${page.id}/publish`, {}, 'content.page.publish'],
    [writer, 'POST', `${PAGES}/${page.id}/unpublish`, undefined, 'content.page.publish'],
    [writer, 'PATCH', `${PAGES}/${page.id}`, { publishAt: at }, 'content.page.publish'],
    [writer, 'POST', PAGES, { slug: 'x', title: 'x', publishAt: at }, 'content.page.publish'],
  ] as const) {
    const answer = await client.call(method, path, body)
    t.is(codeOf(answer), '403 forbidden', `${method} ${path}`)
    t.is(problem(answer).requiredPermission, permission)
  }
  t.is((await writer.patch(`${PAGES}/${page.id}`, { body: 'by a writer' })).status, 200)
})

test('pages through and filters the list, and rejects unknown parameters', async t => {
  const cleo = await people.person()
  const made: string[] = []
  for (let count = 0; count < 5; count++) made.unshift((await draft(cleo)).id)
  await cleo.post(`${PAGES}/${made[0]}/publish`)
  const seen: string[] = []
  let cursor: string | null = ''
  for (; cursor !== null; ) {
    const page: { body: Listed<Page> } = await cleo.get<Listed<Page>>(
      `${PAGES}?limit=2${cursor && `&cursor=${cursor}`}`,
    )
    seen.push(...page.body.data.map(({ id }) => id))
    cursor = page.body.nextCursor
    t.false(
      page.body.data.some(page => 'body' in page),
      'lists leave the text out',
    )
  }
  t.deepEqual(seen, made)
  const filtered = async (query: string) => (await cleo.get(`${PAGES}?${query}`)).body.data.length
  t.is(await filtered('filter[status]=published'), 1)
  t.is(await filtered('filter[status]=draft'), 4)
  t.is(await filtered('filter[locale]=de'), 0)
  const oldest = await cleo.get(`${PAGES}?sort=createdAt&limit=3`)
  const rest = await cleo.get(`${PAGES}?sort=createdAt&cursor=${oldest.body.nextCursor}`)
  t.deepEqual(
    [...oldest.body.data, ...rest.body.data].map(({ id }) => id),
    made.toReversed(),
  )
  t.is(codeOf(await cleo.get(`${PAGES}?sort=title`)), '400 malformed')
  t.is(codeOf(await cleo.get(`${PAGES}?cursor=x`)), '400 invalid_cursor')
  t.is(codeOf(await cleo.get(`${PAGES}?colour=x`)), '400 malformed')
  t.is(codeOf(await cleo.get(`${PAGES}?filter[status]=x`)), '422 validation_failed')
})

test('returns a page in the reader’s language, or the closest one', async t => {
  const en = await draft(ada, { slug: 'welcome', title: 'Welcome' })
  const de = await draft(ada, { slug: 'welcome', title: 'Willkommen', locale: 'de' })
  const titleIn = async (locale: string) => (await ada.get(`${PAGES}/${en.id}?locale=${locale}`)).body.title
  t.is(await titleIn('de'), 'Willkommen')
  t.is(await titleIn('de-AT'), 'Willkommen')
  t.is(await titleIn('fr'), 'Welcome')
  t.is((await ada.get(`${PAGES}/${de.id}`)).body.title, 'Willkommen', 'without a wish it is the page itself')
})

test('creates one page per Idempotency-Key', async t => {
  const headers = { 'idempotency-key': 'once' }
  const body = { slug: 'once', title: 'Once' }
  const [first, second] = [await ada.post(PAGES, body, { headers }), await ada.post(PAGES, body, { headers })]
  t.is(second.status, 201)
  t.is(second.body.id, first.body.id)
})
