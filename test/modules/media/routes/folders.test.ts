/** Folders: lists, moves, uploads into them, and the page. */
import test from 'ava'
import pg from 'pg'
import { up } from '../../../../modules/media/migrations/0005-composed-names.ts'
import type { Person } from '../../../../testing/index.ts'
import { shareKernel } from '../../../fixtures/shared-kernel.ts'
import { file, pdf } from '../files.ts'
import { type MediaFixture, startFixture } from '../fixtures.ts'

let fixture: MediaFixture
shareKernel(test, startFixture, own => {
  fixture = own
})

const announce = async (person: Person, fileName: string, folder?: string) => {
  const { status, body } = await person.post('/v1/media/upload-intent', {
    fileName,
    mimeType: 'application/pdf',
    size: 100,
    ...(folder !== undefined && { folder }),
  })
  return { status, id: body.mediaId }
}
const names = async (person: Person, query: string) =>
  (await person.get(`/v1/media?${query}`)).body.data.map(({ fileName }) => fileName).sort()
const foldersIn = async (person: Person, parent = '') =>
  (await person.get(`/v1/media/folders?parent=${encodeURIComponent(parent)}`)).body.data
const html = async (person: Person, path: string) =>
  (await fixture.kernel.get<string>(path, { headers: { cookie: person.cookie, accept: 'text/html' } })).body.replaceAll(
    '&#x3D;',
    '=',
  )

async function withFolders(): Promise<Person> {
  const ada = await fixture.person()
  await announce(ada, 'top.pdf')
  await announce(ada, 'may.pdf', 'Invoices/2026')
  await announce(ada, 'june.pdf', 'Invoices/2026')
  await announce(ada, 'draft.pdf', 'Invoices')
  await announce(ada, 'odd.pdf', 'Invoices_2026/100 %')
  return ada
}

test('lists the files of one folder, or of a folder and its subfolders', async t => {
  const ada = await withFolders()
  t.deepEqual(await names(ada, 'filter[folder]=/'), ['top.pdf'])
  t.deepEqual(await names(ada, 'filter[folder]=Invoices'), ['draft.pdf'])
  t.deepEqual(await names(ada, 'filter[within]=Invoices'), ['draft.pdf', 'june.pdf', 'may.pdf'])
  t.deepEqual(await names(ada, 'filter[within]=Invoices&q=JU'), ['june.pdf'])
  t.is((await names(ada, '')).length, 5)
})

test('finds files whose folder and name were stored in another form than NFC', async t => {
  const ada = await fixture.person()
  const { id } = await announce(ada, 'Ägir.pdf', 'Café')
  const database = new pg.Client(fixture.kernel.databaseUrl)
  database.on('error', () => {})
  await database.connect()
  t.teardown(() => database.end())
  await database.query(
    'update media_items set folder = normalize(folder, nfd), file_name = normalize(file_name, nfd) where id = $1',
    [id],
  )
  t.deepEqual(await names(ada, `filter[folder]=${encodeURIComponent('Café')}`), [])
  await up({ query: (sql: string, values?: unknown[]) => database.query(sql, values) } as never)
  t.deepEqual(await names(ada, `filter[folder]=${encodeURIComponent('Café')}`), ['Ägir.pdf'])
})

test('lists the folders of a folder with the number of their files', async t => {
  const ada = await withFolders()
  t.deepEqual(await foldersIn(ada), [
    { path: 'Invoices', name: 'Invoices', files: 3 },
    { path: 'Invoices_2026', name: 'Invoices_2026', files: 1 },
  ])
  t.deepEqual(await foldersIn(ada, 'Invoices'), [{ path: 'Invoices/2026', name: '2026', files: 2 }])
  t.deepEqual(await foldersIn(ada, 'Invoices_2026'), [{ path: 'Invoices_2026/100 %', name: '100 %', files: 1 }])
  t.deepEqual(await foldersIn(ada, 'Invoices/2026'), [])
})

