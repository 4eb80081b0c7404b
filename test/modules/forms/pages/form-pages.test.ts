import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import type { Client, Person } from '../../../../testing/index.ts'
import { codeOf, problem } from '../../../fixtures/people.ts'
import { type Fixtures, type Form, newForm, startFixtures, submissionsOf } from '../fixtures.ts'

let s: Fixtures
let ada: Person
/** The theme of the product, with a language of its own. */
let theme: string
test.before(async () => {
  theme = await mkdtemp(join(tmpdir(), 'larder-french-'))
  await mkdir(join(theme, 'locales'))
  await writeFile(join(theme, 'theme.yaml'), 'name: Look\nextends: default\n')
  await writeFile(join(theme, 'locales/fr.yaml'), "'Yes': Oui\n'No': Non\nError: Erreur\n")
  s = await startFixtures({
    theme: { use: theme },
    locales: { default: 'en', available: ['en', 'de', 'fr'] },
    modules: { forms: { spam: { minFill: '0s' } } },
    forms: { contact: { name: 'Write to us', access: 'public', schema: { properties: { note: { type: 'string' } } } } },
  })
  ada = await s.person()
})
test.after.always(async () => {
  await s?.stop()
  await rm(theme, { recursive: true })
})

const SCHEMA = {
  type: 'object',
  description: 'We answer within a day.',
  required: ['email', 'colours', 'size', 'terms'],
  properties: {
    email: { type: 'string', format: 'email', title: 'E-mail', description: 'For our answer.' },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    born: { type: 'string', format: 'date' },
    site: { type: 'string', format: 'uri' },
    size: { enum: ['S', 'L'] },
    way: { type: 'string', enum: ['post', 'phone'], default: 'phone' },
    colours: { type: 'array', minItems: 1, items: { enum: ['red', 'blue'] } },
    address: {
      type: 'object',
      title: 'Where you live',
      required: ['city'],
      properties: { city: { type: 'string' }, zip: { type: 'string', pattern: '^\\d{5}$' } },
    },
    message: { type: 'string', maxLength: 20 },
    terms: { const: true, title: 'I agree' },
  },
}
const UI = { way: { 'ui:widget': 'radio' }, message: { 'ui:widget': 'textarea', 'ui:placeholder': 'Hello' } }
const everything = (more: object = {}) =>
  newForm(ada, { name: 'Order <b>', access: 'public', schema: SCHEMA, uiSchema: UI, ...more })

const browser = (client: Client) => client.with({ accept: 'text/html', 'sec-fetch-site': 'same-origin' })
const show = (form: Form, query = '', client: Client = s.kernel) =>
  browser(client).get<string>(`/forms/${form.id}${query}`)
function post(form: { id: string }, fields: Record<string, string>, query = '', client: Client = s.kernel) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return browser(client).post<string>(`/forms/${form.id}${query}`, new URLSearchParams(fields).toString(), { headers })
}
/** The tag with this name attribute. */
const field = (html: string, name: string) =>
  html.match(new RegExp(`<(input|select|textarea)[^>]*\\bname="${name}"[^>]*>`))?.[0] ?? ''
const tokenIn = (html: string) => /name="token" value="([^"]+)"/.exec(html)?.[1] ?? ''

test('shows the fields of the schema with labels and help', async t => {
  const { status, body, headers } = await show(await everything())
  t.is(status, 200)
  t.is(headers.get('cache-control'), 'no-store')
  t.regex(body, /<title>Order &lt;b&gt; · Test<\/title>/)
  t.regex(body, /<h1>Order &lt;b&gt;<\/h1>\s*<p>We answer within a day\.<\/p>/)
  t.regex(field(body, '/email'), /type="email".* required aria-describedby="field-1-help".* autocomplete="email"/)
  t.regex(body, /<label for="field-1">E-mail<\/label>\s*<p class="hint" id="field-1-help">For our answer\.<\/p>/)
  t.regex(field(body, '/age'), /type="number".* min="0" max="150" step="1"/)
  t.regex(body, /<label for="field-2">Age <span class="muted">\(optional\)<\/span><\/label>/)
  t.regex(field(body, '/born'), /type="date"/)
  t.regex(field(body, '/site'), /type="url"/)
  t.regex(
    body,
    /<select id="field-5" name="\/size" required>\s*<option value="">[^<]*<\/option>\s*<option value="0">S<\/option><option value="1">L<\/option>/,
  )
  t.regex(body, /<fieldset class="field"><legend>Way/)
  t.regex(body, /type="radio" id="field-6-1" name="\/way" value="1" checked><span>phone<\/span>/)
  t.regex(field(body, '1:/colours'), /type="checkbox"/)
  t.regex(body, /<fieldset><legend>Where you live<\/legend>/)
  t.truthy(field(body, '/address/city'))
  t.regex(field(body, '/message'), /^<textarea .* maxlength="20" placeholder="Hello"/)
  t.regex(field(body, '/terms'), /type="checkbox"/)
  const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  t.is(new Set(ids).size, ids.length, 'ids are unique')
})

