/** The files page in a browser without JavaScript. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { startTestKernel } from '../../testing/index.ts'
import { pdf, png } from '../modules/media/files.ts'
import { freePort, openBrowser } from './fixtures.ts'
import { accessibilityProblems, signIn } from './site-fixtures.ts'

test('uploads, downloads and deletes a file without JavaScript on accessible pages', async t => {
  t.timeout(120_000)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const kernel = await startTestKernel({
    env: { PORT: String(port), PUBLIC_URL: url },
    recipe: { product: { key: 'acme', name: 'Acme', publicUrl: url }, modules: { identity: {}, media: {} } },
  })
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
    await page.waitForURL(`${url}/files`)
  }
  t.is(await page.getByText("The file content doesn't match its type.").count(), 1)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Holiday ☀.png', exact: true }).click(),
  ])
  t.is(download.suggestedFilename(), 'Holiday ☀.png')
  t.true((await readFile(await download.path())).equals(photo))

  await looking.goto(`${url}/files`)
  t.deepEqual(await accessibilityProblems(looking, 'files'), [])
  await looking.getByRole('link', { name: 'Delete Holiday' }).click()
  t.deepEqual(await accessibilityProblems(looking, 'files-delete'), [])
  await looking.getByRole('button', { name: 'Delete' }).click()
  await looking.waitForURL(`${url}/files`)
  t.is(await looking.getByText('Holiday').count(), 0)
})
