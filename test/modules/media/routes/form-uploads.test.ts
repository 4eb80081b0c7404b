/** Uploads in multipart forms, with the API and with the page. */
import { request } from 'node:http'
import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import type { ProblemBody } from '../../../fixtures/people.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { file, pdf, pngFile } from '../files.ts'
import { type Item, type MediaFixture, sha256, startFixture, type TestFile } from '../fixtures.ts'

let fixture: MediaFixture
let ada: Person

test.before(async () => {
  fixture = await startFixture({ maxBytes: '100KiB', allow: ['image/png', 'application/pdf', 'text/plain'] })
  ada = await fixture.person()
})
test.after.always(() => fixture?.stop())

const ORIGIN = 'http://localhost:8080'

function formOf({ name, type, bytes }: TestFile, field = 'file'): FormData {
  const form = new FormData()
  form.append(field, new Blob([new Uint8Array(bytes)], { type }), name)
  return form
}
async function post(body: FormData | string, headers: Record<string, string> = {}, person = ada) {
  const response = await fetch(new URL('/v1/media', fixture.kernel.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}`, ...headers },
    body,
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Item & ProblemBody }
}
const count = async (person: Person) => (await person.get('/v1/media')).body.data.length

test('answers a form upload with the checked item', async t => {
  const dot = await pngFile('Blaues Quadrat ü.png')
  const { status, headers, body } = await post(formOf(dot))
  t.is(status, 201)
  t.is(headers.get('location'), `/v1/media/${body.id}`)
  t.like(body, { status: 'ready', fileName: dot.name, size: dot.bytes.length, mimeType: 'image/png' })
  t.deepEqual(
    Object.keys(body).filter(name => ['claim', 'closesAt', 'tries'].includes(name)),
    [],
  )
  t.is(sha256((await fixture.download(ada, body.id)).bytes), sha256(dot.bytes))
})

test('rejects an invalid file in a form, and says why in the language of the reader', async t => {
  const invalid = file('a.png', 'image/png', pdf())
  const { status, body } = await post(formOf(invalid), { 'accept-language': 'de' })
  t.is(status, 201)
  const detail = 'Der Inhalt der Datei passt nicht zu ihrem Typ.'
  t.like(body, { status: 'rejected', rejection: { code: 'type_mismatch', detail } })
  t.is((await ada.get(`/v1/media/${body.id}`)).body.rejection?.detail, "The file content doesn't match its type.")
})

test('accepts an empty text file, and says what is wrong with other empty files', async t => {
  t.like((await post(formOf(file('notes.txt', 'text/plain', '')))).body, { status: 'ready', size: 0 })
  const { status, body } = await post(formOf(file('a.pdf', 'application/pdf', '')))
  t.is(status, 201)
  t.like(body, { status: 'rejected', rejection: { code: 'type_mismatch' } })
})

test('rejects invalid forms and leaves no rows or files', async t => {
  const someone = await fixture.person()
  const two = formOf(file('a.pdf', 'application/pdf', pdf()))
  two.append('file', new Blob([new Uint8Array(pdf())], { type: 'application/pdf' }), 'b.pdf')
  const crowded = new FormData()
  for (let n = 0; n < 1000; n++) crowded.append(`field${n}`, 'x')
  const text = new FormData()
  text.append('file', 'only words')
  const boundary = { 'content-type': 'multipart/form-data; boundary=x' }
  const part =
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n'
  const cases: [FormData | string, Record<string, string>, string][] = [
    [two, {}, '413 too_many_parts'],
    [crowded, {}, '413 too_many_parts'],
    [text, {}, '400 no_file'],
    [formOf(file('a.pdf', 'application/pdf', pdf()), 'other'), {}, '400 no_file'],
    [formOf(file('a.exe', 'application/x-msdownload', 'MZ')), {}, '415 type_not_allowed'],
    [formOf(file('a.exe', 'application/pdf', pdf())), {}, '415 wrong_extension'],
    [formOf(file('a.pdf', 'application/pdf', Buffer.alloc(100 * 1024 + 1))), {}, '413 file_too_large'],
    [formOf(file('a.pdf', 'application/pdf', Buffer.alloc(300 * 1024))), {}, '413 file_too_large'],
    ['{}', { 'content-type': 'application/json' }, '415 unsupported_media_type'],
    ['x', { 'content-type': 'multipart/form-data' }, '400 form_incomplete'],
    ['no parts', boundary, '400 form_incomplete'],
    [`${part}cut off`, boundary, '400 form_incomplete'],
    ['', boundary, '400 form_incomplete'],
  ]
  for (const [body, headers, code] of cases) {
    const answer = await post(body, headers, someone)
    t.is(`${answer.status} ${answer.body.code}`, code)
    t.is(await count(someone), 0, code)
  }
  t.is(await count(someone), 0)
})

test('removes paths from file names', async t => {
  const { status, body } = await post(formOf(file('../../etc/a.pdf', 'application/pdf', pdf())))
  t.is(status, 201)
  t.is(body.fileName, 'a.pdf')
  const evil = await post(formOf(file('a\u202efdp.pdf', 'application/pdf', pdf())))
  t.is(`${evil.status} ${evil.body.code}`, '422 validation_failed')
})

test('an aborted form upload leaves no rows or files', async t => {
  const someone = await fixture.person()
  const { usage } = fixture.kernel.kernel.ports
  const counted = (wanted: (gib: number) => boolean) =>
    waitFor(async () => wanted(await usage.count('media.storage_gb', someone.tenantId)))
  const sending = request(new URL('/v1/media', fixture.kernel.url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${someone.token}`,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': '50000',
    },
  })
  sending.on('error', () => {})
  sending.write('--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n')
  sending.write(`content-type: application/pdf\r\n\r\n${'x'.repeat(20_000)}`)
  t.true(await counted(gib => gib > 0))
  sending.destroy()
  t.true(await counted(gib => gib === 0))
})

