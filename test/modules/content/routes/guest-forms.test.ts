/** Forms of page templates that people who are not signed in send. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import type { Listed, ProblemBody } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'

const CONTACT = `---
forms:
  contact: { create: tickets, fields: [email, subject], set: { source: page } }
---
<h1>Contact</h1>
{{> row-form form=forms.contact button='Send'}}
`
const VISIT = `---
forms:
  visit: { create: visits, fields: [name], set: { day: $query.day } }
---
<h1>Visit</h1>
{{> row-form form=forms.visit button='Send'}}
`
const REPORT = `---
forms:
  report: { create: reports, fields: [text] }
---
<h1>Report</h1>
{{> row-form form=forms.report button='Send'}}
`
const SURVEY = `---
forms:
  survey: { create: surveys, fields: [email, name, note, site, guests, price, born, at, length, kind, agreed] }
---
<h1>Survey</h1>
{{> row-form form=forms.survey button='Send'}}
`
/** Forms that name the workspace of their rows. */
const WISH = `---
data:
  team: { collection: teams, filter: { name: $path.team }, one: true }
forms:
  wish: { create: wishes, fields: [text], workspace: $data.team.slug }
---
{{> row-form form=forms.wish button='Send'}}
`
const named = (workspace: string, more = '') => `---
forms:
  wish: { create: wishes, fields: [text], workspace: ${workspace} }
${more}---
<h1>Wish</h1>
{{> row-form form=forms.wish button='Send'}}
`
const TASK = named('$query.team').replaceAll('wish', 'report').replace('reportes', 'reports')
const FILES = {
  'theme.yaml': 'name: Harbor\nextends: default\n',
  'pages/content.contact.hbs': CONTACT,
  'pages/content.visit.hbs': VISIT,
  'pages/content.survey.hbs': SURVEY,
  'pages/content.report.hbs': REPORT,
  'pages/content.wish.hbs': WISH,
  'pages/content.constant.hbs': named('no-such-team'),
  'pages/content.frame.hbs': named('$path.team', 'embed: [https://shop.example, https://müller.example]\n'),
  'pages/content.asked.hbs': named('$query.team'),
  'pages/content.task.hbs': TASK,
}
const recipe = {
  locales: { default: 'en', available: ['en', 'de'] },
  theme: { use: './theme' },
  modules: {
    identity: {},
    comms: {},
    billing: {},
    content: { templates: ['contact', 'visit', 'report', 'survey', 'wish', 'constant', 'frame', 'asked', 'task'] },
    collections: { guestProof: { tries: 10, collections: ['reports'] } },
  },
  entitlements: { 'wishes.count': { kind: 'gauge' } },
  plans: { free: { name: 'Free', price: 0, entitlements: { 'wishes.count': 1 } } },
  collections: {
    teams: { fields: { name: { type: 'text' }, slug: { type: 'text' } }, access: { read: { anyone: true } } },
    wishes: {
      fields: { text: { type: 'text', required: true, label: { en: 'Text', de: 'Text' } } },
      limit: 'wishes.count',
      access: { read: { 'tenant.member': true }, create: { anyone: true, 'tenant.member': true } },
    },
    days: {
      fields: { places: { type: 'integer' } },
      access: { read: { anyone: true }, create: { 'tenant.owner': true } },
    },
    visits: {
      fields: { name: { type: 'text', required: true }, day: { type: 'reference', to: 'days', required: true } },
      capacity: { of: 'day', max: 'day.places' },
      access: { create: { anyone: true } },
    },
    surveys: {
      fields: {
        email: { type: 'email', required: true, label: { en: 'Email', de: 'E-Mail' } },
        name: { type: 'text', required: true, minLength: 3, label: { en: 'Name', de: 'Name' } },
        note: { type: 'longtext', maxLength: 5, label: { en: 'Note', de: 'Notiz' }, help: { en: 'Short', de: 'Kurz' } },
        site: { type: 'url', label: { en: 'Site', de: 'Seite' } },
        guests: { type: 'integer', max: 4, label: { en: 'Guests', de: 'Gäste' } },
        price: { type: 'money', currency: 'EUR', min: 150, label: { en: 'Price', de: 'Preis' } },
        born: { type: 'date', label: { en: 'Born', de: 'Geboren' } },
        at: { type: 'datetime', label: { en: 'At', de: 'Zeit' } },
        length: { type: 'duration', label: { en: 'Length', de: 'Dauer' } },
        kind: {
          type: 'enum',
          values: ['a', 'b'],
          label: { en: 'Kind', de: 'Art' },
          labels: { a: { en: 'First', de: 'Erste' } },
        },
        agreed: { type: 'boolean', label: { en: 'Agreed', de: 'Zugestimmt' } },
      },
      access: { create: { anyone: { agreed: true } } },
    },
    reports: {
      fields: { text: { type: 'text', required: true } },
      access: { read: { 'tenant.member': true }, create: { anyone: true } },
    },
    tickets: {
      fields: {
        email: { type: 'email', required: true, unique: true },
        subject: { type: 'text', required: true },
        source: { type: 'text' },
      },
      access: { read: { 'tenant.member': true }, create: { anyone: true } },
    },
  },
  pages: {
    contact: { path: '/contact', title: 'Contact', template: 'contact' },
    survey: { path: '/survey', title: { en: 'Survey', de: 'Umfrage' }, template: 'survey' },
    report: { path: '/report', title: { en: 'Report', de: 'Meldung' }, template: 'report' },
    visit: { path: '/visit', title: { en: 'Visit', de: 'Besuch' }, template: 'visit' },
    wish: { path: '/teams/:team', title: 'Wish', template: 'wish' },
    constant: { path: '/constant', title: { en: 'Wish', de: 'Wunsch' }, template: 'constant' },
    frame: { path: '/frames/:team', title: 'Wish', template: 'frame' },
    asked: { path: '/asked', title: 'Wish', template: 'asked' },
    task: { path: '/task', title: 'Report', template: 'task' },
  },
}

