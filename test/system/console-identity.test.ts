/** Screens of the console for users, and its links to the pages of the workspace. */
import test from 'ava'
import type { Person } from '../../testing/index.ts'
import { colleague, newEmail, resetTokens, role } from '../modules/identity/fixtures.ts'
import {
  checkScreen,
  navigationOf,
  openFromNavigation,
  searchFor,
  shareConsole,
  waitForScreen,
} from './console-fixtures.ts'

const start = shareConsole(test)

test.serial('an operator finds a person, sends a reset link, and ends their logins', async t => {
  const { admin, kernel, open } = await start(t)
  const eve = await kernel.register(newEmail('eve'), { name: 'Eve Moneypenny', workspaceName: 'Field office' })
  await eve.post('/v1/identity/api-keys', { name: 'Deploy', permissions: ['identity.member.read'] })
  const page = await open(admin, '/identity/people')
  await searchFor(page.getByRole('searchbox').first(), 'Moneyp')
  await page.getByRole('link', { name: 'Eve Moneypenny' }).click()
  await page.getByText('Field office').first().waitFor()
  await page.getByText('Deploy', { exact: true }).waitFor()
  await page.getByRole('region', { name: 'Ways to sign in' }).getByText('Password').waitFor()
  await page.getByText('Eve Moneypenny created the API key Deploy').waitFor()
  const found = await checkScreen(page, 'person')
  await page.getByRole('button', { name: 'Actions: Eve Moneypenny' }).click()
  await page.getByRole('menuitem', { name: 'Send password reset' }).click()
  await page.getByText(`A reset link was sent to ${eve.email}.`).waitFor()
  t.is((await resetTokens(kernel, eve.email)).length, 1)
  await page.getByRole('button', { name: 'Actions: Eve Moneypenny' }).click()
  await page.getByRole('menuitem', { name: 'End all logins' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End all logins' }).click()
  await page.getByText('Not signed in anywhere').waitFor()
  t.is((await eve.get('/v1/me')).status, 401)
  t.deepEqual(found, [])
})

const LINKS = ['Members', 'Invitations', 'Roles', 'API keys', 'Audit log of the workspace', 'Your sign-ins', 'People']

test.serial('leads to the pages of the workspace that the role may open', async t => {
  const { ada, admin, kernel, url, open } = await start(t)
  const roles = {
    'team.support': ['identity.member.read', 'identity.role.read', 'identity.audit.read'],
    'team.release_manager': ['identity.api_key.read', 'identity.invitation.read'],
  }
  for (const [key, permissions] of Object.entries(roles)) await role(ada, key, permissions)
  const expected: Readonly<Record<string, readonly string[]>> = {
    owner: LINKS.slice(0, -1),
    'tenant.member': ['Your sign-ins'],
    'team.support': ['Members', 'Roles', 'Audit log of the workspace', 'Your sign-ins'],
    'team.release_manager': ['Invitations', 'API keys', 'Your sign-ins'],
    'platform admin': LINKS,
  }
  const personOf = async (name: string): Promise<Person> => {
    if (name === 'owner') return ada
    if (name === 'platform admin') return admin
    return { ...(await colleague(kernel, ada, [name])).person, tenantId: ada.tenantId }
  }
  for (const [name, links] of Object.entries(expected)) {
    const page = await open(await personOf(name), '')
    await waitForScreen(page)
    const shown = await navigationOf(page).locator('a').allTextContents()
    t.deepEqual(
      LINKS.filter(title => shown.includes(title)),
      links,
      name,
    )
    await page.context().close()
  }
  const anonymous = await fetch(`${url}/console/identity/people`, {
    redirect: 'manual',
    headers: { accept: 'text/html' },
  })
  t.is(anonymous.status, 303)
})

test.serial('a link to a page keeps the workspace of the console', async t => {
  const { ada, open } = await start(t)
  await ada.post('/v1/identity/tenants', { name: 'Second workspace' })
  const page = await open(ada, '')
  await page.getByRole('button', { name: /^Workspace: / }).waitFor()
  // Another tab, which the site follows.
  const other = await page.context().newPage()
  const { body } = await ada.get('/v1/identity/tenants')
  const second = body.data.find(({ name }) => name === 'Second workspace')?.slug ?? ''
  await other.goto(`${new URL(page.url()).origin}/console/${second}`)
  await openFromNavigation(page, 'Invitations')
  await page.getByRole('heading', { name: 'Invitations', level: 1 }).waitFor()
  t.not(await page.locator('.switcher-name').first().textContent(), 'Second workspace')
})
