import test from 'ava'
import { peopleOf } from '../fixtures/people.ts'
import { waitFor } from '../fixtures/wait.ts'
import { pdf, png } from '../modules/media/files.ts'
import {
  checkScreen,
  searchFor,
  shareConsole,
  startOwnConsole,
  type Visitor,
  waitForScreen,
} from './console-fixtures.ts'

interface Item {
  id: string
  fileName: string
  status: string
}
const start = shareConsole(test, '  media: { wait: 1m }\n')
const HOSTILE = '<img src=x onerror=alert(1)>.png'.replace('/', '')

test.serial('uploads several files, finds one, renames it and deletes it', async t => {
  const { ada, open } = await start(t)
  const page = await open(ada, '/media/items')
  await page.getByText('No files yet').waitFor()
  const image = await png(640, 480)
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([
      { name: 'harbor.png', mimeType: 'image/png', buffer: image },
      { name: HOSTILE, mimeType: 'image/png', buffer: image },
      { name: 'terms.pdf', mimeType: 'application/pdf', buffer: pdf() },
      { name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('no image') },
      { name: 'notes.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') },
    ])
  await page.getByText("Quarantined: The file content doesn't match its type.").waitFor()
  await page.getByRole('button', { name: 'Cancel upload' }).first().waitFor({ state: 'detached' })
  await page.locator('.uploads .error').nth(1).waitFor()
  t.is(await page.locator('.uploads .error').count(), 2)
  await page.locator('.media-thumb img').nth(1).waitFor()
  t.deepEqual(await checkScreen(page, 'media-library'), [])
  // The arrow keys move between the tiles. The browser keeps the choice of the list.
  await page.locator('.media-tile').first().focus()
  const isFocused = (n: number) =>
    page.locator(`.media-grid > li:nth-child(${n}) > a`).evaluate(tile => tile === tile.ownerDocument.activeElement)
  await page.keyboard.press('ArrowRight')
  t.true(await isFocused(2))
  // From right to left, the second tile is to the left of the first.
  await page.evaluate("document.documentElement.dir = 'rtl'")
  await page.keyboard.press('ArrowRight')
  t.true(await isFocused(1))
  await page.keyboard.press('ArrowLeft')
  t.true(await isFocused(2))
  await page.evaluate("document.documentElement.dir = 'ltr'")
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await page
    .getByRole('row', { name: /terms\.pdf/ })
    .getByText('application/pdf')
    .waitFor()
  t.deepEqual(await checkScreen(page, 'media-list'), [])
  await page.reload()
  await page.getByRole('table').getByRole('link', { name: 'harbor.png' }).waitFor()
  await page.getByRole('button', { name: 'Grid', exact: true }).click()
  await page.locator('.media-tile').first().waitFor()

  await page.getByRole('combobox', { name: 'Type' }).selectOption('image/*')
  await page.getByRole('link', { name: 'terms.pdf' }).waitFor({ state: 'detached' })
  await page.getByLabel('Search file names').fill('harb')
  await page.getByText('1 file', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'harbor.png' }).click()
  await page.getByRole('img', { name: 'Preview of harbor.png' }).waitFor()
  await page.getByText('640 × 480 pixels').waitFor()
  await page.getByText('thumbnail').waitFor()
  t.deepEqual(await checkScreen(page, 'media-file'), [])
  await page.getByLabel('File name').fill('port.png')
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('heading', { name: 'port.png' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  ])
  t.is(download.suggestedFilename(), 'port.png')
  await page.getByRole('button', { name: 'Actions: port.png' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL('**/console/*/media/items')
  await page.getByRole('link', { name: 'terms.pdf' }).waitFor()
  const items = async () => (await ada.get('/v1/media')).body.data
  const data = await waitFor(items, all => all.every(({ status }) => status === 'ready' || status === 'rejected'))
  t.deepEqual(data.map(({ fileName, status }) => `${fileName} ${status}`).sort(), [
    `${HOSTILE} ready`,
    'fake.png rejected',
    'terms.pdf ready',
  ])

  await page.evaluate("localStorage.setItem('larder.console.language', JSON.stringify('de'))")
  await page.reload()
  await page.getByRole('link', { name: 'fake.png' }).click()
  const reason = 'Der Inhalt der Datei passt nicht zu ihrem Typ. Niemand kann diese Datei herunterladen.'
  await page.getByText(reason).waitFor()
  await waitForScreen(page)
  t.is(await page.getByRole('button', { name: 'Herunterladen' }).count(), 0)
  t.deepEqual(await checkScreen(page, 'media-rejected-de'), [])
})

test.serial('takes files that are dropped on the library', async t => {
  const { ada, open } = await start(t)
  const page = await open(ada, '/media/items')
  await page.getByText('No files yet').waitFor()
  const base64 = pdf().toString('base64')
  await page.evaluate(`{
    const bytes = Uint8Array.from(atob('${base64}'), each => each.charCodeAt(0))
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([bytes], 'dropped.pdf', { type: 'application/pdf' }))
    const library = document.querySelector('.library')
    for (const type of ['dragenter', 'dragover', 'drop'])
      library.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  }`)
  await page.getByRole('link', { name: 'dropped.pdf' }).waitFor()
  t.pass()
})

