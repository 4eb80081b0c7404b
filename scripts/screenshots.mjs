// `npm run screenshots -- FOLDER [THEME] [VARIANT…]`: starts recipes/full.yaml with sample data, follows the links of the
// pages and of the console, and saves each screen in English and German, light and dark, at 1280 and 390 px. Variants
// such as `de-dark-390` select some of these.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { startProduct } from './product.mjs'
import { seedStates, statesOf } from './screenshot-states.mjs'

const [folder, theme = 'default', ...variants] = process.argv.slice(2)
if (!folder) {
  console.error('Usage: npm run screenshots -- FOLDER [THEME] [VARIANT…]')
  process.exit(2)
}
const OUTPUT = resolve(folder)
const RECIPE = `theme: { use: ${theme} }
locales: { default: en, available: [en, de] }
modules:
  collections: {}
  identity: { impersonation: true }
collections:
  notes:
    fields:
      title: { type: text, required: true, label: { en: Title, de: Titel } }
      body: { type: markdown }
      state:
        type: enum
        values: [draft, ordered, delivered]
        label: { en: State, de: Stand }
        labels:
          draft: { en: Draft, de: Entwurf }
          ordered: { en: Ordered, de: Bestellt }
          delivered: { en: Delivered, de: Geliefert }
      price: { type: money, currency: EUR, label: { en: Price, de: Preis } }
      due: { type: date, label: { en: Due, de: Fällig } }
      urgent: { type: boolean, label: { en: Urgent, de: Dringend } }
profile:
  user:
    fields:
      phone: { type: text, maxLength: 30, label: { en: Phone, de: Telefon } }
      born: { type: date, label: { en: Date of birth, de: Geburtsdatum } }
  member:
    fields:
      position: { type: text, label: { en: Position, de: Funktion } }
`
const SIZES = [
  { width: 1280, height: 860 },
  { width: 390, height: 844 },
]
/** Screens whose addresses differ only in their last segment, such as records of one list. */
const MAX_SIBLINGS = 2
const PUBLIC = ['/', '/sign-in', '/sign-up', '/forgot-password', '/claim', '/problems', '/docs', '/nowhere']
const SIGNED_IN = ['/', '/account', '/workspace/settings', '/billing', '/files', '/messages', '/streams', '/console']
/** They end the login, answer with a file, or are other sites. */
const SKIPPED = /^\/(v1|sign-out|assets|openapi|asyncapi|metrics)|\.(json|csv|yaml|txt|xml)$/

const data = mkdtempSync(join(tmpdir(), 'larder-screenshots-'))
mkdirSync(OUTPUT, { recursive: true })
const product = await startProduct(data, RECIPE, { RATE_LIMITS: 'off' })
const { base } = product
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const person = await seed()
  const screens = [
    ...(await crawl(PUBLIC.map(path => ({ path, cookies: [] })))),
    ...(await crawl(SIGNED_IN.map(path => ({ path, cookies: person.cookies })))),
  ]
  const states = statesOf(await seedStates(product, person, editRecipe))
  let saved = 0
  for (const locale of ['en', 'de'])
    for (const colorScheme of ['light', 'dark'])
      for (const viewport of SIZES) {
        const variant = `${locale}-${colorScheme}-${viewport.width}`
        if (variants.length > 0 && !variants.includes(variant)) continue
        for (const [signedIn, cookies] of [
          [false, []],
          [true, person.cookies],
        ]) {
          const context = await browser.newContext({ locale, colorScheme, viewport })
          await context.addCookies(cookies)
          const page = await context.newPage()
          for (const { path } of screens.filter(screen => screen.cookies.length > 0 === signedIn)) {
            await show(page, path)
            const name = path.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'home'
            await page.screenshot({ path: join(OUTPUT, `${signedIn ? '' : 'public-'}${name}-${variant}.png`) })
            saved++
          }
          if (signedIn)
            for (const state of states) {
              for (const step of [state, ...(state.next ?? [])]) {
                if (step.path) await show(page, step.path)
                await attempt(`${step.name}, ${variant}`, () => step.prepare?.(page))
                await settle(page)
                await page.screenshot({ path: join(OUTPUT, `state-${step.name}-${variant}.png`) })
                saved++
              }
              await attempt(`the end of ${state.name}, ${variant}`, () => state.end?.(page))
            }
          await context.close()
        }
      }
  console.log(`${screens.length} screens, ${states.length} states, ${saved} screenshots in ${OUTPUT}`)
} finally {
  await browser.close()
  await product.stop()
  rmSync(data, { recursive: true, force: true })
}

