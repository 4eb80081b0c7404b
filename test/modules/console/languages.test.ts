/** A language that a product adds to the console. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { withPeople } from '../../fixtures/with-people.ts'

const FRENCH = 'Home: Accueil\nSign in: Connexion\nPages: Pages du site\n'

let folder: string
const { kernel, ada } = withPeople(
  test,
  async () => {
    folder = await mkdtemp(join(tmpdir(), 'larder-french-'))
    await mkdir(join(folder, 'look/locales'), { recursive: true })
    await writeFile(join(folder, 'look/theme.yaml'), 'name: Look\nextends: default\n')
    await writeFile(join(folder, 'look/locales/fr.yaml'), FRENCH)
    return {
      folder,
      recipe: {
        theme: { use: './look' },
        locales: { default: 'fr', available: ['fr', 'en', 'de-AT', 'es'] },
        modules: { identity: {}, comms: {}, content: {}, console: {} },
      },
    }
  },
  { ada: 'owner' },
)
test.after.always(() => rm(folder, { recursive: true }))

test('the console offers the languages that the product has translations to', async t => {
  const document = await fetch(`${kernel.url}/console/${ada.tenantId}/`, {
    headers: { accept: 'text/html', cookie: ada.cookie },
  })
  t.regex(await document.text(), /<meta name="console-languages" content="fr">/)
})

test('returns the translations of such a language, and of no other', async t => {
  const { status, body } = await ada.get<Record<string, string>>('/console/texts/fr')
  t.is(status, 200)
  t.like(body, { Home: 'Accueil', 'Sign in': 'Connexion' })
  for (const other of ['en', 'de', 'de-AT', 'es', 'fr-CA', 'constructor', '..%2Ffr'])
    t.is((await ada.get(`/console/texts/${other}`)).status, 404, other)
})

test('translations are for people who are signed in', async t => {
  t.is((await fetch(`${kernel.url}/console/texts/fr`, { redirect: 'manual' })).status, 401)
})

test('one file translates the pages, and the texts of the API that the console shows', async t => {
  const page = await kernel.get<string>('/sign-in', { headers: { accept: 'text/html' } })
  t.regex(page.body, /<html[^>]* lang="fr"/)
  t.regex(page.body, /Connexion/)
  const { body } = await ada.get('/v1/platform/resources', {
    headers: { 'accept-language': 'fr' },
  })
  t.true(body.data.some(({ title }) => title === 'Pages du site'))
})
