import { AxeBuilder } from '@axe-core/playwright'
import test, { type ExecutionContext } from 'ava'
import { startTestKernel, TEST_PASSWORD } from '../../testing/index.ts'
import { freePort, openBrowser } from './fixtures.ts'

async function openFlags(t: ExecutionContext) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const kernel = await startTestKernel({
    env: { PORT: String(port), PUBLIC_URL: url },
    recipe: {
      product: { key: 'acme', name: 'Acme', publicUrl: url },
      locales: { default: 'en', available: ['en', 'de'] },
      modules: { identity: {}, comms: { transport: 'mailbox' }, features: {}, console: {} },
    },
  })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test', { name: 'Ada Lovelace', workspaceName: 'Engines' })
  await ada.post('/v1/features', { key: 'new-editor', name: 'New editor', default: false })
  await ada.post('/v1/features', { key: 'theme', default: 'light' })
  const page = await (await (await openBrowser(t)).newContext()).newPage()
  await page.goto(`${url}/console/features/flags`)
  await page.getByLabel('Email').fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${url}/console/features/flags`)
  return { ada, page, url }
}

test.serial('finds a flag, edits its rules, evaluates it and turns it off', async t => {
  const { ada, page } = await openFlags(t)
  await page.getByLabel('Search flags').fill('editor')
  await page.getByRole('link', { name: 'new-editor' }).click()

  await page.getByRole('tab', { name: 'Rules' }).click()
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByRole('button', { name: 'Add condition' }).click()
  await page.getByLabel('Attribute: Rule 1, Condition 1').fill('country')
  await page.getByLabel('Operator: Rule 1, Condition 1').selectOption('in')
  await page.getByLabel('Value: Rule 1, Condition 1').fill('DE, AT')
  await page.getByRole('button', { name: 'Save rules' }).click()
  await page.getByText('Rules saved.').waitFor()
  t.like((await ada.get<object>('/v1/features/new-editor')).body, {
    rules: [{ when: { country: { in: ['DE', 'AT'] } }, value: true }],
  })

  await page.getByRole('tab', { name: 'Evaluation' }).click()
  await page.getByRole('textbox', { name: 'Context (JSON)' }).fill('{"targetingKey":"u","country":"DE"}')
  await page.getByRole('button', { name: 'Evaluate' }).click()
  await page.getByText('A rule matches.').waitFor()

  await page.getByRole('navigation').getByRole('link', { name: 'Feature flags' }).first().click()
  await page.getByRole('switch', { name: 'Turn new-editor on' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('new-editor is off.').waitFor()
  t.like((await ada.get<object>('/v1/features/new-editor')).body, { enabled: false })
})

test.serial('has no accessibility violations, light and dark, wide and narrow', async t => {
  const { ada, page, url } = await openFlags(t)
  await ada.patch('/v1/features/new-editor', {
    rules: [{ when: { country: { in: ['DE', 'AT'] } }, rollout: 50, value: true }],
  })
  const found: string[] = []
  const paths = ['', '/new-editor?tab=rules', '/new-editor?tab=evaluation']
  for (const path of paths)
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1280, 390]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 820 })
        await page.goto(`${url}/console/features/flags${path}`)
        await page.locator('tbody tr, .condition, .cm-content').first().waitFor()
        const { violations } = await new AxeBuilder({ page }).analyze()
        found.push(...violations.map(({ id, nodes }) => `${path} ${colorScheme} ${width} ${id}: ${nodes[0]?.html}`))
        if (await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'))
          found.push(`${path} ${width}: wider than the window`)
        const folder = process.env.SCREENSHOTS
        const name = `features-${paths.indexOf(path)}-${colorScheme}-${width}.png`
        if (folder) await page.screenshot({ path: `${folder}/${name}` })
      }
  t.deepEqual(found, [])
})
