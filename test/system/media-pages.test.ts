/** The files page in a browser without JavaScript. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { pdf, png } from '../modules/media/files.ts'
import { openBrowser, startBrowserKernel } from './fixtures.ts'
import { accessibilityProblems, signIn } from './site-fixtures.ts'

test('uploads, downloads and deletes a file without JavaScript on accessible pages', async t => {
  const { url, kernel } = await startBrowserKernel({ modules: { identity: {}, media: {} } })
  t.teardown(() => kernel.stop())
  const folder = await mkdtemp(join(tmpdir(), 'larder-files-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const photo = await png(300, 200)
  await writeFile(join(folder, 'Holiday ☀.png'), photo)
  await writeFile(join(folder, 'lie.png'), pdf())
  const ada = await kernel.register('ada@example.test')
  const browser = await openBrowser(t)

  const plain = await browser.newContext({ javaScriptEnabled: false, acceptDownloads: true })
  const page = await signIn(plain, url, ada.email)
  await page.goto(`${url}/files`)
  const empty = await browser.newContext({ storageState: await plain.storageState() })
  const looking = await empty.newPage()
  await looking.goto(`${url}/files`)
  t.deepEqual(await accessibilityProblems(looking, 'files-none'), [])
  for (const name of ['Holiday ☀.png', 'lie.png']) {
    await page.getByLabel('File, up to 100 MiB').setInputFiles(join(folder, name))
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.locator('#files .item', { hasText: name }).waitFor()
  }
  await page.getByText("The file content doesn't match its type.").waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Holiday ☀.png', exact: true }).click(),
  ])
  t.is(download.suggestedFilename(), 'Holiday ☀.png')
  t.true((await readFile(await download.path())).equals(photo))

  await page.getByLabel('Folder (optional)').fill('Plans / 2026')
  await writeFile(join(folder, 'plan.pdf'), pdf())
  await page.getByLabel('File, up to 100 MiB').setInputFiles(join(folder, 'plan.pdf'))
  await page.getByRole('button', { name: 'Upload' }).click()
  await page.waitForURL(`${url}/files?folder=Plans%2F2026`)
  await page.getByRole('link', { name: 'plan.pdf', exact: true }).waitFor()
  t.is(await page.getByLabel('Folder (optional)').inputValue(), 'Plans/2026')
  await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Plans' }).click()
  await page.getByRole('link', { name: '2026 1 file' }).waitFor()
  await page.getByLabel('File name').fill('plan')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('link', { name: 'Plans/2026' }).click()
  await page.getByRole('link', { name: 'plan.pdf', exact: true }).waitFor()
  await looking.goto(`${url}/files?folder=Plans`)
  t.deepEqual(await accessibilityProblems(looking, 'files-folder'), [])
  await looking.goto(`${url}/files`)
  t.deepEqual(await accessibilityProblems(looking, 'files'), [])
  await looking.getByRole('link', { name: 'Delete Holiday' }).click()
  t.deepEqual(await accessibilityProblems(looking, 'files-delete'), [])
  await looking.getByRole('button', { name: 'Delete' }).click()
  await looking.waitForURL(`${url}/files`)
  t.is(await looking.getByText('Holiday').count(), 0)
})

test('uploads several dropped files with progress, previews them and searches', async t => {
  const { url, kernel } = await startBrowserKernel({ modules: { identity: {}, media: { maxBytes: '1MiB' } } })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  const browser = await openBrowser(t)
  const page = await signIn(await browser.newContext({ locale: 'en' }), url, ada.email)
  await page.goto(`${url}/files`)
  await page.getByText('Or drag files here.').waitFor()
  await page.getByLabel('File, up to 1 MiB').setInputFiles([
    { name: 'harbor.png', mimeType: 'image/png', buffer: await png(600, 400) },
    { name: 'plan.pdf', mimeType: 'application/pdf', buffer: pdf() },
    { name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(1024 * 1024 + 1) },
    { name: 'virus.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') },
  ])
  await page.getByRole('link', { name: 'harbor.png', exact: true }).waitFor()
  await page.getByRole('link', { name: 'plan.pdf', exact: true }).waitFor()
  // Mistakes stay beside the name of their file.
  const uploads = page.getByRole('list', { name: 'Uploads' })
  await uploads.getByRole('listitem').filter({ hasText: 'huge.png' }).getByText('larger than 1 MiB').waitFor()
  const wrong = uploads.getByRole('listitem').filter({ hasText: 'virus.exe' })
  await wrong.getByText('Unsupported file type.').waitFor()
  for (const name of ['harbor.png', 'plan.pdf']) await uploads.getByText(name).waitFor({ state: 'detached' })
  t.is(await uploads.getByRole('listitem').count(), 2)
  t.deepEqual(await accessibilityProblems(page, 'files-uploads'), [])
  await page.setViewportSize({ width: 1280, height: 860 })
  await wrong.getByRole('button', { name: 'Dismiss' }).press('Enter')
  await wrong.waitFor({ state: 'detached' })
  t.is(await uploads.getByRole('listitem').count(), 1)

  const transfer = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(new File(['Dear reader'], 'letter.pdf', { type: 'application/pdf' })); return data })()`,
  )
  await page.dispatchEvent('#upload', 'drop', { dataTransfer: transfer })
  await page.getByText('letter.pdf').waitFor()

  await page.getByRole('link', { name: 'Preview harbor.png' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'harbor.png' })
  await dialog.waitFor()
  const width = await dialog.getByRole('img').evaluate(async image => {
    const picture = image as unknown as { decode(): Promise<void>; naturalWidth: number }
    await picture.decode()
    return picture.naturalWidth
  })
  t.is(width, 600)
  t.deepEqual(await accessibilityProblems(page, 'files-preview'), [])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Preview plan.pdf' }).click(),
  ])
  await tab.waitForURL(/^blob:/)
  await tab.close()

  await page.getByRole('searchbox', { name: 'File name' }).fill('HARB')
  await page.keyboard.press('Enter')
  await page.waitForURL(/q=HARB/)
  await page.locator('#files .item', { hasText: 'plan.pdf' }).waitFor({ state: 'detached' })
  t.is(await page.locator('#files .item').count(), 1)
  await page.getByRole('searchbox', { name: 'File name' }).fill('%')
  await page.keyboard.press('Enter')
  await page.getByText('No files match your search.').waitFor()
})
