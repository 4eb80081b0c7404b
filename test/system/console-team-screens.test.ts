/** Repositories of teams whose modules add a screen of each kind to the console. */
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { parse } from 'yaml'
import { packageRoot } from '../../kernel/base/package-root.ts'
import type { Person } from '../../testing/index.ts'
import { run, temporaryFolder } from '../bin/command.ts'
import { compile, installLarder } from '../bin/installed.ts'
import { waitFor } from '../fixtures/wait.ts'
import { colleague, role } from '../modules/identity/fixtures.ts'
import { readChapter, writeBlock } from './console-chapter.ts'
import { checkScreen, navigationOf, openFromNavigation, startOwnConsole } from './console-fixtures.ts'

const root = fileURLToPath(packageRoot)

/** A repository that `larder init` wrote. */
async function createRepository(t: ExecutionContext): Promise<string> {
  const folder = await temporaryFolder(t)
  await installLarder(folder)
  const repository = join(folder, 'shop')
  const words = ['init', repository, '--starter', 'empty', '--larder', '0.0.0', '--yes', '--no-install']
  const { code, err } = await run(t, words, folder)
  t.is(code, 0, err)
  return repository
}

const createProduct = async (ada: Person, name: string, stock: number): Promise<string> =>
  (await ada.post<{ id: string }>('/v1/data/products', { name, price: 450, stock })).body.id

test.serial('the screens of the example compile, and open in the console', async t => {
  t.timeout(240_000)
  const repository = await createRepository(t)
  await cp(join(root, 'examples/shop/modules/catalog'), join(repository, 'modules/catalog'), { recursive: true })
  await writeBlock(repository, 'tsconfig.json', (await readChapter()).files.get('tsconfig.json') ?? '')
  t.is(await compile(repository), '')
  const use = join(repository, 'modules/catalog/module.ts')
  const { ada, kernel, problems, open } = await startOwnConsole(t, {
    collections: {},
    messaging: {},
    catalog: { use },
  })
  const tea = await createProduct(ada, 'Tea', 8)
  await createProduct(ada, 'Coffee', 90)
  for (const quantity of [2, 3]) await ada.post('/v1/data/orders', { product: tea, quantity })

  // The path with a parameter, from the list of the screen without one.
  const page = await open(ada, '/catalog/stock')
  await page.getByRole('link', { name: 'Tea' }).click()
  await page.getByRole('heading', { name: 'Tea', level: 1 }).waitFor()
  t.true(page.url().endsWith(`/catalog/stock/${tea}`))
  const found = await checkScreen(page, 'team-path')
  await page.getByLabel('Delivered').fill('40')
  await page.getByRole('button', { name: 'Add to the stock' }).click()
  await page.getByRole('heading', { name: 'Low stock', level: 1 }).waitFor()
  t.is((await ada.get<{ stock: number }>(`/v1/data/products/${tea}`)).body.stock, 43)

  // The tab of a record, whose address opens it again.
  await page.goto(page.url().replace(/\/catalog\/.*/, `/collections/products/${tea}`))
  await page.getByRole('tab', { name: 'Sales' }).click()
  t.regex(page.url(), /tab=catalog\.sales/)
  await page.getByText('€22.50').waitFor()
  found.push(...(await checkScreen(page, 'team-tab')))
  await page.reload()
  await page.getByText('€22.50').waitFor()

  // The replaced list, with the generic one below a notice.
  await createProduct(ada, 'Cocoa', 1)
  await openFromNavigation(page, 'Orders')
  await page.getByText('1 product is nearly sold out.').waitFor()
  await page.getByRole('table').waitFor()
  found.push(...(await checkScreen(page, 'team-list')))

  // The link to a page of the product, in the workspace of the console.
  const link = navigationOf(page).getByRole('link', { name: 'Customer messages', includeHidden: true })
  t.regex((await link.getAttribute('href')) ?? '', /^\/messages\?workspace=/)

  // German words come from the locale file of the module.
  await page.evaluate(`localStorage.setItem('larder.console.language', '"de"')`)
  await page.reload()
  await page.getByText('1 Produkt ist fast ausverkauft.').waitFor()
  await page.goto(page.url().replace(/\/collections\/.*/, `/catalog/stock/${tea}`))
  await page.getByLabel('Geliefert').waitFor()

  // Someone who may not read orders sees the generic record without the tab.
  await role(ada, 'team.reader', ['collections.products.read'])
  const { person } = await colleague(kernel, ada, ['team.reader'])
  const other = await open({ ...person, tenantId: ada.tenantId }, `/collections/products/${tea}`)
  await other.getByRole('heading', { name: 'Tea', level: 1 }).waitFor()
  t.true(await waitFor(async () => (await other.getByRole('tab', { name: 'Sales' }).count()) === 0))
  await other.goto(other.url().replace(/\/collections\/.*/, `/catalog/stock/${tea}`))
  await other.getByRole('heading', { name: 'Page not found' }).first().waitFor()
  t.deepEqual(problems, [])
  t.deepEqual(found, [])
})

