/** A console in a language that its product adds. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { checkScreen, navigationOf, openFromNavigation, startOwnConsole } from './console-fixtures.ts'

const FRENCH = `Home: Accueil
Account: Compte
Language: Langue
People: Personnes
Members: Membres
`
const ARTICLES = {
  search: ['title'],
  fields: {
    title: { type: 'text', required: true },
    price: { type: 'money', currency: 'EUR' },
    published: { type: 'boolean' },
  },
}
const HEBREW = `Home: בית
Account: חשבון
Language: שפה
People: אנשים
`

test('a product in French has its console in French, and English where a text has no translation', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-french-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'locales'))
  await writeFile(join(folder, 'theme.yaml'), 'name: Look\nextends: default\n')
  await writeFile(join(folder, 'locales/fr.yaml'), FRENCH)
  await writeFile(join(folder, 'locales/he.yaml'), HEBREW)
  const more = {
    theme: { use: folder },
    locales: { default: 'fr', available: ['fr', 'en', 'he'] },
    collections: { articles: ARTICLES },
  }
  const { ada, problems, open, url } = await startOwnConsole(t, { collections: {} }, more)
  const page = await open(ada, '')
  const sidebar = navigationOf(page)
  await sidebar.getByRole('link', { name: 'Home' }).waitFor()

  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Language: Français' }).click()
  await sidebar.getByRole('link', { name: 'Accueil' }).waitFor()
  await sidebar.getByRole('button', { name: 'Personnes' }).waitFor()
  t.is(await page.evaluate('document.documentElement.lang'), 'fr')

  // The choice is kept. Texts without a translation are in English.
  await page.reload()
  await sidebar.getByRole('link', { name: 'Accueil' }).waitFor()
  await sidebar.getByRole('button', { name: 'Personnes' }).click()
  await sidebar.getByRole('link', { name: 'Roles' }).waitFor()
  t.deepEqual(await checkScreen(page, 'console-french'), [])

  await page.getByRole('button', { name: /^Compte/ }).click()
  await page.getByRole('menuitem', { name: 'Langue: Deutsch' }).click()
  await sidebar.getByRole('link', { name: 'Start', exact: true }).waitFor()
  await page.getByRole('button', { name: /^Konto/ }).click()
  await page.getByRole('menuitem', { name: 'Sprache: Français' }).click()

  // A language that is written from right to left mirrors the console, and the next one turns it back.
  const startOf = async () => (await sidebar.boundingBox())?.x
  t.is(await startOf(), 0)
  await page.getByRole('button', { name: /^Compte/ }).click()
  await page.getByRole('menuitem', { name: 'Langue: עברית' }).click()
  await sidebar.getByRole('link', { name: 'בית' }).waitFor()
  t.is(await page.evaluate('document.documentElement.dir'), 'rtl')
  t.true(Number(await startOf()) > 640)
  const found = await checkScreen(page, 'console-hebrew')
  const { body: chess } = await ada.post<{ id: string }>('/v1/data/articles', { title: 'Chess', price: 900 })
  await ada.post('/v1/data/articles', { title: 'שחמט', price: 900 })
  for (const path of ['', '/new', `/${chess.id}`]) {
    await page.goto(`${url}/console/collections/articles${path}`)
    found.push(...(await checkScreen(page, `console-hebrew-articles${path && (path === '/new' ? '-new' : '-record')}`)))
  }
  t.deepEqual(found, [])
  await page.getByRole('button', { name: /^חשבון/ }).click()
  await page.getByRole('menuitem', { name: 'שפה: Français' }).click()
  await sidebar.getByRole('link', { name: 'Accueil' }).waitFor()
  t.is(await page.evaluate('document.documentElement.dir'), 'ltr')

  // The pages of the product follow the choice.
  await openFromNavigation(page, 'Membres')
  await page.getByRole('heading', { name: 'Membres', level: 1 }).waitFor()
  t.deepEqual(problems, [])
})
