/** A product that extends a shipped recipe and adds German shows German menus, plans and entitlements. */
import test from 'ava'
import { startTestKernel } from '../../testing/index.ts'

test('larder/full has German labels for a product with German', async t => {
  const recipe = { extends: 'larder/full', locales: { default: 'en', available: ['en', 'de'] } }
  const kernel = await startTestKernel({ recipe })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test', { locale: 'de' })
  const open = async (path: string, language: string) => {
    const headers = { accept: 'text/html', cookie: ada.cookie, 'accept-language': language }
    return (await kernel.get<string>(path, { headers })).body
  }
  const shown = {
    de: ['Startseite', 'Tarif', 'Dateien', 'Nachrichten', 'Kontakt'],
    en: ['Home', 'Plan', 'Files', 'Messages', 'Contact'],
  }
  for (const [language, labels] of Object.entries(shown)) {
    const page = await open('/files', language)
    for (const label of labels) t.true(page.includes(`>${label}</a>`), label)
  }
  const plans = await open('/billing', 'de')
  for (const name of ['Kostenlos', 'Speicher', 'Plätze', 'KI-Guthaben']) t.true(plans.includes(name), name)
  t.false(/Free|Storage|Seats|AI credits/.test(plans))
})

test('larder/full has its home page in the languages of the product', async t => {
  const home = async (available: readonly string[]) => {
    const [language = ''] = available
    const recipe = { extends: 'larder/full', locales: { default: language, available } }
    const kernel = await startTestKernel({ recipe })
    const headers = { accept: 'text/html', 'accept-language': language }
    const page = (await kernel.get<string>('/', { headers })).body
    await kernel.stop()
    return page
  }
  t.true((await home(['de', 'en'])).includes('API-Referenz</a>'))
  t.true((await home(['en'])).includes('API reference</a>'))
  t.true((await home(['fr'])).includes('API reference</a>'))
})