const GOOD = {
  '/email': ' ada@example.test ',
  '/age': '36',
  '/size': '1',
  '/way': '0',
  '0:/colours': 'true',
  '/address/city': 'Turin',
  '/terms': 'true',
}

test('submits the entry and shows a confirmation, also after a reload', async t => {
  const form = await everything()
  const token = tokenIn((await show(form)).body)
  const sent = await post(form, { ...GOOD, token, website: '' })
  t.is(sent.status, 303)
  t.is(sent.headers.get('location'), `/forms/${form.id}?sent=1`)
  const [entry] = await submissionsOf(ada, form)
  t.like(entry, { spam: false, formVersion: 1, meta: {} })
  t.deepEqual(entry?.data, {
    email: 'ada@example.test',
    age: 36,
    size: 'L',
    way: 'post',
    colours: ['red'],
    address: { city: 'Turin' },
    terms: true,
  })
  t.regex((await show(form, '?sent=1')).body, /role="status">Thanks!/)
})

test('shows errors beside their fields and in a summary, and keeps the input', async t => {
  const form = await everything()
  const token = tokenIn((await show(form)).body)
  const wrong = {
    '/email': 'nobody"><script>',
    '/age': 'old',
    '/size': '7',
    '/address/zip': '12',
    '/message': 'x'.repeat(21),
    '1:/colours': 'true',
  }
  const { status, body } = await post(form, { ...wrong, token })
  t.is(status, 422)
  t.regex(body, /<title>Error: Order/)
  t.regex(body, /role="alert"/)
  t.regex(body, /<a href="#field-1">E-mail must be an email address, like name@example\.com\.<\/a>/)
  t.regex(body, /<a href="#field-2">Age must be a whole number\.<\/a>/)
  t.regex(body, /<a href="#field-8">City is required\.<\/a>/)
  t.regex(body, /<a href="#field-9">Zip has an invalid format\.<\/a>/)
  t.regex(body, /<a href="#field-11">I agree must be checked\.<\/a>/)
  t.regex(
    field(body, '/email'),
    /value="nobody&quot;&gt;&lt;script&gt;".* aria-describedby="field-1-help field-1-error" aria-invalid="true"/,
  )
  t.regex(body, /<p class="error" id="field-1-error">/)
  t.regex(field(body, '/age'), /value="old"/)
  t.regex(field(body, '1:/colours'), /checked/)
  t.notRegex(field(body, '0:/colours'), /checked/)
  t.regex(body, /<textarea[^>]*>\s*x{21}<\/textarea>/)
  t.is(tokenIn(body), token, 'the time to fill counts from the first view')
  t.is((await submissionsOf(ada, form)).length, 0)
})

test('shows errors in the reader’s language', async t => {
  const form = await everything()
  const german = s.kernel.with({ 'accept-language': 'de-AT, en;q=0.5' })
  const { status, body } = await post(form, { '/email': 'nobody', '/age': '-1' }, '', german)
  t.is(status, 422)
  t.regex(body, /<html lang="de"/)
  t.regex(body, /<title>Fehler: Order/)
  t.regex(body, /<a href="#field-1">E-mail muss eine E-Mail-Adresse sein, zum Beispiel name@example\.com\.<\/a>/)
  t.regex(body, /<a href="#field-2">Age muss mindestens 0 sein\.<\/a>/)
  t.regex(body, /<a href="#field-5">Size ist erforderlich\.<\/a>/)
})