test.serial('keeps files in folders, finds them in subfolders and moves them', async t => {
  const { ada, open } = await start(t)
  const page = await open(ada, '/media/items')
  await page.getByText('No files yet').waitFor()
  await page.getByRole('button', { name: 'New folder' }).click()
  await page.getByRole('dialog').getByLabel('Folder').fill('Invoices / 2026')
  await page.getByRole('dialog').getByRole('button', { name: 'Open folder' }).click()
  await page.getByText('This folder is empty').waitFor()
  const [may, june] = ['may.pdf', 'june.pdf'].map(name => ({ name, mimeType: 'application/pdf', buffer: pdf() }))
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([may, june].flatMap(each => each ?? []))
  await page.getByRole('link', { name: 'may.pdf' }).waitFor()
  const trail = page.getByRole('navigation', { name: 'Folders' })
  await trail.getByRole('link', { name: 'All files' }).click()
  await page.getByRole('link', { name: 'Invoices 2 files' }).waitFor()
  t.is(await page.getByRole('link', { name: 'may.pdf' }).count(), 0)
  await searchFor(page.getByLabel('Search file names'), 'june')
  await page.getByRole('link', { name: 'june.pdf' }).click()
  await page.getByLabel('Folder').fill('Archive')
  await page.getByRole('button', { name: 'Move' }).click()
  await page.getByText('File moved.').waitFor()
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Files' }).click()
  await page.getByRole('link', { name: 'Archive 1 file' }).waitFor()
  const found = await checkScreen(page, 'media-folders')
  await page.getByRole('link', { name: 'Invoices 1 file' }).click()
  await page.getByRole('link', { name: '2026 1 file' }).click()
  await page.getByRole('link', { name: 'may.pdf' }).waitFor()
  found.push(...(await checkScreen(page, 'media-folder')))
  await page.goBack()
  await page.getByRole('link', { name: '2026 1 file' }).waitFor()
  t.deepEqual(found, [])
})

test.serial('shows each role what it may do', async t => {
  const roles = {
    'tenant.editor': { name: 'Editor', permissions: ['media.*'] },
    'tenant.support': { name: 'Support', permissions: ['media.item.read'] },
    'tenant.release_manager': { name: 'Release manager', permissions: ['features.*'] },
    'tenant.nobody': { name: 'Nobody', permissions: [] },
  }
  const modules = { features: {}, media: { wait: '1m' } }
  const { kernel, url, ada: owner, open } = await startOwnConsole(t, modules, { roles })
  const { colleague, operator } = peopleOf(kernel)
  async function uploaded(credential: string, tenantId: string): Promise<string> {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(pdf())], { type: 'application/pdf' }), 'terms.pdf')
    const headers = { authorization: `Bearer ${credential}`, 'x-tenant-id': tenantId }
    const response = await fetch(`${url}/v1/media`, { method: 'POST', headers, body: form })
    return ((await response.json()) as Item).id
  }
  async function seen(visitor: Visitor, id: string): Promise<Record<string, boolean>> {
    const page = await open(visitor, '/media/items')
    await page.locator('.media-tile, .empty').first().waitFor()
    await waitForScreen(page)
    const sees = async (name: string) => (await page.getByRole('button', { name, exact: true }).count()) > 0
    const list = { files: (await page.locator('.media-tile').count()) > 0, upload: await sees('Upload files') }
    await page.goto(`${url}/console/media/items/${id}`)
    await page.locator('.media-columns, .empty').first().waitFor()
    await waitForScreen(page)
    const record = {
      download: await sees('Download'),
      rename: await sees('Rename'),
      deletes: await sees('Actions: terms.pdf'),
    }
    await page.context().close()
    return { ...list, ...record }
  }
  const id = await uploaded(owner.token, owner.tenantId)
  const all = { files: true, upload: true, download: true, rename: true, deletes: true }
  const none = { files: false, upload: false, download: false, rename: false, deletes: false }
  t.deepEqual(await seen(owner, id), all, 'owner')
  const rows: [string, Record<string, boolean>][] = [
    ['tenant.editor', all],
    ['tenant.support', { ...none, files: true, download: true }],
    ['tenant.release_manager', none],
    ['tenant.member', none],
    ['tenant.nobody', none],
  ]
  for (const [role, expected] of rows) t.deepEqual(await seen(await colleague(owner, [role]), id), expected, role)
  const admin = await operator()
  const { user, workspace } = (await admin.get<{ user: { email: string }; workspace: { id: string } }>('/v1/me')).body
  const administrator = { email: user.email, tenantId: workspace.id }
  t.deepEqual(await seen(administrator, id), { ...none, upload: true }, 'platform admin, other workspace')
})