let folder: string
const { kernel, people, ada, operator } = withPeople(
  test,
  async () => {
    folder = await mkdtemp(join(tmpdir(), 'larder-guests-'))
    for (const [name, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(folder, 'theme', name)), { recursive: true })
      await writeFile(join(folder, 'theme', name), text)
    }
    return { recipe, folder, role: 'web' as const }
  },
  { ada: 'owner', operator: 'operator' },
)
test.after.always(() => rm(folder, { recursive: true, force: true }))

let guests = 0
const input = () => ({ email: `guest${++guests}@example.com`, subject: 'Help' })
async function shown(cookie?: string, path = '/contact'): Promise<Record<string, string>> {
  const { body } = await kernel.get<string>(path, { headers: { accept: 'text/html', ...(cookie && { cookie }) } })
  const inputs = [...body.matchAll(/<input type="hidden" name="(_\w+)" value="([^"]*)"/g)]
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]))
}
const post = (fields: Readonly<Record<string, string>>, cookie?: string, path = '/contact') =>
  kernel.post<string>(path, new URLSearchParams(fields).toString(), {
    headers: {
      accept: 'text/html',
      origin: kernel.url,
      'content-type': 'application/x-www-form-urlencoded',
      ...(cookie && { cookie }),
    },
  })
const found = async (email: string) =>
  (await operator.get<Listed<Record<string, unknown>>>(`/v1/data/tickets?filter[email]=${email}`)).body.data
const wait = () => new Promise(resolve => setTimeout(resolve, 1100))

test('a visitor sends a form, and its row is in the workspace of the operator', async t => {
  const hidden = await shown()
  const values = input()
  await wait()
  const sent = await post({ ...hidden, ...values })
  t.is(sent.status, 303)
  t.is(sent.headers.get('location'), '/contact?sent=contact')
  t.like((await found(values.email))[0], { ...values, source: 'page', createdBy: null })
})

test('sending the same form twice creates one row', async t => {
  const hidden = await shown()
  const values = input()
  await wait()
  for (let time = 0; time < 2; time++) t.is((await post({ ...hidden, ...values })).status, 303)
  t.is((await found(values.email)).length, 1)
})

test('the answer to a program is that to a person, and no row is created', async t => {
  const hidden = await shown()
  for (const [name, more] of [
    ['sent at once', {}],
    ['with the input that people do not see', { _website: 'x', _shown: '' }],
    ['with the time of another page', { _shown: `0.zzz.${'a'.repeat(43)}` }],
  ] as const) {
    const values = input()
    const { status, headers } = await post({ ...hidden, ...values, ...more })
    t.is(status, 303, name)
    t.is(headers.get('location'), '/contact?sent=contact', name)
    t.deepEqual(await found(values.email), [], name)
  }
})

test('a form with errors is shown again, and can be sent at once', async t => {
  const hidden = await shown()
  await wait()
  const values = input()
  const refused = await post({ ...hidden, ...values, subject: '' })
  t.is(refused.status, 422)
  t.true(refused.body.includes('name="_shown"'))
  t.is((await post({ ...hidden, ...values })).status, 303)
  t.is((await found(values.email)).length, 1)
})