test('shows each reader the texts in their language, and stores the same entry', async t => {
  const texts = {
    schema: {
      title: { en: 'Order', de: 'Bestellung <b>' },
      description: { en: 'Soon.', de: 'Bald.' },
      required: ['size'],
      properties: {
        size: {
          oneOf: [
            { const: 's', title: { en: 'Small', de: 'Klein' } },
            { const: 'l', title: 'L' },
          ],
        },
        way: { enum: ['post', 'phone'], title: { en: 'Way', de: 'Weg' } },
        note: { type: 'string', title: { de: 'Notiz' }, description: { en: 'Short.', de: 'Kurz.' } },
      },
    },
    uiSchema: {
      size: { 'ui:title': { en: 'Size', de: 'Größe' } },
      way: { 'ui:widget': 'radio', 'ui:enumNames': [{ en: 'By post', de: 'Per Post' }, 'Phone'] },
      note: { 'ui:placeholder': { en: 'Hello', de: '"><script>' }, 'ui:help': { en: 'Or not.', de: 'Oder nicht.' } },
      'ui:submitButtonOptions': { submitText: { en: 'Buy', de: 'Kaufen' } },
    },
  }
  const form = await everything(texts)
  const german = s.kernel.with({ 'accept-language': 'de-AT' })
  const { body } = await show(form, '', german)
  t.regex(body, /<title>Bestellung &lt;b&gt; · Test<\/title>/)
  t.regex(body, /<h1>Bestellung &lt;b&gt;<\/h1>\s*<p>Bald\.<\/p>/)
  t.regex(body, /Größe<\/label>[\s\S]*<option value="0">Klein<\/option><option value="1">L<\/option>/)
  t.regex(body, /<legend>Weg [\s\S]*<span>Per Post<\/span>[\s\S]*<span>Phone<\/span>/)
  t.regex(body, /Notiz <span[^>]*>\(optional\)<\/span><\/label>\s*<p class="hint"[^>]*>Kurz\. Oder nicht\.<\/p>/)
  t.regex(field(body, '/note'), /placeholder="&quot;&gt;&lt;script&gt;"/)
  t.regex(body, /<button>Kaufen<\/button>/)
  const refused = (await post(form, {}, '', german)).body
  t.regex(refused, /<title>Fehler: Bestellung &lt;b&gt;/)
  t.regex(refused, /<a href="#field-1">Größe ist erforderlich\.<\/a>/)
  await post(form, { '/size': '0', '/way': '0' }, '', german)

  const english = (await show(form)).body
  t.regex(english, /<h1>Order<\/h1>/)
  t.regex(english, /Notiz/, 'a text without a translation')
  await post(form, { '/size': '0', '/way': '0', '/note': 'x' })
  const entries = await submissionsOf(ada, form)
  t.deepEqual(
    entries.map(({ data }) => data),
    [
      { size: 's', way: 'post', note: 'x' },
      { size: 's', way: 'post' },
    ],
  )

  const blank = async (language: string) =>
    (await s.kernel.with({ 'accept-language': language }).get(`/v1/forms/${form.id}/blank`)).body
  t.like(await blank('de'), { name: 'Bestellung <b>', schema: { title: 'Bestellung <b>', description: 'Bald.' } })
  t.like(await blank('fr'), { name: 'Order', uiSchema: { 'ui:submitButtonOptions': { submitText: 'Buy' } } })
  t.like((await ada.get(`/v1/forms/${form.id}`)).body, texts, 'editors read the form as written')
})

test('a page is in a language of the product', async t => {
  const schema = { required: ['note'], properties: { sure: { type: 'boolean' }, note: { type: 'string' } } }
  const form = await newForm(ada, {
    name: 'Avis',
    access: 'public',
    schema,
    uiSchema: { sure: { 'ui:widget': 'radio' } },
  })
  const french = s.kernel.with({ 'accept-language': 'fr-CA' })
  t.regex((await show(form, '', french)).body, /<span>Oui<\/span>[\s\S]*<span>Non<\/span>/)
  t.regex((await post(form, {}, '', french)).body, /<title>Erreur: Avis/)
})

test('shows the confirmation for a filled honeypot, too', async t => {
  const form = await everything()
  const sent = await post(form, { ...GOOD, token: tokenIn((await show(form)).body), website: 'http://x.test' })
  t.is(sent.headers.get('location'), `/forms/${form.id}?sent=1`)
  t.is((await submissionsOf(ada, form))[0]?.spamReason, 'honeypot')
})

test('validates a page against the version that was shown', async t => {
  const form = await newForm(ada, { access: 'public', schema: { properties: { old: { type: 'string' } } } })
  const token = tokenIn((await show(form)).body)
  await ada.patch(`/v1/forms/${form.id}`, {
    schema: { properties: { fresh: { type: 'string' } }, required: ['fresh'] },
  })
  t.is((await post(form, { '/old': 'x', token })).status, 303)
  t.like((await submissionsOf(ada, form))[0], { formVersion: 1, data: { old: 'x' } })
  const without = await post(form, { '/old': 'x' })
  t.is(without.status, 422)
  t.regex(without.body, /Fresh is required/)
})

test('serves a form of the recipe at its key', async t => {
  const { status, body } = await browser(s.kernel).get<string>('/forms/contact')
  t.is(status, 200)
  t.regex(body, /<h1>Write to us<\/h1>/)
  const sent = await post({ id: 'contact' }, { '/note': 'hi', token: tokenIn(body) })
  t.is(sent.headers.get('location'), '/forms/contact?sent=1')
  t.is((await browser(s.kernel).get('/forms/nobody')).status, 404)
})