test.serial('a team that copies the files of docs/console.md gets a screen of each kind', async t => {
  t.timeout(240_000)
  const repository = await createRepository(t)
  const { files, commands } = await readChapter()
  for (const [name, content] of files) await writeBlock(repository, name, content)
  t.deepEqual(commands, ['npm install --save-dev @types/react', 'npx larder types --out larder-types.ts'])
  const { code, err } = await run(t, ['types', '--out', 'larder-types.ts'], repository)
  t.is(code, 0, err)
  t.is(await compile(repository), '')
  const { modules, collections } = parse(await readFile(join(repository, 'recipe.yaml'), 'utf8'))
  const { ada, problems, open } = await startOwnConsole(
    t,
    { collections: {}, messaging: {}, catalog: { use: join(repository, modules.catalog.use) } },
    { collections },
  )
  const tea = await createProduct(ada, 'Tea', 8)
  const { body: order } = await ada.post<{ id: string }>('/v1/data/orders', { product: tea, quantity: 3 })

  // Paths, without a parameter and with one.
  const page = await open(ada, '')
  const navigation = navigationOf(page)
  await openFromNavigation(page, 'Low stock')
  await page.getByRole('heading', { name: 'Low stock', level: 1 }).waitFor()
  const found = await checkScreen(page, 'docs-path')
  await page.getByRole('link', { name: 'Tea' }).click()
  await page.getByRole('heading', { name: 'Tea', level: 1 }).waitFor()
  t.true(page.url().endsWith(`/catalog/stock/${tea}`))
  await page.getByLabel('Delivered').fill('1')
  found.push(...(await checkScreen(page, 'docs-parameter')))
  await page.getByRole('button', { name: 'Add to the stock' }).click()
  await page.getByRole('row', { name: 'Tea' }).getByText('9').waitFor()

  // A replaced list, record and form.
  await openFromNavigation(page, 'Orders')
  await page.getByText('Check the stock first.').waitFor()
  await page.getByRole('table').waitFor()
  found.push(...(await checkScreen(page, 'docs-list')))
  const address = (path: string) => page.url().replace(/(\/console\/[^/]+).*/, `$1${path}`)
  await page.goto(address(`/collections/orders/${order.id}`))
  await page.getByRole('heading', { name: 'Order of 3', level: 1 }).waitFor()
  await page.getByRole('tabpanel', { name: 'Details' }).getByText('Tea').waitFor()
  found.push(...(await checkScreen(page, 'docs-record')))
  await page.goto(address(`/collections/products/${tea}/edit`))
  await page.getByLabel('In stock').fill('20')
  await page.getByText('Pieces on the shelf').waitFor()
  found.push(...(await checkScreen(page, 'docs-form')))
  await page.getByRole('button', { name: 'Save' }).click()

  // A tab of the record that the form leads to.
  await page.getByRole('tab', { name: 'Sales' }).click()
  await page.getByText('Sold').waitFor()
  found.push(...(await checkScreen(page, 'docs-tab')))
  t.is((await ada.get<{ stock: number }>(`/v1/data/products/${tea}`)).body.stock, 20)

  const link = navigation.getByRole('link', { name: 'Customer messages', includeHidden: true })
  t.regex((await link.getAttribute('href')) ?? '', /^\/messages\?workspace=/)
  await page.evaluate(`localStorage.setItem('larder.console.language', '"de"')`)
  await page.goto(address('/catalog/stock'))
  await page.getByRole('heading', { name: 'Knapper Bestand', level: 1 }).waitFor()
  await navigation.getByRole('link', { name: 'Nachrichten von Kunden' }).waitFor()
  t.deepEqual(problems, [])
  t.deepEqual(found, [])
})
