import test from 'ava'
import { codeOf } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { contentRecipe, draft, PAGES, REDIRECTS } from '../fixtures.ts'

const { kernel, clock, people, ada } = withPeople(test, { recipe: contentRecipe(), clock: true }, { ada: 'owner' })

const ROUNDS = 10
const codesOf = (answers: readonly { status: number; body: unknown }[]) =>
  answers.map(answer => codeOf(answer as never))

test('exactly one of several concurrent creates gets a slug or a path', async t => {
  for (let round = 0; round < ROUNDS; round++) {
    const slug = `same-${round}`
    const bySlug = await Promise.all(
      Array.from({ length: 8 }, (_, at) => ada.post(PAGES, { slug, title: 'x', path: `/${slug}/${at}` })),
    )
    t.deepEqual(bySlug.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)])
    t.true(codesOf(bySlug.filter(({ status }) => status === 409)).every(code => code === '409 page_slug_taken'))
    const byPath = await Promise.all(
      Array.from({ length: 8 }, (_, at) => ada.post(PAGES, { slug: `${slug}-${at}`, title: 'x', path: `/p${slug}` })),
    )
    t.deepEqual(byPath.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)])
    t.true(codesOf(byPath.filter(({ status }) => status === 409)).every(code => code === '409 page_path_taken'))
  }
})

test('a conflict leaves no version, no event and no job', async t => {
  const page = await draft(ada)
  const count = async () => {
    const { rows } = await kernel.kernel.ports.systemDatabase.acrossTenants('a test counts rows').query(
      `select (select count(*) from content_versions where tenant_id = $1) as versions,
         (select count(*) from larder_events where tenant_id = $1 and type like 'content.page.%') as events,
         (select count(*) from larder_jobs where tenant_id = $1 and name = 'content.publish') as jobs`,
      [bob.tenantId],
    )
    return rows[0]
  }
  const bob = await people.person()
  await draft(bob, { slug: page.slug })
  const before = await count()
  const publishAt = new Date(clock.at + 3_600_000).toISOString()
  const headers = { 'idempotency-key': 'taken' }
  for (const more of [{}, { publishAt }]) {
    const body = { slug: page.slug, title: 'x', ...more }
    t.is(codeOf(await bob.post(PAGES, body)), '409 page_slug_taken')
    t.is(codeOf(await bob.post(PAGES, body, { headers })), '409 page_slug_taken', 'in the unit of an Idempotency-Key')
  }
  t.deepEqual(await count(), before)
})

test('two pages that take each other’s address at once are both rejected, without a deadlock', async t => {
  for (let round = 0; round < ROUNDS; round++) {
    const [one, two] = [await draft(ada), await draft(ada)]
    const both = await Promise.all([
      ada.patch(`${PAGES}/${one.id}`, { slug: two.slug, path: two.path }),
      ada.patch(`${PAGES}/${two.id}`, { slug: one.slug, path: one.path }),
    ])
    t.deepEqual(codesOf(both), ['409 page_slug_taken', '409 page_slug_taken'])
    t.like((await ada.get(`${PAGES}/${one.id}`)).body, { slug: one.slug, path: one.path, version: 1 })
  }
})

test('a page that takes the path of another that moves away has no redirect at its path', async t => {
  for (let round = 0; round < ROUNDS; round++) {
    const [first, second] = [await draft(ada), await draft(ada)]
    for (const { id } of [first, second]) await ada.post(`${PAGES}/${id}/publish`)
    const [away, into] = await Promise.all([
      ada.patch(`${PAGES}/${first.id}`, { path: `${first.path}-away` }),
      ada.patch(`${PAGES}/${second.id}`, { path: first.path }),
    ])
    t.is(away.status, 200)
    t.true([200, 409].includes(into.status))
    const redirect = await ada.get(`${REDIRECTS}/resolve?path=${first.path}`)
    t.is(codeOf(redirect as never), into.status === 200 ? '404 no_redirect' : '200')
  }
})

test('no path has two pages after concurrent creates, moves and deletes', async t => {
  const cleo = await people.person()
  const paths = ['/a', '/b', '/c']
  const pages = await Promise.all(paths.map(path => draft(cleo, { path })))
  const pick = <T>(from: readonly T[], at: number): T => from[at % from.length] as T
  let made = 0
  const change = (at: number) => {
    if (at % 3 === 0) return cleo.post(PAGES, { slug: `made-${++made}`, title: 'x', path: pick(paths, at) })
    return cleo.patch(`${PAGES}/${pick(pages, at).id}`, { path: pick(paths, at * 7 + 1) })
  }
  const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => change(at)))
  t.deepEqual(
    answers.map(({ status }) => status).filter(status => ![200, 201, 409].includes(status)),
    [],
  )
  const { data } = (await cleo.get(`${PAGES}?limit=100`)).body
  const served = data.map(({ path }) => path)
  t.is(new Set(served).size, served.length)
})