test('shows a form that is not public only to members with the permission', async t => {
  const form = await newForm(ada)
  const anonymous = await show(form)
  t.is(anonymous.status, 303)
  t.regex(anonymous.headers.get('location') ?? '', /^\/sign-in\?next=/)
  t.is((await show(form, '', s.kernel.with({ cookie: ada.cookie }))).status, 200)
  const sent = await post(form, { '/email': 'a@b.test' }, '', s.kernel.with({ cookie: ada.cookie }))
  t.is(sent.status, 303)
  t.is((await submissionsOf(ada, form))[0]?.createdBy, ada.userId)
  const bob = await s.person()
  t.is((await show(form, '', s.kernel.with({ cookie: bob.cookie }))).status, 404)
})

test('rejects a cross-site post', async t => {
  const form = await everything()
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' }
  const answer = await s.kernel.post(`/forms/${form.id}`, new URLSearchParams(GOOD).toString(), { headers })
  t.is(codeOf(answer), '403 cross_site')
  t.is((await submissionsOf(ada, form)).length, 0)
})

test('only allowed origins may frame the page', async t => {
  const closed = await everything()
  t.regex((await show(closed)).headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  t.regex((await show(closed, '/frame')).headers.get('content-security-policy') ?? '', /frame-ancestors 'self'$/)
  const international = await everything({ allowedOrigins: ['https://müller.example', 'https://例え.jp:8443'] })
  t.regex(
    (await show(international, '/frame')).headers.get('content-security-policy') ?? '',
    /frame-ancestors 'self' https:\/\/xn--mller-kva\.example https:\/\/xn--r8jz45g\.jp:8443$/,
  )
  const form = await everything({ allowedOrigins: ['https://shop.example', 'http://localhost:3000'] })
  const { headers, body } = await show(form, '/frame')
  t.regex(
    headers.get('content-security-policy') ?? '',
    /frame-ancestors 'self' https:\/\/shop\.example http:\/\/localhost:3000$/,
  )
  t.is(headers.get('x-frame-options'), null, 'it would contradict')
  t.notRegex(body, /<header|<footer/, 'only the form')
  t.regex(body, /<script src="\/forms\/frame\.js" defer>/)
  t.regex((await show(form)).headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  const sent = await post(form, { ...GOOD, token: tokenIn(body) }, '/frame')
  t.is(sent.headers.get('location'), `/forms/${form.id}/frame?sent=1`)
  const wrong = await post(form, {}, '/frame')
  t.is(wrong.status, 422)
  t.regex(wrong.headers.get('content-security-policy') ?? '', /frame-ancestors 'self' https:\/\/shop/)
})

test('any site may load the embed scripts', async t => {
  for (const name of ['embed', 'frame']) {
    const { status, headers, body } = await s.kernel.get<string>(`/forms/${name}.js`)
    t.is(status, 200)
    t.is(headers.get('content-type'), 'text/javascript; charset=utf-8')
    t.is(headers.get('cross-origin-resource-policy'), 'cross-origin')
    t.regex(body, /larderForm/)
  }
})

test('a deleted form returns 404', async t => {
  const form = await everything()
  const { body } = await show(form)
  await ada.delete(`/v1/forms/${form.id}`)
  t.is((await show(form)).status, 404)
  const late = await post(form, { ...GOOD, token: tokenIn(body) })
  t.is(late.status, 404)
  t.is(problem(await s.kernel.get(`/forms/${form.id}`)).code, 'not_found')
})

test('a second click on the button of a form stores nothing, for visitors and members', async t => {
  for (const client of [s.kernel, ada]) {
    const form = await newForm(ada, { access: 'public', schema: { properties: { note: { type: 'string' } } } })
    const token = tokenIn((await show(form, '', client)).body)
    const clicks = [0, 1, 2].map(() => post(form, { token, '/note': 'Hello' }, '', client))
    for (const { status, headers } of await Promise.all(clicks))
      t.deepEqual([status, headers.get('location')], [303, `/forms/${form.id}?sent=1`])
    t.is((await submissionsOf(ada, form)).length, 1)
    await post(form, { token, '/note': 'Hello again' }, '', client)
    t.is((await submissionsOf(ada, form)).length, 2, 'another entry is another submission')
  }
})

test('an equal entry from a page that is opened again is stored, and spam for visitors', async t => {
  const form = await newForm(ada, { access: 'public', schema: { properties: { note: { type: 'string' } } } })
  for (const [client, reason] of [
    [ada, null],
    [s.kernel, 'duplicate'],
  ] as const) {
    for (const _ of [0, 1]) {
      s.clock.at += 1000
      const token = tokenIn((await show(form, '', client)).body)
      await post(form, { token, '/note': 'Hello' }, '', client)
    }
    t.is((await submissionsOf(ada, form))[0]?.spamReason, reason)
  }
  t.is((await submissionsOf(ada, form)).length, 4)
})
