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

test('a product in French has its console in French, and English where a text has no translation', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-french-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'locales'))
  await writeFile(join(folder, 'theme.yaml'), 'name: Look\nextends: default\n')
  await writeFile(join(folder, 'locales/fr.yaml'), FRENCH)
  const more = { theme: { use: folder }, locales: { default: 'fr', available: ['fr', 'en'] } }
  const { ada, problems, open } = await startOwnConsole(t, {}, more)
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

  // The pages of the product follow the choice.
  await openFromNavigation(page, 'Membres')
  await page.getByRole('heading', { name: 'Membres', level: 1 }).waitFor()
  t.deepEqual(problems, [])
})
