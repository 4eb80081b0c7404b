/** What each role sees in the console. */
import test from 'ava'
import type { Person } from '../../testing/index.ts'
import { colleague, role } from '../modules/identity/fixtures.ts'
import { navigationOf, openFromNavigation, shareConsole, waitForScreen } from './console-fixtures.ts'

const start = shareConsole(test)

const TAILORED = ['Find an email', 'Emails', 'Email templates', 'Deliveries', 'Signature tester', 'Roles']
/** The recipe has no module with these screens, so no role sees them. */
const ABSENT = ['Support inbox']
const PLATFORM = ['Status', 'Dependencies', 'Recipe', 'Log', 'Settings', 'Events', 'Failed events', 'Modules']

test.serial('shows each role the screens that it may read', async t => {
  const { ada, admin, kernel, url, open } = await start(t)
  const roles = {
    'team.editor': ['communications.template.read', 'communications.template.update'],
    'team.support': ['communications.message.read', 'communications.suppression.read'],
    'team.release_manager': ['webhooks.delivery.read', 'platform.event.read', 'platform.dead_letter.read'],
  }
  for (const [key, permissions] of Object.entries(roles)) await role(ada, key, permissions)
  const expected: Readonly<Record<string, readonly string[]>> = {
    owner: [...TAILORED, 'Dependencies', 'Events', 'Failed events', 'Modules'],
    'tenant.member': [],
    'team.editor': ['Email templates'],
    'team.support': ['Find an email', 'Emails'],
    'team.release_manager': ['Deliveries', 'Signature tester', 'Events', 'Failed events'],
    'platform admin': [...TAILORED, ...PLATFORM],
  }
  const personOf = async (name: string): Promise<Person> => {
    if (name === 'owner') return ada
    if (name === 'platform admin') return admin
    return { ...(await colleague(kernel, ada, [name])).person, tenantId: ada.tenantId }
  }
  for (const [name, screens] of Object.entries(expected)) {
    const page = await open(await personOf(name), '')
    await waitForScreen(page)
    const links = await navigationOf(page).locator('a').allTextContents()
    t.deepEqual(
      [...TAILORED, ...PLATFORM, ...ABSENT].filter(title => links.includes(title)),
      [...TAILORED, ...PLATFORM].filter(title => screens.includes(title)),
      name,
    )
    await page.context().close()
  }
  const anonymous = await fetch(`${url}/console`, { redirect: 'manual', headers: { accept: 'text/html' } })
  t.is(anonymous.status, 303)
})

test.serial('offers no action that the role does not include', async t => {
  const { ada, kernel, open } = await start(t)
  await ada.post('/v1/communications/messages', { templateKey: 'comms.test', to: 'reader@example.test' })
  const endpoint = { url: 'http://127.0.0.1:9/hook', events: ['identity.*'] }
  const { body } = await ada.post('/v1/webhooks/endpoints', endpoint)
  await ada.post(`/v1/webhooks/endpoints/${body.id}/test`)
  await role(ada, 'team.reader', [
    'communications.message.read',
    'communications.template.read',
    'webhooks.delivery.read',
  ])
  const { person } = await colleague(kernel, ada, ['team.reader'])
  const page = await open({ ...person, tenantId: ada.tenantId }, '/comms/messages')
  await page.locator('tbody a').first().click()
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await waitForScreen(page)
  t.is(await page.locator('.mail-frame').count(), 0)
  await openFromNavigation(page, 'Email templates')
  await page.locator('tbody').getByRole('link', { name: 'Test', exact: true }).click()
  await page.getByLabel('Subject').waitFor()
  await waitForScreen(page)
  t.false(await page.getByLabel('Subject').isEditable())
  t.is(await page.getByRole('button', { name: /^(Save|Send a test email|Restore the original)$/ }).count(), 0)
  await openFromNavigation(page, 'Deliveries')
  await page.locator('tbody a').first().click()
  await page.getByRole('heading', { name: 'Attempts' }).waitFor()
  await waitForScreen(page)
  t.is(await page.getByRole('button', { name: 'Send again' }).count(), 0)
})
