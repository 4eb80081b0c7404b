import test, { type ExecutionContext } from 'ava'
import { expectStatus, knownClaimCode } from '../fixtures/people.ts'
import { colleague } from '../modules/identity/fixtures.ts'
import {
  checkScreen,
  holdRequests,
  openFromNavigation,
  searchFor,
  shareOwnConsole,
  startOwnConsole,
  waitForScreen,
} from './console-fixtures.ts'

const start = shareOwnConsole(test, { features: {} })

async function openFlags(t: ExecutionContext) {
  const { ada, url, open } = await start(t)
  await ada.post('/v1/features', { key: 'new-editor', name: 'New editor', default: false })
  await ada.post('/v1/features', { key: 'theme', default: 'light' })
  return { ada, url, page: await open(ada, '/features/flags') }
}

test.serial('finds a flag, edits its rules, evaluates it and turns it off', async t => {
  const { ada, page } = await openFlags(t)
  await page.getByLabel('Search flags').fill('editor')
  await page.getByRole('link', { name: 'theme' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'new-editor' }).click()

  await page.getByRole('tab', { name: 'Rules' }).click()
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByRole('button', { name: 'Add condition' }).click()
  await page.getByLabel('Attribute: Rule 1, Condition 1').fill('country')
  await page.getByLabel('Comparison: Rule 1, Condition 1').selectOption('in')
  await page.getByLabel('Value: Rule 1, Condition 1').fill('DE, AT')
  await page.getByRole('button', { name: 'Save rules' }).click()
  await page.getByText('Rules saved.').waitFor()
  t.like((await ada.get<object>('/v1/features/new-editor')).body, {
    rules: [{ when: { country: { in: ['DE', 'AT'] } }, value: true }],
  })

  await page.getByRole('tab', { name: 'Evaluation' }).click()
  await page.getByRole('textbox', { name: 'Context (JSON)' }).fill('{"targetingKey":"u","country":"DE"}')
  await page.getByRole('button', { name: 'Evaluate' }).click()
  await page.getByText('Rule 1 matches.').waitFor()

  await openFromNavigation(page, 'Feature flags')
  await page.getByRole('switch', { name: 'Turn new-editor on' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('new-editor is off.').waitFor()
  t.like((await ada.get<object>('/v1/features/new-editor')).body, { enabled: false })
})

test.serial('shows which value another member gets, and why', async t => {
  const { ada, kernel, open } = await start(t)
  const { person } = await colleague(kernel, ada, ['tenant.member'])
  const rules = [{ when: { roles: { contains: 'tenant.member' } }, value: 'dark' }]
  await ada.post('/v1/features', { key: 'theme', default: 'light', rules })
  const page = await open(ada, '/features/flags/theme?tab=evaluation')
  const evaluate = page.getByRole('button', { name: 'Evaluate' })
  const outcome = page.getByRole('status').filter({ has: page.getByRole('heading') })
  // The form moves while its parts load.
  await waitForScreen(page)
  await evaluate.click()
  await outcome.getByText('No rule matches, so the default applies.').waitFor()

  await page.getByLabel(/^For/).selectOption('member')
  await searchFor(page.getByRole('searchbox', { name: 'Find a member' }), person.email)
  await page.locator('option:checked', { hasText: person.email }).waitFor({ state: 'attached' })
  await evaluate.click()
  await outcome.getByText('Rule 1 matches.').waitFor()
  await outcome.getByText('dark').waitFor()
  t.deepEqual(await checkScreen(page, 'features-member'), [])
  await page.getByRole('searchbox', { name: 'Find a member' }).fill('nobody')
  await page.getByText('No member matches.').waitFor()
  await page.getByRole('button', { name: 'Evaluate', disabled: true }).waitFor()
})

test.serial('evaluates a flag only for the person whom it shows, however slow searches and answers are', async t => {
  const { ada, kernel, open } = await startOwnConsole(t, { features: {} })
  await ada.post('/v1/auth/claim', { code: await knownClaimCode(kernel) })
  const { operator } = kernel.kernel.ports
  const asOperator = kernel.as(ada.token, operator.tenantId)
  expectStatus(201, await asOperator.post('/v1/features', { key: 'theme', default: 'light', scope: 'product' }))
  await kernel.register('bob@example.test', { name: 'Bob', workspaceName: 'Silicon' })
  const page = await open({ email: ada.email, tenantId: operator.tenantId }, '/features/flags/theme?tab=evaluation')
  const evaluate = page.getByRole('button', { name: 'Evaluate' })
  const enabled = page.getByRole('button', { name: 'Evaluate', disabled: false })
  const disabled = page.getByRole('button', { name: 'Evaluate', disabled: true })
  const find = page.getByRole('searchbox', { name: 'Find a workspace' })
  const chosen = (text: string) => page.locator('option:checked', { hasText: text }).waitFor({ state: 'attached' })
  await page.getByLabel(/^For/).selectOption('a member of any workspace')
  await searchFor(find, 'Silicon')
  await chosen('bob@example.test')
  await enabled.waitFor()

  // A search without an answer yet.
  const searches = await holdRequests(page, url => url.searchParams.get('q') === 'Engines')
  const before = await evaluate.boundingBox()
  await find.fill('Engines')
  await searches.sent()
  await disabled.waitFor()
  t.deepEqual(await evaluate.boundingBox(), before)
  for (const shown of ['Silicon · ', 'bob@example.test']) await chosen(shown)
  searches.release()
  await chosen(ada.email)

  // An answer about somebody who is shown no more.
  const answers = await holdRequests(page, url => url.pathname.endsWith('/explain'))
  await evaluate.click()
  await answers.sent()
  await searchFor(find, 'Silicon')
  await chosen('bob@example.test')
  const late = page.waitForResponse(/\/explain$/)
  answers.release()
  await late
  await enabled.waitFor()
  t.is(await page.getByText('so the default applies').count(), 0)
  await evaluate.click()
  await page.getByText('No rule matches, so the default applies.').waitFor()
})

test.serial('overrides a flag for the workspace, shows dependent flags, and turns it off', async t => {
  const { ada, page, url } = await openFlags(t)
  await ada.post('/v1/features', { key: 'new-toolbar', default: false, requires: ['new-editor'] })
  await page.goto(`${url}/console/features/flags/new-editor?tab=usage`)
  await page.getByRole('link', { name: 'new-toolbar' }).waitFor()
  await page.getByLabel('Value').selectOption('true')
  await page.getByRole('button', { name: 'Set override' }).click()
  await page.getByText('The override was set.').waitFor()
  t.like((await ada.get<object>('/v1/features/new-editor')).body, { override: true })
  await page.getByRole('button', { name: 'Remove override' }).click()
  await page.getByText('This workspace has no override.').waitFor()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('Also affects: new-toolbar.').waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('new-editor is off.').waitFor()
  t.like((await ada.get<object>('/v1/features/new-editor')).body, { enabled: false, override: null })
})

test.serial('shows what a change of a flag changed, and restores what it contained before', async t => {
  const { ada, page, url } = await openFlags(t)
  await ada.patch('/v1/features/theme', { default: 'dark' })
  await page.goto(`${url}/console/features/flags/theme?tab=history`)
  await page.getByText('Revision 2', { exact: true }).waitFor()
  await page.locator('.diff-line').nth(1).waitFor()
  t.deepEqual(await page.locator('.diff-line').allTextContents(), ['removed: light', 'added: dark'])
  await page.getByRole('button', { name: 'Restore revision 1' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restore revision 1' }).click()
  await page.getByText('Revision 1 was restored.').waitFor()
  await page.getByText('Revision 3', { exact: true }).waitFor()
  t.like((await ada.get<object>('/v1/features/theme')).body, { default: 'light' })
})

test.serial('asks for a key, a name and a value of a new flag, and for the rest under More', async t => {
  const { ada, page } = await openFlags(t)
  await page.getByRole('link', { name: 'New feature flag' }).click()
  await page.getByLabel('Key', { exact: true }).fill('banner')
  await page.getByLabel('Name', { exact: true }).fill('Banner')
  t.true(await page.getByLabel('Description').isHidden())
  await page.getByRole('switch', { name: 'Default value' }).waitFor()
  await page.getByLabel('Default value: Kind').selectOption({ label: 'Text' })
  await page.getByRole('textbox', { name: 'Default value' }).fill('Hello "you"')
  await page.getByText('More', { exact: true }).click()
  await page.getByLabel('Description').fill('On top of each page')
  t.deepEqual(await checkScreen(page, 'flag-new'), [])
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { name: 'banner' }).waitFor()
  const { body } = await ada.get<object>('/v1/features/banner')
  t.like(body, { name: 'Banner', default: 'Hello "you"', description: 'On top of each page' })
})
