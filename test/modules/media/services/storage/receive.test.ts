/** Receiving bodies, and storage failures. */

import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import test from 'ava'
import { receive } from '../../../../../modules/media/services/storage/receive.ts'
import { codeOf } from '../../../../fixtures/people.ts'
import { pdf } from '../../files.ts'
import { sha256, startFixture } from '../../fixtures.ts'

let folder: string
test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-receive-'))
})
test.after.always(() => rm(folder, { recursive: true, force: true }))

test('counts and hashes a body while receiving it and rejects excess bytes', async t => {
  const body = () => Readable.from([Buffer.from('hello '), Buffer.from('world')])
  const received = await receive(body(), join(folder, 'a'), { limit: 11, hash: true })
  t.deepEqual(received, { size: 11, sha256: sha256(Buffer.from('hello world')) })
  await t.throwsAsync(receive(body(), join(folder, 'b'), { limit: 10, hash: false }), {
    message: /larger than 10 B/,
  })
  t.deepEqual(await readdir(folder), ['a'])
})

test('answers 503 on a full disk and keeps no bytes', async t => {
  // /dev/full always reports a full disk.
  const path = join(folder, 'full')
  await symlink('/dev/full', path)
  const error = await t.throwsAsync(receive(Readable.from([Buffer.from('x')]), path, { limit: 10, hash: false }))
  t.like(error, { code: 'storage_full', status: 503 })
  t.false((await readdir(folder)).includes('full'))
})

test('an interrupted PUT leaves the item unchanged', async t => {
  const fixture = await startFixture()
  try {
    const ada = await fixture.person()
    const bytes = pdf()
    const { body } = await ada.post('/v1/media/upload-intent', {
      fileName: 'a.pdf',
      mimeType: 'application/pdf',
      size: bytes.length,
    })
    const url = new URL(fixture.here(body.url))
    await new Promise<void>(resolve => {
      const socket = connect(Number(url.port), url.hostname, () => {
        socket.write(`PUT ${url.pathname}${url.search} HTTP/1.1\r\nhost: x\r\n`)
        socket.write(`content-type: application/pdf\r\ncontent-length: ${bytes.length}\r\n\r\nhalf`)
        setTimeout(() => socket.destroy(), 100)
      })
      socket.on('close', () => resolve()).on('error', () => {})
    })
    t.is(codeOf(await ada.post('/v1/media/process', { mediaId: body.mediaId })), '409 not_uploaded')
    t.is((await fixture.put(body, bytes)).status, 200)
    t.is((await ada.post('/v1/media/process', { mediaId: body.mediaId })).status, 200)
  } finally {
    await fixture.stop()
  }
})

test('answers 503 with Retry-After when S3 answers 503, and loses nothing', async t => {
  let mood = 503
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(mood, { 'content-type': 'application/xml' })
    response.end('<Error><Code>SlowDown</Code><Message>Later.</Message></Error>')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const s3 = { bucket: 'b', endpoint: `http://127.0.0.1:${port}`, accessKeyId: 'k', secretAccessKey: 's' }
  const fixture = await startFixture({ s3 })
  try {
    const ada = await fixture.person()
    const intent = { fileName: 'a.pdf', mimeType: 'application/pdf', size: 9, sha256: sha256(pdf()) }
    const { body } = await ada.post('/v1/media/upload-intent', intent)
    const signed = new URL(body.url)
    t.is(signed.host, `127.0.0.1:${port}`)
    t.is(signed.searchParams.get('X-Amz-SignedHeaders'), 'content-length;content-type;host')
    const seconds = Number(signed.searchParams.get('X-Amz-Expires'))
    t.true(seconds > 600 && seconds <= 900)
    t.is(signed.searchParams.has('x-amz-checksum-crc32'), false)
    const answer = await ada.post('/v1/media/process', { mediaId: body.mediaId })
    t.is(codeOf(answer), '503 storage_unavailable')
    t.is(answer.headers.get('retry-after'), '5')
    t.is((await ada.get(`/v1/media/${body.mediaId}`)).body.status, 'uploaded')
    mood = 404
    t.is(codeOf(await ada.post('/v1/media/process', { mediaId: body.mediaId })), '409 not_uploaded')
  } finally {
    await fixture.stop()
    server.close()
  }
})
