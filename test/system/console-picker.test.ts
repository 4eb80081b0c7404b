/** Images in pages: the picker of the editor, public addresses, usage. */
import test from 'ava'
import { waitFor } from '../fixtures/wait.ts'
import { png } from '../modules/media/files.ts'
import { checkScreen, startOwnConsole } from './console-fixtures.ts'

test.serial(
  'inserts an uploaded image into a page, shows where it is used, and warns before it is deleted',
  async t => {
    const modules = { content: {}, media: { wait: '1m' } }
    const { page, ada, url, problems } = await (async () => {
      const started = await startOwnConsole(t, modules)
      return { ...started, page: await started.open(started.ada, '/content/pages/new') }
    })()
    await page.getByLabel('Title').fill('Our harbor')
    const text = page.getByRole('textbox', { name: 'Text (Markdown)' })
    await text.fill('Before  after')
    await page.keyboard.press('Home')
    for (let n = 0; n < 'Before '.length; n++) await page.keyboard.press('ArrowRight')

    await page.getByRole('button', { name: 'Image', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('No images yet').waitFor()
    const image = await png(640, 480)
    await dialog
      .locator('input[type=file]')
      .setInputFiles([{ name: 'harbor.png', mimeType: 'image/png', buffer: image }])
    await dialog.getByRole('radio', { name: 'harbor.png', checked: true }).waitFor()
    await dialog.locator('.media-thumb img').waitFor()
    await dialog.getByLabel('Alternative text').fill('Boats [at] dawn')
    await dialog.getByText('Everyone can see the image').waitFor()
    t.deepEqual(await checkScreen(page, 'image-picker'), [])
    await dialog.getByRole('button', { name: 'Insert' }).click()
    await dialog.waitFor({ state: 'detached' })

    const shown = page.frameLocator('iframe.preview').getByRole('img', { name: 'Boats [at] dawn' })
    await shown.waitFor()
    const path = String(await shown.getAttribute('src'))
    t.regex(path, /^\/media\/med_\w+\/preview$/)
    t.is((await fetch(url + path)).headers.get('content-type'), 'image/webp')
    await waitFor(
      () => shown.evaluate(node => Reflect.get(node, 'naturalWidth')),
      width => width === 640,
    )
    // The editor has the focus again, behind the image.
    await page.keyboard.type('!')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Draft saved.').waitFor()
    const { data } = (await ada.get('/v1/content/pages')).body
    const { body } = (await ada.get(`/v1/content/pages/${data[0]?.id}`)).body
    t.is(body, `Before ![Boats \\[at\\] dawn](${path})! after`)

    const mediaId = path.split('/')[2]
    await page.goto(`${url}/console/media/items/${mediaId}`)
    await page.getByRole('link', { name: 'Our harbor' }).waitFor()
    t.deepEqual(await checkScreen(page, 'media-usage'), [])
    await page.getByRole('button', { name: 'Actions: harbor.png' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByText('1 page shows this image: Our harbor.').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Actions: harbor.png' }).click()
    await page.getByRole('menuitem', { name: 'Make private' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make private' }).click()
    await page.locator('.badge', { hasText: 'Public' }).waitFor({ state: 'detached' })
    t.is((await fetch(url + path)).status, 404)
    t.deepEqual(problems, [])
  },
)
