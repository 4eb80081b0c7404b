import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { codeOf, problem } from '../../../fixtures/people.ts'
import { animatedPng, animation, file, pdf, png, pngFile } from '../files.ts'
import { type MediaFixture, sha256, startFixture } from '../fixtures.ts'

const ALLOWED = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf', 'application/zip']

let fixture: MediaFixture
let ada: Person

test.before(async () => {
  fixture = await startFixture({ maxBytes: '1MiB', allow: ALLOWED })
  ada = await fixture.person()
})
test.after.always(() => fixture?.stop())

const INTENT = '/v1/media/upload-intent'
const intent = (body: object) => ada.post(INTENT, body)

test('uploads, checks and downloads the same bytes', async t => {
  const dot = await pngFile('Ärger & "Lob".png')
  const answer = await fixture.send(ada, dot)
  t.is(answer.status, 200)
  t.like(answer.body, { status: 'ready', fileName: dot.name, mimeType: 'image/png', size: dot.bytes.length })
  t.like(answer.body, { width: 8, height: 6, rejection: null, hold: null })
  const got = await fixture.download(ada, answer.body.id)
  t.is(got.status, 200)
  t.is(sha256(got.bytes), sha256(dot.bytes))
  t.is(
    got.headers.get('content-disposition'),
    `attachment; filename="_rger & _Lob_.png"; filename*=UTF-8''%C3%84rger%20%26%20%22Lob%22.png`,
  )
  t.is(got.headers.get('x-content-type-options'), 'nosniff')
  t.is(got.headers.get('content-type'), 'image/png')
  t.regex(got.headers.get('content-security-policy') ?? '', /default-src 'none'/)
})

test('an upload intent returns an id, a URL and the signed headers', async t => {
  const { status, body, headers } = await intent({ fileName: 'a.pdf', mimeType: 'application/pdf', size: 9 })
  t.is(status, 201)
  t.is(headers.get('location'), `/v1/media/${body.mediaId}`)
  t.is(body.method, 'PUT')
  t.deepEqual(body.headers, { 'content-type': 'application/pdf' })
  t.true(body.url.startsWith('http://localhost:8080/v1/media/uploads/'))
  t.is((await ada.get(`/v1/media/${body.mediaId}`)).body.status, 'pending')
})

test('says whether an image is animated', async t => {
  const cases = [
    [file('a.gif', 'image/gif', await animation('gif')), true],
    [file('a.webp', 'image/webp', await animation('webp')), true],
    [file('a.png', 'image/png', await animatedPng()), true],
    [await pngFile(), false],
  ] as const
  for (const [upload, animated] of cases) {
    const { body } = await fixture.send(ada, upload)
    t.like(body, { status: 'ready', animated, width: 8, height: 6 }, upload.name)
  }
})

test('reports all invalid fields of an intent', async t => {
  const { status, body } = await ada.post<never>(INTENT, { fileName: '../x.png', size: -1, more: 1, sha256: 'x' })
  t.is(status, 422)
  const errors = problem({ status, body } as never).errors ?? []
  t.deepEqual(errors.map(({ pointer, code }) => `${pointer} ${code}`).sort(), [
    '/fileName wrong_format',
    '/mimeType required',
    '/more unknown_field',
    '/sha256 wrong_format',
    '/size too_small',
  ])
})

test('rejects file names with paths or text direction characters', async t => {
  const names = [
    '../../etc/passwd.png',
    'a/b.png',
    'a\\b.png',
    '..',
    '.',
    'a\nb.png',
    'a\u202egnp.png',
    `${'a'.repeat(256)}`,
  ]
  for (const fileName of names)
    t.is(codeOf(await intent({ fileName, mimeType: 'image/png', size: 1 })), '422 validation_failed', fileName)
})

test('checks type, extension and size of an intent', async t => {
  const wrong: [object, string][] = [
    [{ fileName: 'a.exe', mimeType: 'application/x-msdownload', size: 1 }, '415 type_not_allowed'],
    [{ fileName: 'a.svg', mimeType: 'image/svg+xml', size: 1 }, '415 type_not_allowed'],
    [{ fileName: 'a.png.exe', mimeType: 'image/png', size: 1 }, '415 wrong_extension'],
    [{ fileName: 'png', mimeType: 'image/png', size: 1 }, '415 wrong_extension'],
    [{ fileName: 'a.png', mimeType: 'image/png', size: 1024 * 1024 + 1 }, '413 file_too_large'],
  ]
  for (const [body, code] of wrong) t.is(codeOf(await intent(body)), code)
  t.is((await intent({ fileName: 'a.JPG', mimeType: 'Image/JPG', size: 1 })).status, 201)
})

