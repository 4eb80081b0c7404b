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
  t.true((await home(['de', 'en'])).includes('Was dazugehört</h2>'))
  t.true((await home(['en'])).includes('What is in it</h2>'))
  t.true((await home(['fr'])).includes('What is in it</h2>'))
})

test('larder/full lists its articles in the language of the reader', async t => {
  const locales = { default: 'en', available: ['en', 'de'] }
  const kernel = await startTestKernel({ recipe: { extends: 'larder/full', locales } })
  t.teardown(() => kernel.stop())
  const list = async (language: string) =>
    (await kernel.get<string>('/demo/articles', { headers: { accept: 'text/html', 'accept-language': language } })).body
  const titles = (page: string) => [...page.matchAll(/href="\/demo\/articles\/([^"]+)"/g)].map(([, slug]) => slug)
  t.deepEqual(titles(await list('en')), [
    'a-list-a-form-and-an-api-in-ten-lines',
    'invite-somebody-to-your-workspace',
    'try-the-plans-without-a-payment-provider',
  ])
  t.deepEqual(titles(await list('de')), [
    'laden-sie-jemanden-in-ihren-workspace-ein',
    'liste-formular-und-api-in-zehn-zeilen',
    'tarife-ohne-zahlungsanbieter-ausprobieren',
  ])
})

test('larder/full says in other languages, too, that there are no articles', async t => {
  const kernel = await startTestKernel({
    recipe: { extends: 'larder/full', locales: { default: 'fr', available: ['fr'] } },
  })
  t.teardown(() => kernel.stop())
  const { status, body } = await kernel.get<string>('/demo/articles', { headers: { accept: 'text/html' } })
  t.is(status, 200)
  t.regex(body, /class="empty"/)
})
