import test from 'ava'
import type { Client, Person } from '../../../../testing/index.ts'
import { codeOf, problem } from '../../../fixtures/people.ts'
import { shareKernel } from '../../../fixtures/shared-kernel.ts'
import { pngFile } from '../files.ts'
import { type Item, type MediaFixture, startFixture } from '../fixtures.ts'

let fixture: MediaFixture
let ada: Person
let eve: Person
let reader: Client
let plainMember: Client
let photo: Item

shareKernel(test, startFixture, async own => {
  fixture = own
  ada = await fixture.person()
  eve = await fixture.person()
  reader = await fixture.colleague(ada, ['tenant.reader'])
  plainMember = await fixture.colleague(ada, ['tenant.member'])
  photo = (await fixture.send(ada, await pngFile('photo.png'))).body
})

const INTENT = { fileName: 'a.png', mimeType: 'image/png', size: 1 }

test('answers 404 for files of another tenant', async t => {
  const answers = [
    await eve.get(`/v1/media/${photo.id}`),
    await eve.get(`/v1/media/${photo.id}/download-url`),
    await eve.patch(`/v1/media/${photo.id}`, { fileName: 'x.png' }),
    await eve.delete(`/v1/media/${photo.id}`),
    await eve.post('/v1/media/process', { mediaId: photo.id }),
    await eve.get('/v1/media/med_00000000000000000000000000'),
  ]
  for (const answer of answers) t.is(codeOf(answer), '404 not_found')
  t.deepEqual((await eve.get('/v1/media')).body.data, [])
})

test('every route needs its permission', async t => {
  const denied = async (client: Client) => [
    (await client.get('/v1/media')).status,
    (await client.get(`/v1/media/${photo.id}/download-url`)).status,
    (await client.post('/v1/media/upload-intent', INTENT)).status,
    (await client.post('/v1/media/process', { mediaId: photo.id })).status,
    (await client.patch(`/v1/media/${photo.id}`, { fileName: 'photo.png' })).status,
    (await client.delete('/v1/media/med_00000000000000000000000000')).status,
    (await client.post('/v1/media', {})).status,
  ]
  t.deepEqual(await denied(reader), [200, 200, 403, 403, 403, 403, 403])
  t.deepEqual(await denied(plainMember), [403, 403, 403, 403, 403, 403, 403])
  t.deepEqual(await denied(fixture.kernel), [401, 401, 401, 401, 401, 401, 401])
  t.is((await fixture.kernel.as(ada.apiKey).get('/v1/media')).status, 200)
})

test('pages through files, newest first, with filters for status and type', async t => {
  const someone = await fixture.person()
  const names = ['1.png', '2.png', '3.png']
  for (const name of names) await fixture.send(someone, await pngFile(name))
  await someone.post('/v1/media/upload-intent', { ...INTENT, fileName: '4.png' })
  const first = await someone.get('/v1/media?limit=3')
  t.deepEqual(
    first.body.data.map(({ fileName }) => fileName),
    ['4.png', '3.png', '2.png'],
  )
  const second = await someone.get(`/v1/media?limit=3&cursor=${first.body.nextCursor}`)
  t.deepEqual(
    second.body.data.map(({ fileName }) => fileName),
    ['1.png'],
  )
  t.is(second.body.nextCursor, null)
  const ids = first.body.data.slice(1).map(({ id }) => id)
  const named = await someone.get(`/v1/media?filter[id][in]=${ids},med_unknown&thumbnails=true`)
  t.deepEqual(
    named.body.data.map(({ id }) => id),
    ids,
  )
  const oldest = await someone.get('/v1/media?sort=createdAt&limit=1')
  t.is(oldest.body.data[0]?.fileName, '1.png')
  const pending = await someone.get('/v1/media?filter[status]=pending')
  t.is(pending.body.data.length, 1)
  const pdfs = await someone.get('/v1/media?filter[mimeType]=application/pdf')
  t.is(pdfs.body.data.length, 0)
  t.is(codeOf(await someone.get('/v1/media?cursor=forged')), '400 invalid_cursor')
  t.is(codeOf(await someone.get('/v1/media?filter[status]=lost')), '422 validation_failed')
  t.is((await someone.get('/v1/media?colour=red')).status, 400)
})

test('renames a file but keeps the extension of its type', async t => {
  const { status, body } = await ada.patch(`/v1/media/${photo.id}`, { fileName: 'holiday.png' })
  t.is(status, 200)
  t.is(body.fileName, 'holiday.png')
  t.is(codeOf(await ada.patch(`/v1/media/${photo.id}`, { fileName: 'holiday.exe' })), '415 wrong_extension')
  t.is(codeOf(await ada.patch(`/v1/media/${photo.id}`, { fileName: '../a.png' })), '422 validation_failed')
  const fields = await ada.patch(`/v1/media/${photo.id}`, { fileName: 'a.png', status: 'ready', size: 1 })
  t.is(problem(fields).errors?.length, 2)
})

test('deleting a file removes its URLs, bytes and quota usage', async t => {
  const someone = await fixture.person()
  const { body } = await fixture.send(someone, await pngFile())
  const signed = await someone.get(`/v1/media/${body.id}/download-url`)
  t.is((await someone.delete(`/v1/media/${body.id}`)).status, 204)
  t.is((await someone.delete(`/v1/media/${body.id}`)).status, 404)
  t.is((await fetch(fixture.here(signed.body.url))).status, 404)
  t.is(await fixture.kernel.kernel.ports.usage.count('media.storage_gb', someone.tenantId), 0)
  await fixture.kernel.settled()
  const { rows } = await fixture.kernel.kernel.ports.systemDatabase
    .acrossTenants('a test counts')
    .query('select type from larder_events where subject = $1 order by id', [body.id])
  t.deepEqual(rows, [{ type: 'media.item.ready' }, { type: 'media.item.deleted' }])
})
