// Screens of the console whose interesting state needs more than an address: dialogs, results of testers, edited text.
import { Secret, TOTP } from 'otpauth'
import sharp from 'sharp'

const HARBOR = { width: 1200, height: 800, channels: 3, background: { r: 60, g: 120, b: 160 } }
const FILTERS = {
  'filter[urgent]': 'true',
  'or[0][state]': 'draft',
  'or[0][price][lte]': '500',
  'or[1][due][lt]': '2027-01-01',
}
const PASSWORD = 'correct horse battery staple'
const REASON = 'Ticket 4711: the import of the customer list fails since Monday'

/** Creates what the states show, and returns its IDs. `api` calls the API as the operator. */
export async function seedStates({ call, upload }, { api, headers }, editRecipe) {
  const eve = await call('POST', '/v1/auth/register', {
    email: 'eve.moneypenny@example.test',
    password: PASSWORD,
    name: 'Eve Moneypenny',
    workspaceName: 'Field office',
    locale: 'en',
    profile: { phone: '030 1234', born: '1990-02-03' },
  })
  const eveHeaders = { authorization: `Bearer ${eve.body.token}` }
  const enrollment = await call('POST', '/v1/auth/me/second-factor/enrollment', undefined, eveHeaders)
  const totp = new TOTP({ secret: Secret.fromBase32(enrollment.body.secret) })
  await call(
    'PUT',
    '/v1/auth/me/second-factor',
    { enrollment: enrollment.body.enrollment, code: totp.generate() },
    eveHeaders,
  )
  for (const [name, shared] of [
    ['Urgent and cheap', true],
    ['Drafts', false],
  ])
    await api('POST', '/v1/console/views', {
      list: 'collections.notes',
      name,
      shared,
      state: { filters: { 'filter[state]': 'draft' } },
    })
  const { body: flag } = await api('POST', '/v1/features', {
    key: 'new-invoices',
    name: 'New invoices',
    default: false,
    description: 'Invoices with the new layout',
  })
  const files = []
  for (const name of ['harbor-at-dawn.png', 'a-very-long-name-of-a-photo-taken-on-the-old-pier-in-june.png']) {
    const form = new FormData()
    const data = await sharp({ create: HARBOR }).png().toBuffer()
    form.append('file', new Blob([data], { type: 'image/png' }), name)
    files.push(await upload(form, headers))
  }
  const [image] = files
  await api('POST', `/v1/media/${image}/publish`)
  const body = `# The harbor\n\n![Boats at dawn](/media/${image}/preview)\n`
  await api('POST', '/v1/content/pages', { slug: 'harbor', title: 'The old harbor and its boats', body })
  await api('POST', '/v1/content/redirects', { from: '/old/prices', to: '/plans' })
  await api('POST', '/v1/billing/credits', {
    key: 'ai.credits',
    amount: 100,
    reason: 'Goodwill after the outage in May',
  })
  await api('POST', '/v1/billing/credits', { key: 'ai.credits', amount: -20, kind: 'adjust', reason: 'Booked twice' })
  editRecipe(recipe => recipe.replace('name: Acme', 'name: Acme Bakery'))
  return {
    userId: eve.body.user.id,
    tenantId: eve.body.workspace.id,
    flagId: flag.key,
    mediaId: image,
    code: () => totp.generate(),
  }
}

/** Clicks what has this text in English or German. */
const press = (page, role, name) => page.getByRole(role, { name }).first().click()

/** Sends a request with the login of the page. Throws for a status of 400 or above. */
const post = (page, path, body) =>
  page.evaluate(
    async ([path, body]) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(path, { method: 'POST', headers, body })
      if (!response.ok) throw new Error(`POST ${path} ${response.status} ${await response.text()}`)
    },
    [path, JSON.stringify(body)],
  )

/** Acting as a person needs a proof that is younger than the screenshots of a few variants take. */
const prove = page => post(page, '/v1/auth/reauthenticate', { password: PASSWORD })

