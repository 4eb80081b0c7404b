/** Files in versitygw, an S3 server that verifies signatures, uploaded with a plain HTTP client. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import anyTest, { type TestFn } from 'ava'
import type { Person } from '../../testing/index.ts'
import { freePort } from '../fixtures/free-port.ts'
import { file, pdf, png } from '../modules/media/files.ts'
import { type MediaFixture, sha256, startFixture, type Upload } from '../modules/media/fixtures.ts'
import { goProgram, PROGRAMS } from './programs.ts'
import { type PeerServer, startPeer } from './server.ts'

const test = anyTest as TestFn<{ server: PeerServer; fixture: MediaFixture; ada: Person }>
const program = await goProgram(PROGRAMS.versitygw)
const BUCKET = 'larder-files'
const KEYS = { accessKeyId: 'larder', secretAccessKey: 'only the test knows it' }

async function startVersityGw(path: string): Promise<PeerServer & { endpoint: string }> {
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const { close } = await startPeer({
    path,
    async args(folder) {
      const [objects, properties] = [join(folder, 'objects'), join(folder, 'properties')]
      await mkdir(objects)
      await mkdir(properties)
      return [
        '--access',
        KEYS.accessKeyId,
        '--secret',
        KEYS.secretAccessKey,
        '--port',
        `127.0.0.1:${port}`,
        // Not every file system has the extended attributes that it otherwise uses.
        '--quiet',
        '--health',
        '/health',
        'posix',
        '--sidecar',
        properties,
        objects,
      ]
    },
    isReady: async () => (await fetch(`${endpoint}/health`)).ok,
  })
  // The client adds a property to its credentials.
  const client = new S3Client({ endpoint, region: 'us-east-1', credentials: { ...KEYS }, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }))
  client.destroy()
  return { close, endpoint }
}

test.before(async t => {
  const server = await startVersityGw(program)
  const s3 = { bucket: BUCKET, endpoint: server.endpoint, region: 'us-east-1', ...KEYS }
  const fixture = await startFixture({ driver: 's3', s3 })
  t.context = { server, fixture, ada: await fixture.person() }
})
test.after.always(async ({ context: { server, fixture } }) => {
  await fixture?.stop()
  await server?.close()
})

test('uploads to and downloads from the bucket directly', async t => {
  const { fixture, ada } = t.context
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
})

test('the storage rejects a PUT that differs from the signed one', async t => {
  const { fixture, ada } = t.context
  const bytes = pdf()
  const intent = async () =>
    (
      await ada.post('/v1/media/upload-intent', {
        fileName: 'a.pdf',
        mimeType: 'application/pdf',
        size: bytes.length,
      })
    ).body
  const upload = await intent()
  const other = await intent()
  const changed = (change: (url: URL) => void) => {
    const url = new URL(upload.url)
    change(url)
    return { ...upload, url: url.href }
  }
  const put = async (sent: Upload, body: Buffer, headers = {}) => (await fixture.put(sent, body, headers)).status
  t.is(await put(upload, bytes, { 'content-type': 'text/html' }), 403)
  t.is(await put(upload, Buffer.concat([bytes, bytes])), 403)
  t.is(
    await put(
      changed(url => (url.pathname = new URL(other.url).pathname)),
      bytes,
    ),
    403,
  )
  t.is(
    await put(
      changed(url => url.searchParams.set('X-Amz-Expires', '9999')),
      bytes,
    ),
    403,
  )
  t.is(await put(upload, bytes), 200)
  const { body } = await ada.post('/v1/media/process', { mediaId: upload.mediaId })
  t.is(body.status, 'ready')
})