async function asBrowser(path: string, init: RequestInit & { headers?: Record<string, string> } = {}) {
  const headers = { cookie: ada.cookie, accept: 'text/html', ...init.headers }
  const response = await fetch(new URL(path, fixture.kernel.url), { redirect: 'manual', ...init, headers })
  return { status: response.status, location: response.headers.get('location') ?? '', html: await response.text() }
}

test('uploads, lists, downloads and deletes a file without JavaScript', async t => {
  t.regex((await asBrowser('/files')).html, /enctype="multipart\/form-data"/)
  const form = formOf(file('Plan <1>.pdf', 'application/pdf', pdf()))
  const sent = await asBrowser('/files/upload', { method: 'POST', body: form, headers: { origin: ORIGIN } })
  t.is(sent.status, 303)
  t.is(sent.location, '/files')
  const { html } = await asBrowser('/files')
  t.regex(html, /Plan &lt;1&gt;\.pdf/)
  const [, id = ''] = /\/files\/(med_\w+)\/download">Plan/.exec(html) ?? []
  const led = await asBrowser(`/files/${id}/download`)
  t.is(led.status, 303)
  const got = await fetch(fixture.here(led.location))
  t.is(await got.text(), pdf().toString())
  t.regex((await asBrowser(`/files/${id}/delete`)).html, /Delete Plan/)
  const gone = await asBrowser(`/files/${id}/delete`, {
    method: 'POST',
    body: new URLSearchParams(),
    headers: { origin: ORIGIN },
  })
  t.is(gone.location, '/files')
  t.is((await ada.get(`/v1/media/${id}`)).status, 404)
})

test('rejects forms from another site and shows mistakes on a page', async t => {
  const someone = await fixture.person()
  const { cookie } = someone
  const form = () => formOf(file('a.pdf', 'application/pdf', pdf()))
  const elsewhere: Record<string, string>[] = [{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }, {}]
  for (const from of elsewhere) {
    const { status } = await asBrowser('/files/upload', { method: 'POST', body: form(), headers: { cookie, ...from } })
    t.is(status, 403)
  }
  const bad = formOf(file('a.exe', 'application/x-msdownload', 'MZ'))
  const refused = await asBrowser('/files/upload', { method: 'POST', body: bad, headers: { cookie, origin: ORIGIN } })
  t.is(refused.status, 415)
  t.regex(refused.html, /<h1>/)
  t.is(await count(someone), 0)
})

test('shows the files page and its actions according to permissions', async t => {
  const anonymous = await asBrowser('/files', { headers: { cookie: '' } })
  t.regex(anonymous.location, /^\/sign-in/)
  const foreign = (await fixture.send(await fixture.person(), await pngFile())).body.id
  t.is((await asBrowser(`/files/${foreign}/download`)).status, 404)
})