test('rejects a PUT that differs from the signed one', async t => {
  const bytes = pdf()
  const { body } = await intent({ fileName: 'a.pdf', mimeType: 'application/pdf', size: bytes.length })
  const tampered = (change: (url: URL) => void) => {
    const url = new URL(body.url)
    change(url)
    return { ...body, url: url.href }
  }
  const other = await intent({ fileName: 'b.pdf', mimeType: 'application/pdf', size: bytes.length })
  const elsewhere = tampered(url => (url.pathname = new URL(other.body.url).pathname))
  const larger = tampered(url => url.searchParams.set('size', '999'))
  const longer = tampered(url => url.searchParams.set('expires', '9999999999'))
  const unsigned = tampered(url => url.searchParams.delete('signature'))
  for (const upload of [elsewhere, larger, longer, unsigned])
    t.is(codeOf(await fixture.put(upload, bytes)), '403 bad_signed_url')
  t.is(codeOf(await fixture.put(body, bytes, { 'content-type': 'text/html' })), '403 bad_signed_url')
  t.is(codeOf(await fixture.put(body, Buffer.concat([bytes, bytes]))), '403 bad_signed_url')
  t.is((await fixture.put(body, bytes)).status, 200)
})

test('rejects a PUT with another SHA-256 than announced', async t => {
  const bytes = pdf()
  const announced = { fileName: 'a.pdf', mimeType: 'application/pdf', size: bytes.length, sha256: sha256(bytes) }
  const { body } = await intent(announced)
  const others = Buffer.from(bytes).fill('x', 10, 12)
  t.is(codeOf(await fixture.put(body, others)), '422 wrong_digest')
  t.is(codeOf(await ada.post('/v1/media/process', { mediaId: body.mediaId })), '409 not_uploaded')
  t.is((await fixture.put(body, bytes)).status, 200)
  const { body: item } = await ada.post('/v1/media/process', { mediaId: body.mediaId })
  t.like(item, { status: 'ready', sha256: sha256(bytes) })
})

test('rejects processing before the upload and still accepts the upload', async t => {
  const bytes = pdf()
  const { body } = await intent({ fileName: 'a.pdf', mimeType: 'application/pdf', size: bytes.length })
  t.is(codeOf(await ada.post('/v1/media/process', { mediaId: body.mediaId })), '409 not_uploaded')
  await fixture.put(body, bytes)
  t.is((await ada.post('/v1/media/process', { mediaId: body.mediaId })).body.status, 'ready')
})

test('a PUT after the scan changes nothing', async t => {
  const dot = await pngFile()
  const upload = await fixture.upload(ada, dot)
  const { body } = await ada.post('/v1/media/process', { mediaId: upload.mediaId })
  t.is(body.status, 'ready')
  t.is(codeOf(await fixture.put(upload, Buffer.alloc(dot.bytes.length, 'x'))), '409 already_processed')
  t.is(sha256((await fixture.download(ada, body.id)).bytes), sha256(dot.bytes))
})

test('accepts repeated uploads until processing', async t => {
  const first = await pngFile()
  const upload = await fixture.upload(ada, first)
  const again = Buffer.from(first.bytes)
  t.is((await fixture.put(upload, again)).status, 200)
  t.is((await ada.post('/v1/media/process', { mediaId: upload.mediaId })).body.status, 'ready')
})

test('concurrent and repeated processing gives one result and one event', async t => {
  const { mediaId } = await fixture.upload(ada, file('photo.png', 'image/png', await png(400, 300)))
  const answers = await Promise.all(Array.from({ length: 10 }, () => ada.post('/v1/media/process', { mediaId })))
  const again = await ada.post('/v1/media/process', { mediaId })
  for (const answer of answers) t.deepEqual(answer.body, again.body)
  t.is(again.body.status, 'ready')
  const { systemDatabase } = fixture.kernel.kernel.ports
  const { rows } = await systemDatabase
    .acrossTenants('a test counts')
    .query<{ type: string }>('select type from larder_events where subject = $1', [mediaId])
  t.deepEqual(rows, [{ type: 'media.item.ready' }])
})