test('a value that exists looks like one that does not', async t => {
  const hidden = await shown()
  const values = input()
  await wait()
  await post({ ...hidden, ...values })
  const again = await post({ ...(await shown()), _shown: hidden._shown ?? '', ...values })
  t.is(again.status, 303)
  t.is((await found(values.email)).length, 1)
})

test('a form for a row without a free place says how many there are', async t => {
  const { body: day } = await operator.post<{ id: string }>('/v1/data/days', { places: 1 })
  const path = `/visit?day=${day.id}`
  const [hidden, other] = [await shown(undefined, path), await shown(undefined, path)]
  await wait()
  t.is((await post({ ...hidden, name: 'Ada' }, undefined, path)).status, 303)
  const full = await post({ ...other, name: 'Bob' }, undefined, path)
  t.is(full.status, 409)
  t.regex(full.body, /Day is full: its only place is taken\./)
})

test('a customer who is signed in sends it to the operator, too', async t => {
  const values = input()
  const sent = await post({ ...(await shown(ada.cookie)), ...values }, ada.cookie)
  t.is(sent.status, 303)
  t.is((await found(values.email)).length, 1)
})

/** The task of a page, solved as its script does. */
async function proofOf(page: string): Promise<string> {
  const text = /data-challenge="([^"]+)"/.exec(page)?.[1]?.replaceAll('&quot;', '"') ?? ''
  const challenge: Challenge = JSON.parse(text)
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}
const reports = async (text: string) =>
  (await operator.get<Listed<Record<string, unknown>>>(`/v1/data/reports?filter[text]=${text}`)).body.data

test('a form with a task creates a row with its solution, once', async t => {
  const page = await kernel.get<string>('/report', { headers: { accept: 'text/html' } })
  const _proof = await proofOf(page.body)
  const hidden = await shown(undefined, '/report')
  await wait()
  t.is((await post({ ...hidden, text: 'solved', _proof }, undefined, '/report')).status, 303)
  t.is((await reports('solved')).length, 1)
  const again = await post({ ...hidden, _token: 'a'.repeat(24), text: 'again', _proof }, undefined, '/report')
  t.is(again.status, 403)
  t.deepEqual(await reports('again'), [])
})

test('a form that is sent before its task is solved is shown again with its input and the next task', async t => {
  const hidden = await shown(undefined, '/report')
  await wait()
  const refused = await post({ ...hidden, text: 'early', _proof: '' }, undefined, '/report')
  t.is(refused.status, 403)
  t.regex(refused.body, /value="early"/)
  t.regex(refused.body, /Please send this once more/)
  const _proof = await proofOf(refused.body)
  t.is((await post({ ...hidden, text: 'early', _proof }, undefined, '/report')).status, 303)
  t.is((await reports('early')).length, 1)
})