/** `prepare` leads from the loaded address to the state. The states in `next` follow it. */
export const statesOf = ({ userId, tenantId, flagId, mediaId, code }) => [
  {
    name: 'image-picker',
    path: '/console/content/pages/new',
    async prepare(page) {
      await press(page, 'button', /^(Image|Bild)$/)
      await page.locator('.picker-grid label').last().click()
      await page.locator('[role=dialog] .field input').fill('Boats at dawn')
    },
  },
  { name: 'media-usage', path: `/console/media/items/${mediaId}` },
  {
    name: 'recipe-diff',
    path: '/console/platform/recipe',
    prepare: page => page.getByRole('heading', { level: 2 }).first().waitFor(),
  },
  { name: 'settings', path: '/console/platform/settings' },
  { name: 'dependencies', path: '/console/platform/dependencies' },
  {
    name: 'dependencies-module',
    path: '/console/platform/dependencies',
    prepare: page => page.locator('.toolbar select').nth(1).selectOption('comms'),
  },
  {
    name: 'flag-of-member',
    path: `/console/features/flags/${flagId}?tab=evaluation`,
    async prepare(page) {
      await page.locator('[role=tabpanel] select').first().selectOption('member')
      await press(page, 'button', /^(Evaluate|Auswerten)$/)
      await page.locator('.outcome').waitFor()
    },
  },
  {
    name: 'redirect-tester',
    path: '/console/content/redirects',
    async prepare(page) {
      await page.locator('.tester input').fill('/old/prices')
      await page.locator('.tester button').click()
      await page.locator('.tester-result').waitFor()
    },
  },
  {
    name: 'signature-tester',
    path: '/console/webhooks/signature',
    async prepare(page) {
      const fields = page.locator('form input, form textarea')
      for (const [at, text] of ['whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=', 'msg_1', '1790000000', 'v1,bm8=', '{}'].entries())
        await fields.nth(at).fill(text)
      await page.locator('form button[type=submit]').click()
      await page.locator('.notice').first().waitFor()
    },
  },
  {
    name: 'template-editor',
    path: '/console/comms/templates/identity.invitation',
    prepare: page => page.locator('iframe').first().waitFor(),
  },
  { name: 'credits', path: '/console/billing/credits' },
  {
    name: 'credit-grant',
    path: '/console/billing/credits',
    prepare: page => press(page, 'button', /^(Grant credits|Guthaben)/),
  },
  { name: 'credit-ledger', path: '/console/billing/transactions' },
  {
    name: 'impersonation',
    path: `/console/identity/people/${userId}`,
    async prepare(page) {
      await prove(page)
      await press(page, 'button', /: Eve Moneypenny$/)
      await page.getByRole('menuitem').first().click()
      await page.locator('[role=dialog] textarea').fill(REASON)
    },
    next: [
      {
        name: 'impersonation-page',
        async prepare(page) {
          await page.locator('[role=dialog] button[type=submit]').click()
          await page.waitForURL(url => url.pathname === '/')
        },
      },
      {
        name: 'impersonation-console',
        path: '/console',
        prepare: page => page.getByRole('region', { name: /^Support[ -](access|Zugriff)$/ }).waitFor(),
      },
    ],
    // The operator's own login returns.
    end: page => post(page, '/v1/auth/impersonation/end'),
  },
  {
    name: 'filters',
    path: `/console/collections/notes?filters=${encodeURIComponent(JSON.stringify(FILTERS))}`,
    prepare: page =>
      page
        .getByRole('group', { name: /^Alternative/ })
        .first()
        .waitFor(),
  },
  {
    name: 'views',
    path: '/console/collections/notes',
    async prepare(page) {
      await press(page, 'button', /^(Views|Ansichten)$/)
      await page.getByRole('menuitem', { name: 'Drafts' }).waitFor()
    },
    next: [
      { name: 'views-manage', prepare: page => press(page, 'menuitem', /^(Manage|.*verwalten)/) },
      {
        name: 'views-save',
        path: '/console/collections/notes',
        async prepare(page) {
          await press(page, 'button', /^(Views|Ansichten)$/)
          await press(page, 'menuitem', /^(Save|.*speichern)/)
        },
      },
    ],
  },
  {
    name: 'bulk',
    path: '/console/collections/notes',
    async prepare(page) {
      const boxes = page.locator('tbody input[type=checkbox]')
      await boxes.first().check()
      await boxes.nth(1).check()
    },
  },
  { name: 'new-row', path: '/console/collections/notes/new' },
  { name: 'person', path: `/console/identity/people/${userId}` },
  {
    name: 'person-profile',
    path: `/console/identity/people/${userId}`,
    async prepare(page) {
      await page
        .getByRole('region', { name: /^(Details|Angaben)$/ })
        .getByRole('button')
        .click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'workspace', path: `/console/identity/workspaces/${tenantId}` },
  {
    name: 'workspace-actions',
    path: `/console/identity/workspaces/${tenantId}`,
    prepare: page => press(page, 'button', /: Field office$/),
    next: [
      {
        name: 'workspace-deletion',
        async prepare(page) {
          await press(page, 'menuitem', /^(Delete workspace|Workspace löschen)$/)
          await page.locator('[role=dialog] textarea').fill(REASON)
        },
      },
    ],
  },
  {
    name: 'workspace-menu',
    path: '/console',
    prepare: page => page.locator('header button[aria-haspopup]').last().click(),
  },
  {
    name: 'redirect-edit',
    path: '/console/content/redirects',
    async prepare(page) {
      await press(page, 'link', '/old/prices')
      await press(page, 'link', /^(Edit|Bearbeiten)$/)
      await page.locator('form input').first().waitFor()
    },
  },
  { name: 'sso-saml', path: '/workspace/sso?protocol=saml' },
  { name: 'sso-oidc', path: '/workspace/sso?protocol=oidc' },
  {
    name: 'second-factor',
    path: '/account',
    async prepare(page) {
      await page.context().clearCookies()
      await page.goto(new URL('/sign-in', page.url()).href)
      await page.locator('input[name=email]').first().fill('eve.moneypenny@example.test')
      await page.locator('input[name=password]').fill(PASSWORD)
      await page.keyboard.press('Enter')
      await page.locator('input[name=trust]').waitFor()
    },
    next: [
      {
        name: 'trusted-devices',
        async prepare(page) {
          await page.locator('input[name=trust]').check()
          await page.locator('input[name=code]').fill(code())
          await page.keyboard.press('Enter')
          await page.waitForURL(url => !url.pathname.startsWith('/sign-in'))
          await page.goto(new URL('/account/second-factor', page.url()).href)
        },
      },
      {
        name: 'second-factor-setup',
        prepare: page => press(page, 'button', /^(Use another app or device|.*anderes? (App|Gerät).*)$/),
      },
    ],
  },
]
