/** A repository of a team whose module adds a screen of each kind to the console. */
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import type { Person } from '../../testing/index.ts'
import { run, temporaryFolder } from '../bin/command.ts'
import { compile, installLarder } from '../bin/installed.ts'
import { waitFor } from '../fixtures/wait.ts'
import { colleague, role } from '../modules/identity/fixtures.ts'
import { checkScreen, startOwnConsole } from './console-fixtures.ts'

const root = fileURLToPath(packageRoot)
/** What the documentation adds to `tsconfig.json` for screens. */
const SCREEN_OPTIONS = { jsx: 'react-jsx', lib: ['es2023', 'dom'] }

/** A repository that `larder init` wrote, with the module of the example. */
async function createRepository(t: ExecutionContext): Promise<string> {
  const folder = await temporaryFolder(t)
  await installLarder(folder)
  const repository = join(folder, 'shop')
  const words = ['init', repository, '--starter', 'empty', '--larder', '0.0.0', '--yes', '--no-install']
  const { code, err } = await run(t, words, folder)
  t.is(code, 0, err)
  await cp(join(root, 'examples/shop/modules/catalog'), join(repository, 'modules/catalog'), { recursive: true })
  const config = JSON.parse(await readFile(join(repository, 'tsconfig.json'), 'utf8'))
  const compilerOptions = { ...config.compilerOptions, ...SCREEN_OPTIONS }
  await writeFile(join(repository, 'tsconfig.json'), JSON.stringify({ ...config, compilerOptions }))
  return repository
}

const createProduct = async (ada: Person, name: string, stock: number): Promise<string> =>
  (await ada.post<{ id: string }>('/v1/data/products', { name, price: 450, stock })).body.id

test.serial(
  'a path with a parameter, a tab, a replaced list and a link of a team compile, and open in the console',
  async t => {
    t.timeout(240_000)
    const repository = await createRepository(t)
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
    await page.locator('.sidebar').getByRole('link', { name: 'Orders', exact: true }).click()
    await page.getByText('1 product is nearly sold out.').waitFor()
    await page.getByRole('table').waitFor()
    found.push(...(await checkScreen(page, 'team-list')))

    // The link to a page of the product, in the workspace of the console.
    const link = page.locator('.sidebar').getByRole('link', { name: 'Customer messages' })
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
  },
)