const german = (path: string, fields?: Readonly<Record<string, string>>) => {
  const headers = { accept: 'text/html', 'accept-language': 'de', origin: kernel.url }
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return fields
    ? kernel.post<string>(path, new URLSearchParams(fields).toString(), { headers: { ...headers, ...type } })
    : kernel.get<string>(path, { headers })
}
/** The text of the form of a page, as it is read. */
const textOf = (page: string) =>
  (/<main[\s\S]*?<\/main>/.exec(page)?.[0] ?? '')
    .replaceAll(/<script[\s\S]*?<\/script>|<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

test('a visitor who reads German sees every text of a form in German', async t => {
  const inputs = [
    'Notiz (optional) Kurz Seite (optional) Gäste (optional) Preis (EUR) (optional) Geboren (optional)',
    'Zeit (UTC) (optional) Dauer (optional) Art (optional) Auswählen … Erste b Zugestimmt Senden',
  ].join(' ')
  const page = await german('/survey')
  t.is(textOf(page.body), `Survey Dieses Feld leer lassen E-Mail Name ${inputs}`)
  const hidden = await shown(undefined, '/survey')
  await wait()
  const wrong = await german('/survey', {
    ...hidden,
    email: 'x',
    name: 'A',
    note: 'longer than five',
    site: 'x',
    guests: '5',
    price: '-3',
    born: 'x',
    kind: 'c',
  })
  t.is(wrong.status, 422)
  for (const text of [
    'Prüfen Sie 8 Felder',
    'E-Mail muss eine E-Mail-Adresse sein.',
    'Name muss mindestens 3 Zeichen lang sein.',
    'Notiz darf höchstens 5 Zeichen lang sein.',
    'Seite muss eine URL wie https://acme.example sein.',
    'Gäste darf höchstens 4 sein.',
    'Preis muss mindestens 1.50 sein.',
    'Geboren muss ein Datum wie 2026-01-31 sein.',
    'Art muss einer dieser Werte sein: Erste, b.',
  ])
    t.true(textOf(wrong.body).includes(text), text)
  const noAmount = await german('/survey', { ...hidden, price: 'much' })
  t.regex(
    textOf(noAmount.body),
    /Preis muss ein Betrag wie 19\.50 sein\. E-Mail ist erforderlich\. Name ist erforderlich\./,
  )
  const valid = { ...hidden, email: 'a@example.com', name: 'Ada' }
  const refused = await german('/survey', valid)
  t.is(refused.status, 403)
  t.regex(textOf(refused.body), /^Survey Mit diesen Angaben kann dies nicht gesendet werden\./)
  t.is((await german('/survey', { ...valid, agreed: 'true' })).headers.get('location'), '/survey?sent=survey')
  t.is(
    textOf((await german('/survey?sent=survey')).body),
    `Survey Gespeichert. Dieses Feld leer lassen E-Mail Name ${inputs}`,
  )
  const task = textOf((await german('/report')).body)
  t.regex(task, /Bevor das Formular gesendet wird, muss Ihr Browser eine kleine Aufgabe lösen\./)
  t.regex(task, /Ihr Browser löst eine kleine Aufgabe, die Programme fernhält\. Senden$/)
  const report = await shown(undefined, '/report')
  await wait()
  const unsolved = await german('/report', { ...report, text: 'x' })
  t.regex(
    textOf(unsolved.body),
    /Bitte senden Sie dies noch einmal\. Ihr Browser hatte seine Aufgabe noch nicht gelöst\./,
  )
  const { body: day } = await operator.post<{ id: string }>('/v1/data/days', { places: 1 })
  const path = `/visit?day=${day.id}`
  const [visit, late] = [await shown(undefined, path), await shown(undefined, path)]
  await wait()
  t.is((await german(path, { ...visit, name: 'Ada' })).status, 303)
  t.regex(textOf((await german(path, { ...late, name: 'Bob' })).body), /Day ist voll/)
})

const wishes = async (reader: Pick<Person, 'get'>, text: string) =>
  (await reader.get<Listed<Record<string, unknown>>>(`/v1/data/wishes?filter[text]=${text}`)).body.data
const slugOf = async (person: Person) =>
  (await person.get<{ slug: string }>(`/v1/identity/tenants/${person.tenantId}`)).body.slug
async function wish(path: string, text: string, cookie?: string) {
  const hidden = await shown(cookie, path)
  await wait()
  return post({ ...hidden, _form: 'wish', text }, cookie, path)
}

test('a form that names a workspace creates its row there, by a slug or an ID in the address or in the data', async t => {
  const [own, bob] = [await people.person(), await people.person()]
  const slug = await slugOf(own)
  await operator.post('/v1/data/teams', { name: 'harbor', slug })
  const paths = ['/teams/harbor', `/frames/${slug}`, `/frames/${own.tenantId}`, `/asked?team=${slug}`]
  for (const [at, path] of paths.entries()) {
    t.is((await wish(path, `named${at}`)).status, 303, path)
    t.like((await wishes(own, `named${at}`))[0], { text: `named${at}`, createdBy: null }, path)
    for (const other of [bob, operator]) t.deepEqual(await wishes(other, `named${at}`), [], path)
  }
})

test('rows that strangers send to a workspace leave the limit of its members alone, and nobody outside reads them', async t => {
  const own = await people.person()
  const path = `/frames/${own.tenantId}`
  for (const text of ['first', 'second']) t.is((await wish(path, text)).status, 303)
  for (const text of ['first', 'second']) t.is((await wishes(own, text)).length, 1, text)
  t.is((await own.post('/v1/data/wishes', { text: 'mine' })).status, 201)
  t.is((await own.post('/v1/data/wishes', { text: 'more' })).status, 403)
  t.is((await kernel.get(`/v1/data/wishes?workspace=${own.tenantId}`)).status, 401)
  const page = await kernel.get<string>(`${path}?sent=wish`, { headers: { accept: 'text/html' } })
  t.notRegex(page.body, /first|second|mine/)
})

test('a member of the workspace that a form names sends it as a member, and others as visitors', async t => {
  const [own, bob] = [await people.person(), await people.person()]
  const path = `/asked?team=${own.tenantId}`
  for (const [person, createdBy] of [
    [own, own.userId],
    [bob, null],
  ] as const) {
    t.is((await wish(path, `by${createdBy}`, person.cookie)).status, 303)
    t.like((await wishes(own, `by${createdBy}`))[0], { createdBy })
  }
})

test('unknown, deleted and suspended workspaces are refused alike, by forms and by the API', async t => {
  const [gone, held] = [await people.person(), await people.person()]
  const hidden = await shown(undefined, `/frames/${held.tenantId}`)
  await wait()
  t.is((await gone.delete(`/v1/identity/tenants/${gone.tenantId}`)).status, 204)
  const slug = await slugOf(held)
  await operator.post(`/v1/identity/admin/tenants/${held.tenantId}/suspend`, { reason: 'Test' })
  const names = ['nobody', `ten_${'0'.repeat(26)}`, gone.tenantId, held.tenantId, slug, 'Not%20a%20slug']
  const paths = [...names.map(name => `/asked?team=${name}`), '/asked', '/constant']
  const [texts, refusals] = [new Set<string>(), new Set<string>()]
  for (const path of paths) {
    const page = await kernel.get<string>(path, { headers: { accept: 'text/html' } })
    texts.add(`${page.status} ${textOf(page.body)}`)
    const sent = await post({ ...hidden, _form: 'wish', text: 'lost', _shown: '' }, ada.cookie, path)
    texts.add(`${sent.status === 404 ? 200 : sent.status} ${textOf(sent.body)}`)
  }
  t.deepEqual([...texts], ['200 Wish This form isn&#x27;t available.'])
  for (const name of names.slice(0, 5)) {
    const { status, body } = await kernel.post<ProblemBody>(`/v1/data/wishes?workspace=${name}`, { text: 'lost' })
    refusals.add(`${status} ${body.code} ${body.detail}`)
  }
  t.is(refusals.size, 1, [...refusals].join())
  t.regex([...refusals][0] ?? '', /^404 not_found /)
  t.is(textOf((await german('/constant')).body), 'Wish Dieses Formular ist nicht verfügbar.')
  await operator.post(`/v1/identity/admin/tenants/${held.tenantId}/resume`, { reason: 'Test' })
  t.deepEqual(await wishes(held, 'lost'), [])
})

test('the task of a form is that of the workspace that it names', async t => {
  const [own, bob] = [await people.person(), await people.person()]
  const [path, other] = [`/task?team=${own.tenantId}`, `/task?team=${bob.tenantId}`]
  const hidden = await shown(undefined, path)
  const _proof = await proofOf((await kernel.get<string>(path, { headers: { accept: 'text/html' } })).body)
  await wait()
  const send = (to: string, _token: string) => post({ ...hidden, _token, _proof, text: 'task' }, undefined, to)
  t.is((await send(other, 'a'.repeat(24))).status, 403)
  t.is((await send(path, 'b'.repeat(24))).status, 303)
  t.is((await own.get<Listed<unknown>>('/v1/data/reports')).body.data.length, 1)
  t.is((await bob.get<Listed<unknown>>('/v1/data/reports')).body.data.length, 0)
})

test('only the sites of embed show a page in a frame, and everybody is a visitor there', async t => {
  const own = await people.person()
  const path = `/frames/${own.tenantId}`
  const headers = { accept: 'text/html', cookie: own.cookie }
  const sites = /frame-ancestors 'self' https:\/\/shop\.example https:\/\/xn--mller-kva\.example$/
  const policyOf = (answer: { headers: Headers }) => answer.headers.get('content-security-policy') ?? ''
  const page = await kernel.get<string>(path, { headers })
  t.regex(policyOf(page), sites)
  t.is(page.headers.get('x-frame-options'), null)
  t.is(page.headers.get('set-cookie'), null)
  t.notRegex(page.body, /<header|<footer/)
  t.regex(page.body, /name="_shown"/)
  const sent = await wish(path, 'framed', own.cookie)
  t.is(sent.headers.get('location'), `${path}?sent=wish`)
  t.like((await wishes(own, 'framed'))[0], { createdBy: null })
  const wrong = await wish(path, '', own.cookie)
  t.is(wrong.status, 422)
  t.regex(policyOf(wrong), sites)
  t.regex(policyOf(await kernel.get('/asked', { headers })), /frame-ancestors 'none'/)
  const type = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://shop.example' }
  const foreign = await kernel.post<ProblemBody>(path, '_form=wish&text=x', { headers: type })
  t.is(foreign.body.code, 'cross_site')
})