test('creates image variants that download under their own names', async t => {
  const { body } = await fixture.send(ada, file('photo.png', 'image/png', await png(2000, 1000)))
  t.deepEqual(
    body.variants.map(({ name, width, height, mimeType }) => ({ name, width, height, mimeType })),
    [
      { name: 'thumbnail', width: 320, height: 160, mimeType: 'image/webp' },
      { name: 'preview', width: 1600, height: 800, mimeType: 'image/webp' },
    ],
  )
  const [listed] = (await ada.get(`/v1/media?filter[id][in]=${body.id}&thumbnails=true`)).body.data
  const signed = new URL(String(listed?.thumbnailUrl))
  const thumbnail = await fetch(`${fixture.kernel.url}${signed.pathname}${signed.search}`)
  t.is(thumbnail.headers.get('content-type'), 'image/webp')
  t.false('thumbnailUrl' in ((await ada.get('/v1/media?limit=1')).body.data[0] ?? {}))
  const small = await fixture.download(ada, body.id, 'thumbnail')
  t.is(small.headers.get('content-type'), 'image/webp')
  t.is(small.headers.get('content-disposition'), 'attachment; filename="photo.thumbnail.webp"')
  t.is(small.bytes.length, body.variants[0]?.size ?? 0)
  t.is(codeOf(await ada.get(`/v1/media/${body.id}/download-url?variant=poster`)), '404 unknown_variant')
})

test('serves ranges and rejects any other URL', async t => {
  const bytes = pdf()
  const { body } = await fixture.send(ada, file('a.pdf', 'application/pdf', bytes))
  const signed = await ada.get(`/v1/media/${body.id}/download-url`)
  const url = fixture.here(signed.body.url)
  const part = await fetch(url, { headers: { range: 'bytes=4-7' } })
  t.is(part.status, 206)
  t.is(await part.text(), bytes.toString().slice(4, 8))
  t.is((await fetch(url, { headers: { range: 'bytes=9999-' } })).status, 416)
  const forged = new URL(url)
  forged.searchParams.set('expires', '9999999999')
  t.is((await fetch(forged)).status, 403)
  forged.search = ''
  t.is((await fetch(forged)).status, 403)
})

test('returns no download URL for a file that is not ready', async t => {
  const { mediaId } = await fixture.upload(ada, await pngFile())
  t.is(codeOf(await ada.get(`/v1/media/${mediaId}/download-url`)), '409 not_ready')
})

test('finds files by their name in every script, with and without accents', async t => {
  const carl = await fixture.person()
  const names = [
    'Übersicht Müller.png',
    'creme brulee.png',
    'Straße.png',
    '测试报告.png',
    'テスト.png',
    '번역.png',
    'ภาษาไทย.png',
  ]
  for (const name of names) await fixture.send(carl, await pngFile(name.normalize('NFD')))
  const found = async (q: string) =>
    (await carl.get(`/v1/media?q=${encodeURIComponent(q)}`)).body.data.map(({ fileName }) => fileName)
  for (const [q, name] of [
    ['ubersicht', names[0]],
    ['MÜLLER', names[0]],
    ['Mu\u0308ller', names[0]],
    ['crème brûlée', names[1]],
    ['strasse', names[2]],
    ['测试', names[3]],
    ['テスト', names[4]],
    ['번역', names[5]],
    ['ไทย', names[6]],
  ] as const)
    t.deepEqual(await found(q as string), [name], q)
})

test('finds files by a part of their name and by the kind of their type', async t => {
  const bob = await fixture.person()
  for (const name of ['100%_Harbor.png', 'harbor-2.png']) await fixture.send(bob, await pngFile(name))
  await fixture.send(bob, file('harbor.pdf', 'application/pdf', pdf()))
  const found = async (query: string) =>
    (await bob.get(`/v1/media?sort=createdAt&${query}`)).body.data.map(({ fileName }) => fileName)
  t.deepEqual(await found('q=HARB'), ['100%_Harbor.png', 'harbor-2.png', 'harbor.pdf'])
  t.deepEqual(await found('q=%25_'), ['100%_Harbor.png'])
  t.deepEqual(await found('filter[mimeType]=image/*'), ['100%_Harbor.png', 'harbor-2.png'])
  t.deepEqual(await found('filter[mimeType]=application/pdf&q=harbor'), ['harbor.pdf'])
})
