import test from 'ava'
import type { Client } from '../../../../testing/index.ts'
import { codeOf } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { contentRecipe, PAGES } from '../fixtures.ts'

const IMAGE = 'med_01hzy0j8x4e7r9k2m5p8q1s3t6'
const OTHER = 'med_01hzy0j8x4e7r9k2m5p8q1s3t7'
const show = (...ids: readonly string[]) => ids.map(id => `![A harbor](/media/${id}/preview)`).join('\n\n')

let viewer: Client

const { people, ada, eve } = withPeople(
  test,
  {
    recipe: contentRecipe({
      roles: { 'tenant.viewer': { name: 'Viewer', permissions: ['content.page.read'] } },
    }),
    clock: true,
  },
  { ada: 'owner', eve: 'owner' },
  async () => {
    viewer = await people.colleague(ada, ['tenant.viewer'])
  },
)

const create = async (slug: string, body: string) => (await ada.post(PAGES, { slug, title: slug, body })).body
async function users(client: Client, id: string): Promise<string[]> {
  const { body } = await client.get(`${PAGES}?filter[mediaId]=${id}`)
  return body.data.map(({ slug }) => slug).sort()
}

test.serial('finds pages by an image in their newest or published text', async t => {
  const page = await create('harbor', show(IMAGE, OTHER, IMAGE))
  await create('plain', `An id is not an image: ${IMAGE}`)
  t.deepEqual(await users(ada, IMAGE), ['harbor'])
  t.deepEqual(await users(viewer, IMAGE), [])
  t.deepEqual(await users(eve, IMAGE), [])

  await ada.post(`${PAGES}/${page.id}/publish`)
  t.deepEqual(await users(viewer, IMAGE), ['harbor'])
  await ada.patch(`${PAGES}/${page.id}`, { body: show(OTHER) })
  t.deepEqual(await users(ada, IMAGE), ['harbor'], 'visitors still see the published text')
  await ada.post(`${PAGES}/${page.id}/publish`)
  t.deepEqual(await users(ada, IMAGE), [])
  t.deepEqual(await users(viewer, OTHER), ['harbor'])

  await ada.post(`${PAGES}/${page.id}/versions/1/restore`)
  t.deepEqual(await users(ada, IMAGE), ['harbor'])
  await ada.delete(`${PAGES}/${page.id}`)
  t.deepEqual(await users(ada, OTHER), [])
})

test.serial('keeps the images of the kept versions only', async t => {
  const page = await create('pruned', show(IMAGE))
  // The fixture keeps five versions.
  for (let n = 0; n < 6; n++) await ada.patch(`${PAGES}/${page.id}`, { body: `${n}` })
  t.deepEqual(await users(ada, IMAGE), [])
  await ada.patch(`${PAGES}/${page.id}`, { body: show(IMAGE) })
  t.deepEqual(await users(ada, IMAGE), ['pruned'])
})

test.serial('rejects an id that is none', async t => {
  for (const id of ['x', 'pag_01hzy0j8x4e7r9k2m5p8q1s3t6', ''])
    t.regex(codeOf(await ada.get(`${PAGES}?filter[mediaId]=${id}`)), /^4\d\d validation_failed$/)
})
