/** Screens that a team's module adds to the console. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { colleague, role } from '../modules/identity/fixtures.ts'
import { checkScreen, navigationOf, openFromNavigation, startOwnConsole, waitForScreen } from './console-fixtures.ts'

const CATALOG = fileURLToPath(new URL('../../../examples/shop/modules/catalog/module.ts', import.meta.url))

test.serial('the screen of the example lists what is nearly sold out, and adds to the stock', async t => {
  const { ada, kernel, problems, open } = await startOwnConsole(t, { collections: {}, catalog: { use: CATALOG } })
  for (const [name, stock] of [
    ['Tea <b>x</b>', 3],
    ['Coffee', 90],
  ])
    await ada.post('/v1/data/products', { name, price: 450, stock })
  const page = await open(ada, '')
  await openFromNavigation(page, 'Low stock')
  await page.getByRole('heading', { name: 'Low stock', level: 1 }).waitFor()
  const row = page.getByRole('row', { name: 'Tea <b>x</b>' })
  await row.getByText('€4.50').waitFor()
  t.is(await page.getByText('Coffee').count(), 0)
  const found = await checkScreen(page, 'module-screen')
  await row.getByRole('button', { name: 'Add 50: Tea <b>x</b>' }).click()
  await page.getByText('Enough of everything').waitFor()
  const { body } = await ada.get<{ data: { name: string; stock: number }[] }>('/v1/data/products')
  t.is(body.data.find(({ name }) => name.startsWith('Tea'))?.stock, 53)
  await page.evaluate(`localStorage.setItem('larder.console.language', '"de"')`)
  await page.reload()
  await page.getByRole('heading', { name: 'Knapper Bestand', level: 1 }).waitFor()
  await navigationOf(page).getByRole('link', { name: 'Knapper Bestand' }).waitFor()
  found.push(...(await checkScreen(page, 'module-screen-de')))

  await role(ada, 'team.reader', ['identity.member.read'])
  const { person } = await colleague(kernel, ada, ['team.reader'])
  const other = await open({ ...person, tenantId: ada.tenantId }, '/catalog/stock')
  await other.getByRole('heading', { name: 'Page not found' }).first().waitFor()
  await waitForScreen(other)
  t.is(await navigationOf(other).getByRole('link', { name: 'Low stock' }).count(), 0)
  t.deepEqual(problems, [])
  t.deepEqual(found, [])
})

test.serial('a screen that throws or cannot be built leaves the console alive, and names its module', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-screens-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const screens = ['throwing', 'broken', 'empty']
  const sources = {
    'module.js': `import { defineModule } from '@larder-dev/larder/kernel'
export default defineModule({
  name: 'faulty',
  permissions: { 'faulty.thing.read': 'View things' },
  screens: () => ${JSON.stringify(screens)}.map(name => ({
    name, title: name, permission: 'faulty.thing.read', file: new URL(name + '.tsx', import.meta.url),
  })),
})`,
    'throwing.tsx': `export default function Throwing() { throw new Error('No stock <b>today</b>') }`,
    'broken.tsx': 'export default () => <p>',
    'empty.tsx': 'export const nothing = 1',
  }
  await Promise.all(Object.entries(sources).map(([name, text]) => writeFile(join(folder, name), text)))
  const { ada, open } = await startOwnConsole(t, { faulty: { use: join(folder, 'module.js') } })
  const page = await open(ada, '/faulty/throwing')
  const message = page.getByRole('heading', { name: 'A screen of the module faulty failed' })
  await message.waitFor()
  await page.getByText('No stock <b>today</b>').waitFor()
  const found = await checkScreen(page, 'module-screen-failed')
  await openFromNavigation(page, 'broken')
  await message.waitFor()
  await page.getByText(/broken\.tsx:1:/).waitFor()
  await openFromNavigation(page, 'empty')
  await page.getByText('The file has no default export that is a component.').waitFor()
  await openFromNavigation(page, 'Home')
  await page.getByRole('heading', { name: /Welcome|Acme/, level: 1 }).waitFor()
  t.is(await message.count(), 0)
  t.deepEqual(found, [])
})

test.serial('a form has the tabs that a module adds, and a tab that throws leaves the others alive', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-screens-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const sources = {
    'module.js': `import { defineModule } from '@larder-dev/larder/kernel'
export default defineModule({
  name: 'tabs',
  permissions: { 'tabs.thing.read': 'View things' },
  screens: () => ['names', 'throwing'].map(tab => ({
    resource: 'forms.forms', tab, title: tab, permission: 'tabs.thing.read', file: new URL(tab + '.tsx', import.meta.url),
  })),
})`,
    'names.tsx': 'export default ({ record, resource }) => <p>{resource.id + ": " + record.name}</p>',
    'throwing.tsx': `export default function Throwing() { throw new Error('No answers today') }`,
  }
  await Promise.all(Object.entries(sources).map(([name, text]) => writeFile(join(folder, name), text)))
  const { ada, open } = await startOwnConsole(t, { forms: {}, tabs: { use: join(folder, 'module.js') } })
  const schema = { type: 'object', properties: { name: { type: 'string' } } }
  const { body } = await ada.post('/v1/forms', { name: 'Feedback', schema, access: 'tenant' })
  const page = await open(ada, `/forms/forms/${body.id}`)
  await page.getByRole('tab', { name: 'names' }).click()
  await page.getByText('forms.forms: Feedback').waitFor()
  await page.getByRole('tab', { name: 'throwing' }).click()
  await page.getByText('No answers today').waitFor()
  t.is(await page.getByRole('heading', { level: 1 }).count(), 1)
  await page.getByRole('tab', { name: 'names' }).click()
  await page.getByText('forms.forms: Feedback').waitFor()
})
