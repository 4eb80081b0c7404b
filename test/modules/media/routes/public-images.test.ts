import test from 'ava'
import type { Client, Person } from '../../../../testing/index.ts'
import { codeOf } from '../../../fixtures/people.ts'
import { shareKernel } from '../../../fixtures/shared-kernel.ts'
import { file, pdf, pngFile } from '../files.ts'
import { type Item, type MediaFixture, startFixture } from '../fixtures.ts'

interface PublicItem extends Item {
  isPublic: boolean
  updatedAt: string
}

let fixture: MediaFixture
let ada: Person
let eve: Person
let reader: Client
let photo: PublicItem

shareKernel(test, startFixture, async own => {
  fixture = own
  ada = await fixture.person()
  eve = await fixture.person()
  reader = await fixture.colleague(ada, ['tenant.reader'])
})
test.beforeEach(async () => {
  photo = (await fixture.send(ada, await pngFile('photo.png'))).body as PublicItem
})

const get = (path: string, init: RequestInit = {}) => fetch(`${fixture.kernel.url}${path}`, init)
const publish = (client: Client, id = photo.id) => client.post(`/v1/media/${id}/publish`)
const unpublish = (client: Client, id = photo.id) => client.post(`/v1/media/${id}/unpublish`)

test.serial('serves the variants of a public image to everyone, and nothing else', async t => {
  t.false(photo.isPublic)
  t.is((await get(`/media/${photo.id}/thumbnail`)).status, 404)
  t.true((await publish(ada)).body.isPublic)

  const answer = await get(`/media/${photo.id}/thumbnail`)
  t.is(answer.status, 200)
  t.like(Object.fromEntries(answer.headers), {
    'content-type': 'image/webp',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=3600',
    'cross-origin-resource-policy': 'cross-origin',
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  t.is(bytes.length, Number(photo.variants.find(({ name }) => name === 'thumbnail')?.size))
  t.is(bytes.toString('latin1', 8, 12), 'WEBP')

  const etag = String(answer.headers.get('etag'))
  // Without `cache-control`, fetch would add `no-cache`.
  const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' }
  t.is((await get(`/media/${photo.id}/thumbnail`, { headers })).status, 304)
  const head = await get(`/media/${photo.id}/thumbnail`, { method: 'HEAD' })
  t.is(head.headers.get('content-length'), String(bytes.length))
  for (const path of ['original', '', 'toString', '..%2f..%2fsecret', 'thumbnail%00'])
    t.not((await get(`/media/${photo.id}/${path}`)).status, 200, path)
  t.is((await get(`/media/${photo.id.toUpperCase()}/thumbnail`)).status, 404)

  t.false((await unpublish(ada)).body.isPublic)
  t.is((await get(`/media/${photo.id}/thumbnail`)).status, 404)
})

test.serial('a deleted image is no longer served', async t => {
  await publish(ada)
  await ada.delete(`/v1/media/${photo.id}`)
  t.is((await get(`/media/${photo.id}/thumbnail`)).status, 404)
})

test.serial('publishing needs its permission, and a file of the workspace', async t => {
  t.is(codeOf(await publish(reader)), '403 forbidden')
  t.is(codeOf(await unpublish(reader)), '403 forbidden')
  t.is(codeOf(await publish(fixture.kernel)), '401 unauthenticated')
  t.is(codeOf(await publish(eve)), '404 not_found')
  await publish(ada)
  t.is(codeOf(await unpublish(eve)), '404 not_found')
  t.is(codeOf(await publish(ada, 'med_00000000000000000000000000')), '404 not_found')
  t.is(codeOf(await publish(ada, 'x')), '404 not_found')
  t.is((await get(`/media/${photo.id}/thumbnail`)).status, 200)
})

test.serial('only checked images can be published', async t => {
  const document = await fixture.send(ada, file('terms.pdf', 'application/pdf', pdf()))
  t.is(codeOf(await publish(ada, document.body.id)), '409 not_publishable')
  const fake = await fixture.send(ada, file('fake.png', 'image/png', 'no image'))
  t.is(codeOf(await publish(ada, fake.body.id)), '409 not_ready')
  const { mediaId } = (
    await ada.post('/v1/media/upload-intent', {
      fileName: 'late.png',
      mimeType: 'image/png',
      size: 9,
    })
  ).body
  t.is(codeOf(await publish(ada, mediaId)), '409 not_ready')
})

test.serial('publishing can be repeated, also at the same time', async t => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => publish(ada)))
  for (const { status, body } of answers) t.deepEqual([status, body.isPublic], [200, true])
  t.is(new Set(answers.map(({ body }) => body.updatedAt)).size, 1)
  const { data } = (await ada.get('/v1/media')).body
  t.true(data.find(({ id }) => id === photo.id)?.isPublic)
  t.is((await unpublish(ada)).status, 200)
  t.is((await unpublish(ada)).status, 200)
})

test.serial('a public image of a deleted workspace is unknown from the next request', async t => {
  const owner = await fixture.person()
  const { id } = (await fixture.send(owner, await pngFile('photo.png'))).body as PublicItem
  await publish(owner, id)
  t.is((await get(`/media/${id}/thumbnail`)).status, 200)
  t.is((await owner.delete(`/v1/identity/tenants/${owner.tenantId}`)).status, 204)
  t.is((await get(`/media/${id}/thumbnail`)).status, 404)
})