/** The other screenshots are taken, too, and the script fails at its end. */
async function attempt(what, run) {
  try {
    await run()
  } catch (error) {
    console.error(`${what}: ${error.message}`)
    process.exitCode = 1
  }
}

async function seed() {
  const { token, cookies } = await product.claim()
  const authorization = `Bearer ${token}`
  const headers = { authorization, 'x-tenant-id': 'operator' }
  const api = (method, path, body) => product.call(method, path, body, headers)
  const asCustomer = (method, path, body) => product.call(method, path, body, { authorization })
  for (const email of ['ben@example.test', 'carla@example.test'])
    await api('POST', '/v1/identity/members/invite', { email, roles: ['tenant.member'] })
  await api('POST', '/v1/content/pages', { slug: 'about', title: 'About us', body: '# About us\n\nWe bake **bread**.' })
  await api('POST', '/v1/content/redirects', { from: '/us', to: '/about' })
  await api('POST', '/v1/features', { key: 'checkout', name: 'New checkout', default: false })
  await api('POST', '/v1/forms/contact/submit', { data: { email: 'dan@example.test', message: 'Do you deliver?' } })
  await api('POST', '/v1/webhooks/endpoints', { url: 'https://example.test/hook', events: ['identity.*'] })
  await api('POST', '/v1/communications/suppression', { email: 'gone@example.test' })
  const talk = await api('POST', '/v1/messaging/conversations', { subject: 'Delivery', participantIds: [] })
  await api('POST', `/v1/messaging/conversations/${talk.body?.id}/messages`, { body: 'Do you deliver on Sunday?' })
  const asked = await asCustomer('POST', '/v1/messaging/conversations', {
    kind: 'support',
    subject: 'Invoice of May',
    participantIds: [],
  })
  await asCustomer('POST', `/v1/messaging/conversations/${asked.body?.id}/messages`, { body: 'I was charged twice.' })
  await api('POST', `/v1/messaging/inbox/${asked.body?.id}/messages`, { body: 'Let me check.' })
  await api('POST', '/v1/messaging/saved-replies', { title: 'Refund', body: 'Hello {name}', shortcut: 'refund' })
  await api('POST', '/v1/sessions', { mode: 'screenshare' })
  await api('POST', '/v1/streams', { title: 'Baking at six', visibility: 'public' })
  await api('POST', '/v1/data/notes', [
    { title: 'Flour', body: 'Order **20 kg**.', state: 'ordered', price: 1890, due: '2027-01-08', urgent: true },
    { title: 'Raisins without sulfur from the new supplier', state: 'draft', price: 450 },
    { title: 'Yeast', state: 'delivered', price: 90, due: '2026-12-01', urgent: false },
  ])
  return {
    api,
    headers,
    cookies: cookies.map(pair => {
      const at = pair.indexOf('=')
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url: base }
    }),
  }
}

/** Follows links from the given screens; returns one screen per kind of address. */
async function crawl(first) {
  const context = await browser.newContext({ locale: 'en', viewport: SIZES[0] })
  await context.addCookies(first[0].cookies)
  const page = await context.newPage()
  const queue = [...first]
  const found = []
  const siblings = new Map()
  const seen = new Set(first.map(({ path }) => path))
  for (let screen = queue.shift(); screen; screen = queue.shift()) {
    found.push(screen)
    await show(page, screen.path)
    if (screen.path === '/docs' || screen.path === '/problems') continue
    const links = await page.$$eval('a[href]', all => all.map(link => link.href))
    for (const link of links) {
      const { origin, pathname: path } = new URL(link)
      if (origin !== base || SKIPPED.test(path) || seen.has(path)) continue
      seen.add(path)
      const parent = path.slice(0, path.lastIndexOf('/'))
      const count = siblings.get(parent) ?? 0
      // The lists of an area of the console are all different: /console/acme/content/pages.
      const isScreen = path.split('/').length <= (path.startsWith('/console/') ? 5 : 4) || path.endsWith('/new')
      if (!isScreen && count >= MAX_SIBLINGS) continue
      siblings.set(parent, count + 1)
      queue.push({ ...screen, path })
    }
  }
  await context.close()
  return found
}

/** @param change the text of the recipe → its new text */
function editRecipe(change) {
  const file = join(data, 'recipe.yaml')
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}

async function show(page, path) {
  await page.goto(base + path)
  await settle(page)
}

async function settle(page) {
  await page.waitForLoadState('networkidle', { timeout: 1000 }).catch(() => undefined)
  const loading = page.locator('.spinner, nav[aria-busy=true]')
  await loading
    .first()
    .waitFor({ state: 'detached', timeout: 5000 })
    .catch(() => undefined)
}