test('moves a file; a folder without files is gone', async t => {
  const ada = await fixture.person()
  const { id } = await announce(ada, 'plan.pdf', 'Old')
  const moved = await ada.patch(`/v1/media/${id}`, { folder: 'New/Place' })
  t.is(moved.status, 200)
  t.is(moved.body.folder, 'New/Place')
  t.is(moved.body.fileName, 'plan.pdf')
  t.deepEqual(await foldersIn(ada), [{ path: 'New', name: 'New', files: 1 }])
  t.is((await ada.patch(`/v1/media/${id}`, {})).status, 422)
})

test('rejects paths that are no folder', async t => {
  const ada = await fixture.person()
  for (const folder of ['/a', 'a/', 'a//b', '..', 'a/../b', ' a', 'a /b', 'a\\b', 'a\u202eb', `${'x/'.repeat(10)}x`])
    t.is((await announce(ada, 'a.pdf', folder)).status, 422, folder)
  for (const folder of ['', 'a', '...', 'a b/c.d', 'Ünïcode/☀'])
    t.is((await announce(ada, 'a.pdf', folder)).status, 201, folder)
})

test('shows nothing of the folders of another tenant', async t => {
  await withFolders()
  const eve = await fixture.person()
  t.deepEqual(await foldersIn(eve), [])
  t.deepEqual(await foldersIn(eve, 'Invoices'), [])
  t.deepEqual(await names(eve, 'filter[within]=Invoices'), [])
  const page = await html(eve, '/files?folder=Invoices')
  t.regex(page, /This folder is empty/)
  t.notRegex(page, /may\.pdf|2026"/)
})

test('stores a form upload in its folder, wherever the field is', async t => {
  const ada = await fixture.person()
  for (const [name, isFirst] of [
    ['first.pdf', true],
    ['last.pdf', false],
  ] as const) {
    const { bytes, type } = file(name, 'application/pdf', pdf())
    const form = new FormData()
    if (isFirst) form.append('folder', ' Contracts / Signed ')
    form.append('file', new Blob([new Uint8Array(bytes)], { type }), name)
    if (!isFirst) form.append('folder', 'Contracts/Signed')
    const headers = { authorization: `Bearer ${ada.token}` }
    const response = await fetch(new URL('/v1/media', fixture.kernel.url), { method: 'POST', headers, body: form })
    t.is(response.status, 201)
    t.is(((await response.json()) as { folder: string }).folder, 'Contracts/Signed')
  }
  const form = new FormData()
  form.append('folder', '../up')
  form.append('file', new Blob([new Uint8Array(pdf())], { type: 'application/pdf' }), 'up.pdf')
  const headers = { authorization: `Bearer ${ada.token}` }
  const refused = await fetch(new URL('/v1/media', fixture.kernel.url), { method: 'POST', headers, body: form })
  t.is(refused.status, 422)
  t.deepEqual(await names(ada, ''), ['first.pdf', 'last.pdf'])
})

test('the page leads through the folders and searches in one', async t => {
  const ada = await withFolders()
  const top = await html(ada, '/files')
  t.regex(top, /href="\/files\?folder=Invoices"/)
  t.notRegex(top, /may\.pdf/)
  const invoices = await html(ada, '/files?folder=Invoices%2F2026')
  t.regex(invoices, /href="\/files\?folder=Invoices"[^>]*>Invoices<[\s\S]*aria-current="page">2026</)
  t.regex(invoices, /may\.pdf/)
  t.notRegex(invoices, /draft\.pdf/)
  const found = await html(ada, '/files?folder=Invoices&q=may')
  t.regex(found, /may\.pdf/)
  t.regex(found, /href="\/files\?folder=Invoices%2F2026">Invoices\/2026</)
  t.regex(await html(ada, '/files?folder=..%2Fetc'), /top\.pdf/)
})
