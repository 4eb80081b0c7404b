/** Files in an S3 server that verifies signatures, uploaded with a plain HTTP client. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import test from 'ava'
import { pino } from 'pino'
import { createS3Storage } from '../../modules/media/services/storage/s3.ts'
import { createScratch } from '../../modules/media/services/storage/scratch.ts'
import type { StoredObject } from '../../modules/media/services/storage/storage.ts'
import type { Person } from '../../testing/index.ts'
import { codeOf } from '../fixtures/people.ts'
import { file, pdf, png, pngFile } from '../modules/media/files.ts'
import { type Item, type MediaFixture, sha256, startFixture } from '../modules/media/fixtures.ts'
import { type Swift, startSwift } from './media-swift.ts'

const BUCKET = 'larder-files'

let swift: Swift
let fixture: MediaFixture
let ada: Person

test.before(async () => {
  swift = await startSwift()
  await swift.bucket(BUCKET)
  fixture = await start()
  ada = await fixture.person()
})
test.after.always(async () => {
  await fixture?.stop()
  await swift?.close()
})

function start(options: { urls?: { upload?: string; download?: string } } = {}): Promise<MediaFixture> {
  const { endpoint, region, accessKeyId, secretAccessKey } = swift
  return startFixture({ ...options, s3: { bucket: BUCKET, endpoint, region, accessKeyId, secretAccessKey } })
}

const intent = async (bytes: Buffer, more: object = {}) => {
  const body = { fileName: 'a.pdf', mimeType: 'application/pdf', size: bytes.length, ...more }
  return (await ada.post('/v1/media/upload-intent', body)).body
}
const process = (mediaId: string) => ada.post('/v1/media/process', { mediaId })
/** First segments of the keys of an item in the bucket. */
async function prefixesOf(id: string): Promise<string[]> {
  const { Contents = [] } = await swift.client.send(new ListObjectsV2Command({ Bucket: BUCKET }))
  const keys = Contents.map(({ Key = '' }) => Key).filter(key => key.includes(id))
  return keys.map(key => key.split('/')[0] as string).sort()
}

test.serial('uploads to and downloads from the bucket directly', async t => {
  const photo = file('Ärger.png', 'image/png', await png(800, 600))
  const { status, body } = await fixture.send(ada, photo)
  t.is(status, 200)
  t.like(body, { status: 'ready', width: 800, height: 600 })
  const got = await fixture.download(ada, body.id)
  t.is(got.status, 200)
  t.is(sha256(got.bytes), sha256(photo.bytes))
  t.is(got.headers.get('content-disposition'), `attachment; filename="_rger.png"; filename*=UTF-8''%C3%84rger.png`)
  t.is(got.headers.get('content-type'), 'image/png')
  const small = await fixture.download(ada, body.id, 'thumbnail')
  t.is(small.bytes.length, body.variants[0]?.size ?? 0)
  const address = `${fixture.kernel.url}/media/${body.id}/${body.variants[0]?.name}`
  t.is((await fetch(address)).status, 404)
  await ada.post(`/v1/media/${body.id}/publish`)
  t.deepEqual(Buffer.from(await (await fetch(address)).arrayBuffer()), small.bytes)
})

test.serial('the storage rejects a PUT that differs from the signed one', async t => {
  const bytes = pdf()
  const upload = await intent(bytes)
  const changed = (change: (url: URL) => void) => {
    const url = new URL(upload.url)
    change(url)
    return { ...upload, url: url.href }
  }
  const other = await intent(bytes)
  const elsewhere = changed(url => (url.pathname = new URL(other.url).pathname))
  const longer = changed(url => url.searchParams.set('X-Amz-Expires', '9999'))
  t.is((await fixture.put(elsewhere, bytes)).status, 403)
  t.is((await fixture.put(longer, bytes)).status, 403)
  t.is((await fixture.put(upload, bytes, { 'content-type': 'text/html' })).status, 403)
  t.is((await fixture.put(upload, Buffer.concat([bytes, bytes]))).status, 403)
  t.is((await fixture.put(upload, bytes)).status, 200)
  t.is((await process(upload.mediaId)).body.status, 'ready')
})

test.serial('the storage rejects an expired upload URL', async t => {
  const short = await start({ urls: { upload: '1s' } })
  try {
    const eve = await short.person()
    const declared = { fileName: 'a.pdf', mimeType: 'application/pdf', size: pdf().length }
    const upload = await eve.post('/v1/media/upload-intent', declared)
    await new Promise(resolve => setTimeout(resolve, 2500))
    t.is((await short.put(upload.body, pdf())).status, 403)
  } finally {
    await short.stop()
  }
})

test.serial('the storage rejects an expired download URL', async t => {
  const short = await start({ urls: { download: '1s' } })
  try {
    const eve = await short.person()
    const { body } = await short.send(eve, await pngFile())
    const signed = await eve.get(`/v1/media/${body.id}/download-url`)
    await new Promise(resolve => setTimeout(resolve, 2500))
    t.is((await fetch(signed.body.url)).status, 403)
  } finally {
    await short.stop()
  }
})

test.serial('rejects a file that does not match its announced SHA-256', async t => {
  const bytes = pdf()
  const others = Buffer.from(bytes).fill('x', 10, 12)
  const upload = await intent(bytes, { sha256: sha256(bytes) })
  const { status } = await fixture.put(upload, others)
  if (status === 200) t.like((await process(upload.mediaId)).body, { rejection: { code: 'digest_mismatch' } })
  else t.is(codeOf(await process(upload.mediaId)), '409 not_uploaded')
  const honest = await intent(bytes, { sha256: sha256(bytes) })
  t.is((await fixture.put(honest, bytes)).status, 200)
  t.is((await process(honest.mediaId)).body.status, 'ready')
})

