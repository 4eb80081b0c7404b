import test from 'ava'
import type { Page } from 'playwright-core'
import { role } from '../modules/identity/fixtures.ts'
import { openBrowser } from '../system/fixtures.ts'
import { accessibilityProblems, signIn, startSite } from '../system/site-fixtures.ts'

for (const theme of ['default', 'studio'])
  test.serial(
    `every page in the theme ${theme} passes axe-core in light and dark mode and on a small screen`,
    async t => {
      const s = await startSite(theme)
      t.teardown(() => s.kernel.stop())
      const browser = await openBrowser(t)
      const problems: string[] = []
      const visit = async (page: Page, pages: Readonly<Record<string, string>>) => {
        for (const [name, path] of Object.entries(pages)) {
          const response = await page.goto(s.url + path)
          if (name === 'forbidden') t.is(response?.status(), 403)
          problems.push(...(await accessibilityProblems(page, `${theme}-${name}`)))
        }
      }
      const person = () => browser.newContext({ locale: 'en' })
      await visit(await (await person()).newPage(), s.publicPages)
      await visit(await signIn(await person(), s.url, s.ada.email), s.userPages)
      await visit(await signIn(await person(), s.url, s.admin.email), s.operatorPages)
      t.deepEqual(problems, [])
    },
  )

for (const theme of ['default', 'studio'])
  test.serial(`workspace pages in the theme ${theme} pass axe-core`, async t => {
    const s = await startSite(theme)
    t.teardown(() => s.kernel.stop())
    await role(s.ada, 'tenant.support', ['identity.member.read'])
    const browser = await openBrowser(t)
    const page = await signIn(await browser.newContext({ locale: 'en' }), s.url, s.ada.email)
    const { body } = await s.ada.get('/v1/identity/members')
    const paths = {
      settings: 'settings',
      members: 'members',
      member: `members/${body.data[0]?.id}`,
      roles: 'roles',
      'new-role': 'roles/new',
      role: 'roles/tenant.support',
      keys: 'api-keys',
      audit: 'audit',
    }
    const problems: string[] = []
    const visit = async (name: string, path: string) => {
      await page.goto(s.url + path)
      problems.push(...(await accessibilityProblems(page, `${theme}-${name}`)))
    }
    for (const [name, path] of Object.entries(paths)) await visit(name, `/workspace/${path}`)
    await visit('invite', '/workspace/members?invite=1')
    await visit('data', '/account/data')
    await visit('claim', '/claim')
    await page.goto(`${s.url}/`)
    for (const name of ['Workspace Engines', 'Account of Ada Lovelace']) await page.getByLabel(name).click()
    problems.push(...(await accessibilityProblems(page, `${theme}-menus`)))
    await page.context().addCookies([{ name: 'platform_locale', value: 'de', url: s.url }])
    for (const [name, path] of Object.entries(paths)) await visit(`de-${name}`, `/workspace/${path}`)
    await visit('de-invite', '/workspace/members?invite=1')
    t.is(await page.locator('html').getAttribute('lang'), 'de')
    t.deepEqual(problems, [])
  })
