/** Screens of the console for members, invitations, API keys, logins, the audit log and users. */
import test from 'ava'
import type { Person } from '../../testing/index.ts'
import { waitFor } from '../fixtures/wait.ts'
import { colleague, newEmail, resetTokens, role } from '../modules/identity/fixtures.ts'
import { checkScreen, startConsole, waitForScreen } from './console-fixtures.ts'

test.serial('an owner invites several people, finds a member, changes their roles and removes them', async t => {
  const { ada, kernel, open } = await startConsole(t)
  const { person } = await colleague(kernel, ada, ['tenant.member'])
  await role(ada, 'team.support', ['identity.member.read'])
  const page = await open(ada, '/identity/members')
  await page.getByText(person.email).waitFor()
  const found = await checkScreen(page, 'members')
  await page.getByRole('link', { name: 'Invite members' }).click()
  await page.getByLabel('Email addresses').fill(`first@example.test, second@example.test\n${ada.email}`)
  await page.getByRole('checkbox', { name: /^Member/ }).check()
  await page.getByRole('button', { name: 'Send 3 invitations' }).click()
  await page.getByText('first@example.test was invited.').waitFor()
  await page.locator('.invite-results .error', { hasText: ada.email }).waitFor()
  await waitFor(async () => (await page.getByLabel('Email addresses').inputValue()) === ada.email)
  found.push(...(await checkScreen(page, 'invite')))

  await page.getByRole('link', { name: 'Invitations' }).last().click()
  await page.getByRole('button', { name: 'Actions: first@example.test' }).click()
  await page.getByRole('menuitem', { name: 'Send again' }).click()
  await page.getByText('The invitation was sent again.').waitFor()
  await page.getByRole('button', { name: 'Actions: first@example.test' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('The invitation was revoked.').waitFor()
  found.push(...(await checkScreen(page, 'invitations')))
  await page.getByLabel('Status').selectOption({ label: 'Revoked' })
  await page.getByText('second@example.test').waitFor({ state: 'detached' })

  await page.getByRole('navigation').getByRole('link', { name: 'Members', exact: true }).click()
  await page.getByLabel('Search members').fill(person.email.slice(0, -5))
  await page.waitForURL(/q=/)
  await waitForScreen(page)
  const row = page.getByRole('row', { name: person.email })
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Change roles' }).click()
  await page
    .getByRole('dialog')
    .getByRole('checkbox', { name: /^team.support/ })
    .check()
  await page.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('The roles were changed.').waitFor()
  await row.getByText('team.support', { exact: true }).waitFor()
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('The member was removed.').waitFor()
  t.deepEqual(found, [])
})

test.serial('an owner creates an API key by keyboard, sees its secret once, and revokes it', async t => {
  const { ada, url, open } = await startConsole(t)
  const page = await open(ada, '/identity/api-keys')
  await page.getByRole('link', { name: 'New API key' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Name' }).focus()
  await page.keyboard.type('Deploy <b>x</b>')
  await page.getByLabel('Expires').focus()
  await page.keyboard.type('In 30')
  await page.getByLabel('Filter permissions').focus()
  await page.keyboard.type('view members')
  await page.getByRole('checkbox', { name: /View members/ }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('checkbox', { name: /View members/, checked: true }).waitFor()
  const found = await checkScreen(page, 'api-key')
  await page.getByRole('button', { name: /^Create/ }).focus()
  await page.keyboard.press('Enter')
  const secret = (await page.locator('.key-secret').textContent()) ?? ''
  found.push(...(await checkScreen(page, 'api-key-secret')))
  const call = async (path: string) =>
    (await fetch(url + path, { headers: { authorization: `Bearer ${secret}` } })).status
  t.is(await call('/v1/identity/members'), 200)
  t.is(await call('/v1/identity/roles'), 403)

  await page.getByRole('link', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'Deploy <b>x</b>' }).waitFor()
  found.push(...(await checkScreen(page, 'api-keys')))
  await page.getByRole('link', { name: 'Deploy <b>x</b>' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Deploy')
  await page.getByRole('checkbox', { name: /View members/, checked: true }).waitFor()
  await page.getByRole('button', { name: 'Save changes' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Deploy', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Revoke: Deploy' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('The API key was revoked.').waitFor()
  t.is(await call('/v1/identity/members'), 401)
  t.deepEqual(found, [])
})

test.serial('an owner reads the audit log in sentences, filters it, and ends another login', async t => {
  const { ada, kernel, open } = await startConsole(t)
  await ada.post('/v1/identity/members/invite', { email: 'eve@example.test', sendEmail: false })
  await colleague(kernel, ada, ['tenant.member'])
  const page = await open(ada, '/identity/audit')
  await page.getByText(/ invited eve@example\.test$/).waitFor()
  const found = await checkScreen(page, 'audit')
  await page.getByLabel('Action').selectOption('member.joined')
  await page.getByText(/ invited eve@example\.test$/).waitFor({ state: 'detached' })
  await page.locator('.audit-entries', { hasText: 'joined the workspace' }).waitFor()
  await page.getByLabel('From').pressSequentially('01012100')
  await page.getByRole('heading', { name: 'No entries' }).waitFor()
  t.regex(page.url(), /since/)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText(/ invited eve@example\.test$/).waitFor()

  await page.getByRole('link', { name: 'Your sign-ins' }).click()
  await page.getByText('This browser').waitFor()
  found.push(...(await checkScreen(page, 'logins')))
  await page
    .getByRole('button', { name: /^End login/ })
    .first()
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End login' }).click()
  await page.getByText('The login was ended.').waitFor()
  t.is((await ada.get('/v1/me')).status, 401)
  t.deepEqual(found, [])
})

test.serial('an operator finds a person, sends a reset link, and ends their logins', async t => {
  const { admin, kernel, open } = await startConsole(t)
  const eve = await kernel.register(newEmail('eve'), { name: 'Eve Moneypenny', workspaceName: 'Field office' })
  await eve.post('/v1/identity/api-keys', { name: 'Deploy', permissions: ['identity.member.read'] })
  const page = await open(admin, '/identity/people')
  await page.getByLabel('Search', { exact: true }).or(page.getByRole('searchbox')).first().fill('Moneyp')
  await page.getByRole('link', { name: 'Eve Moneypenny' }).click()
  await page.getByText('Field office').first().waitFor()
  await page.getByText('Deploy', { exact: true }).waitFor()
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

const SCREENS = ['Members', 'Invitations', 'API keys', 'Your sign-ins', 'Audit log of the workspace', 'People']

test.serial('offers each role what it may do', async t => {
  const { ada, admin, kernel, url, open } = await startConsole(t)
  const roles = {
    'team.editor': ['identity.tenant.read'],
    'team.support': ['identity.member.read', 'identity.role.read', 'identity.audit.read'],
    'team.release_manager': ['identity.api_key.read', 'identity.invitation.read'],
  }
  for (const [key, permissions] of Object.entries(roles)) await role(ada, key, permissions)
  const expected: Readonly<Record<string, readonly [screens: readonly string[], mayInvite: boolean]>> = {
    owner: [SCREENS.slice(0, -1), true],
    'tenant.member': [['Your sign-ins'], false],
    'team.editor': [['Your sign-ins'], false],
    'team.support': [['Members', 'Your sign-ins', 'Audit log of the workspace'], false],
    'team.release_manager': [['Invitations', 'API keys', 'Your sign-ins'], false],
    'platform admin': [SCREENS, true],
  }
  const personOf = async (name: string): Promise<Person> => {
    if (name === 'owner') return ada
    if (name === 'platform admin') return admin
    return { ...(await colleague(kernel, ada, [name])).person, tenantId: ada.tenantId }
  }
  for (const [name, [screens, mayInvite]] of Object.entries(expected)) {
    const page = await open(await personOf(name), '/identity/members')
    await page.locator('tbody tr, .empty').first().waitFor()
    await waitForScreen(page)
    const links = await page.locator('.sidebar a').allTextContents()
    t.deepEqual(
      SCREENS.filter(title => links.includes(title)),
      screens,
      name,
    )
    t.is(await page.getByRole('link', { name: 'Invite members' }).count(), mayInvite ? 1 : 0, name)
    t.is((await page.locator('tbody .row-actions button').count()) > 0, mayInvite, name)
    await page.context().close()
  }
  const anonymous = await fetch(`${url}/console/identity/members`, {
    redirect: 'manual',
    headers: { accept: 'text/html' },
  })
  t.is(anonymous.status, 303)
})