test.serial('a PUT after the scan does not change the file', async t => {
  const bytes = pdf()
  const upload = await intent(bytes)
  await fixture.put(upload, bytes)
  t.is((await process(upload.mediaId)).body.status, 'ready')
  const evil = Buffer.alloc(bytes.length, 'x')
  t.is((await fixture.put(upload, evil)).status, 200)
  t.is((await process(upload.mediaId)).body.status, 'ready')
  t.is(sha256((await fixture.download(ada, upload.mediaId)).bytes), sha256(bytes))
})

test.serial('scans a file that is replaced during the scan again', async t => {
  const bytes = pdf()
  const upload = await intent(bytes)
  await fixture.put(upload, bytes)
  const processing = process(upload.mediaId)
  const evil = Buffer.from('<!doctype html>'.padEnd(bytes.length, 'x'))
  const put = fixture.put(upload, evil)
  const [{ body }] = await Promise.all([processing, put])
  const { status } = body
  if (status === 'ready') t.is(sha256((await fixture.download(ada, body.id)).bytes), sha256(bytes))
  else t.like(body, { status: 'rejected', rejection: { code: 'type_mismatch' } })
})

test.serial('stores nothing of a file that is replaced after its snapshot', async t => {
  const { endpoint, region, accessKeyId, secretAccessKey } = swift
  const options = { bucket: BUCKET, endpoint, region, accessKeyId, secretAccessKey, pathStyle: true }
  const folder = await mkdtemp(join(tmpdir(), 'larder-s3-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const deps = { log: pino({ level: 'silent' }), clock: { now: Date.now } }
  const storage = createS3Storage(deps, options, createScratch(folder))
  const write = async (text: string) => {
    await writeFile(join(folder, 'new'), text)
    await storage.put('quarantine/x', join(folder, 'new'), { mimeType: 'text/plain' })
    return storage.stat('quarantine/x')
  }
  const { signal } = new AbortController()
  const first = await write('first')
  t.is(first?.size, 5)
  const snapshot = await storage.snapshot('quarantine/x', first as StoredObject, signal)
  t.is(await readFile(snapshot?.path as string, 'utf8'), 'first')
  await write('other')
  t.false(await snapshot?.keep('files/x', { mimeType: 'text/plain' }))
  t.is(await storage.stat('files/x'), undefined)
  t.is(await storage.snapshot('quarantine/x', first as StoredObject, signal), undefined)
  await snapshot?.release()
  await storage.remove(['quarantine/x', 'nothing/here'])
  t.is(await storage.stat('quarantine/x'), undefined)
  t.deepEqual(await readdir(folder), [])
})

test.serial('stores form uploads in the bucket', async t => {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(pdf())], { type: 'application/pdf' }), 'form.pdf')
  const response = await fetch(new URL('/v1/media', fixture.kernel.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.token}` },
    body: form,
  })
  t.is(response.status, 201)
  const item = (await response.json()) as Item
  t.is(item.status, 'ready')
  await fixture.kernel.settled()
  t.deepEqual(await prefixesOf(item.id), ['files'])
})

test.serial('deletes what is uploaded after the check when the upload URL expires', async t => {
  const bytes = pdf()
  const upload = await intent(bytes)
  await fixture.put(upload, bytes)
  t.is((await process(upload.mediaId)).status, 200)
  await fixture.kernel.settled()
  t.is((await fixture.put(upload, bytes)).status, 200)
  t.deepEqual(await prefixesOf(upload.mediaId), ['files', 'quarantine'])
  fixture.clock.at += 31 * 60_000
  await fixture.kernel.settled()
  t.deepEqual(await prefixesOf(upload.mediaId), ['files'])
  fixture.clock.at -= 31 * 60_000
})

test.serial('empties the quarantine of a checked file, and deletes all objects of a deleted one', async t => {
  const { body } = await fixture.send(ada, await pngFile())
  await fixture.kernel.settled()
  t.deepEqual(await prefixesOf(body.id), ['files', 'files', 'files'])
  await ada.delete(`/v1/media/${body.id}`)
  await fixture.kernel.settled()
  t.deepEqual(await prefixesOf(body.id), [])
})

test.serial('objects of the bucket require a signature', async t => {
  const { body } = await fixture.send(ada, await pngFile())
  const signed = await ada.get(`/v1/media/${body.id}/download-url`)
  const url = new URL(signed.body.url)
  url.search = ''
  t.false((await fetch(url)).ok)
  const { ContentDisposition } = await swift.client.send(
    new GetObjectCommand({ Bucket: BUCKET, Key: `files/${ada.tenantId}/${body.id}` }),
  )
  t.is(ContentDisposition, 'attachment')
})

test.serial('returns 503 during an outage of the storage and loses nothing', async t => {
  const bytes = pdf()
  const upload = await intent(bytes)
  await fixture.put(upload, bytes)
  await swift.pause()
  const answer = await process(upload.mediaId)
  t.is(codeOf(answer), '503 storage_unavailable')
  t.is(answer.headers.get('retry-after'), '5')
  await swift.resume()
  t.is((await process(upload.mediaId)).body.status, 'ready')
})
