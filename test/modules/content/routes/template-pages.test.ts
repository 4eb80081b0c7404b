/** Pages of the recipe whose templates show rows of collections. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import type { Listed } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'

const HOSTILE = '**Sea** <script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1))'

const recipe = {
  locales: { default: 'en', available: ['en', 'de'] },
  theme: { use: './theme' },
  modules: { identity: {}, comms: {}, content: { templates: ['courses', 'course', 'ask'] }, collections: {} },
  collections: {
    courses: {
      scope: 'shared',
      fields: {
        title: { type: 'text', required: true },
        slug: { type: 'slug', from: 'title', unique: true },
        summary: { type: 'markdown' },
        price: { type: 'money', currency: 'EUR' },
        tags: { type: 'json' },
        before: { type: 'reference', to: 'courses' },
      },
      access: { read: { anyone: true } },
      rows: [
        { title: 'Sailing', summary: HOSTILE, price: 4900, tags: ['<b>', 'sea'] },
        { title: 'Rowing', before: 'sailing' },
        { title: 'Diving', price: 0, summary: '' },
      ],
    },
    questions: {
      fields: {
        course: { type: 'reference', to: 'courses', required: true },
        author: { type: 'member', required: true },
        text: { type: 'longtext', required: true, maxLength: 20, label: { en: 'Question', de: 'Frage' } },
        email: { type: 'email' },
        budget: { type: 'money', currency: 'EUR', min: 100 },
        level: { type: 'enum', values: ['beginner', 'advanced'] },
        public: { type: 'boolean', default: true },
        at: { type: 'datetime' },
      },
      unique: [['author', 'email']],
      access: {
        read: { 'tenant.member': true },
        create: { 'tenant.member': { author: '$member' } },
      },
    },
  },
  pages: {
    ask: { path: '/courses/:slug/ask', title: { en: 'Ask', de: 'Fragen' }, template: 'ask' },
    courses: { path: '/courses', title: { en: 'Courses', de: 'Kurse' }, template: 'courses' },
    course: { path: '/courses/:slug', title: 'Course', template: 'course' },
  },
}

const FILES = {
  'theme.yaml': 'name: Harbor\nextends: default\n',
  'pages/content.courses.hbs': `---
data:
  courses: { collection: courses, sort: [title], limit: 2, paginate: page }
---
{{#each courses.data}}<p>{{title}}: {{default (money price 'EUR') 'free'}}{{#if (and price (gt price 1000))}} !{{/if}}</p>{{/each}}
{{> pagination list=courses}}
`,
  'pages/content.course.hbs': `---
title: "{{course.title}}"
data:
  course: { collection: courses, filter: { slug: $path.slug }, expand: [before], one: true }
---
<div id="summary">{{markdown course.summary}}</div><p id="source" title="{{course.summary}}">{{truncate course.summary 8}}</p>
{{#if course.tags}}<p id="tags">{{join course.tags ' / '}}</p>{{/if}}
{{#if course.before}}<div id="before">{{markdown course.before.summary}}</div>{{/if}}
`,
}

const ASK = `---
data:
  course: { collection: courses, filter: { slug: $path.slug }, one: true }
forms:
  ask:
    create: questions
    fields: [text, email, budget, level, public, at]
    set: { course: $data.course.id, author: $member }
  again: { create: questions, fields: [text], set: { course: $data.course.id, author: $member }, redirect: /courses }
---
<h1>{{course.title}}</h1>
{{> row-form form=forms.ask button='Send'}}
{{> row-form form=forms.again button='Send again'}}
`

let folder: string
const { kernel } = withPeople(test, async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-pages-'))
  for (const [name, text] of Object.entries({ ...FILES, 'pages/content.ask.hbs': ASK })) {
    await mkdir(dirname(join(folder, 'theme', name)), { recursive: true })
    await writeFile(join(folder, 'theme', name), text)
  }
  return { recipe, folder, role: 'web' }
})
test.after.always(() => rm(folder, { recursive: true, force: true }))

async function show(path: string, locale = 'en'): Promise<string> {
  const headers = { accept: 'text/html', 'accept-language': locale }
  const { status, body } = await kernel.get<string>(path, { headers })
  if (status !== 200) throw new Error(`${path} is ${status}`)
  return body
}
const element = (html: string, id: string) => new RegExp(`<(\\w+) id="${id}"[^>]*>(.*?)</\\1>`, 's').exec(html)?.[2]

test('renders and sanitizes Markdown fields, and escapes their source', async t => {
  const html = await show('/courses/sailing')
  t.is(element(html, 'summary')?.trim(), '<p><strong>Sea</strong>  <img src="x" /> [x](javascript:alert(1))</p>')
  t.is(element(html, 'source'), '**Sea**…')
  t.true(html.includes('title="**Sea** &lt;script&gt;'))
  t.is(element(html, 'tags'), '&lt;b&gt; / sea')
  t.is(element(await show('/courses/diving'), 'summary'), '')
})

test('renders Markdown fields of expanded rows', async t => {
  t.regex(element(await show('/courses/rowing'), 'before') ?? '', /^<p><strong>Sea<\/strong>/)
})

test('shows a list in pages, in the language of the reader', async t => {
  const first = await show('/courses', 'de')
  t.regex(first, /<p>Diving: 0,00\s€<\/p><p>Rowing: free<\/p>/)
  const next = /<a [^>]*href="([^"]+)" rel="next">Nächste Seite/.exec(first)?.[1]?.replaceAll('&#x3D;', '=')
  const last = await show(next ?? '', 'de')
  t.regex(last, /<p>Sailing: 49,00\s€ !<\/p>/)
  t.regex(last, /href="\/courses">Erste Seite/)
  t.false(last.includes('Nächste Seite'))
})

test('refuses a damaged cursor of a list', async t => {
  const { status } = await kernel.get<string>('/courses?page=x', { headers: { accept: 'text/html' } })
  t.is(status, 400)
})

test('the API returns Markdown as sanitized HTML on request', async t => {
  const { body } = await kernel.get<Listed<{ id: string; summary: string }>>('/v1/data/courses?render=html&sort=title')
  t.regex(body.data[2]?.summary ?? '', /^<p><strong>Sea<\/strong> {2}<img src="x" \/>/)
  const one = await kernel.get<{ summary: string }>(`/v1/data/courses/${body.data[2]?.id}?render=html`)
  t.is(one.body.summary, body.data[2]?.summary as string)
  t.truthy(one.headers.get('etag'))
  const plain = await kernel.get<{ summary: string }>(`/v1/data/courses/${body.data[2]?.id}`)
  t.is(plain.body.summary, HOSTILE)
  t.not(plain.headers.get('etag'), one.headers.get('etag'))
})

test('the API returns Markdown of expanded rows as HTML, and refuses it in CSV', async t => {
  type Expanded = { before: { summary: string } | null }
  const path = '/v1/data/courses?render=html&expand=before&filter[title]=Rowing'
  const { body } = await kernel.get<Listed<Expanded>>(path)
  t.regex(body.data[0]?.before?.summary ?? '', /^<p><strong>/)
  t.is((await kernel.get(path, { headers: { accept: 'text/csv' } })).status, 400)
  t.is((await kernel.get('/v1/data/courses?render=pdf')).status, 422)
})

const ASK_PATH = '/courses/sailing/ask'
interface Question {
  [field: string]: unknown
}
const questionsOf = async (person: Person) =>
  (await person.get<Listed<Question>>('/v1/data/questions?sort=createdAt')).body.data

/** A page as this person sees it, and how its form is sent. */
async function openForm(person: Pick<Person, 'cookie'>, locale = 'en', name = 'ask') {
  const headers = { accept: 'text/html', 'accept-language': locale, cookie: person.cookie }
  const { body } = await kernel.get<string>(ASK_PATH, { headers })
  const token =
    /name="_token" value="([^"]+)"/.exec(body.slice(body.indexOf(`name="_form" value="${name}"`)))?.[1] ?? ''
  const send = (fields: Record<string, string>, more: Record<string, string> = {}) =>
    kernel.post<string>(ASK_PATH, new URLSearchParams({ _form: name, _token: token, ...fields }).toString(), {
      headers: {
        ...headers,
        'content-type': 'application/x-www-form-urlencoded',
        origin: kernel.url,
        ...more,
      },
    })
  return { body, token, send }
}

test('a form creates a row with the typed values and those of the page, and shows a notice', async t => {
  const person = await kernel.register('form-1@example.test')
  const { send } = await openForm(person)
  const values = { text: 'When?\r\nSoon', budget: '12.5', level: 'advanced', at: '2026-03-04T05:06', email: '' }
  const sent = await send(values)
  t.is(sent.status, 303)
  t.is(sent.headers.get('location'), `${ASK_PATH}?sent=ask`)
  const [question] = await questionsOf(person)
  const fields = { text: 'When?\nSoon', budget: 1250, level: 'advanced', public: false, at: '2026-03-04T05:06:00.000Z' }
  t.like(question, { ...fields, email: null })
  t.truthy(question?.course)
  const headers = { accept: 'text/html', cookie: person.cookie }
  const { body } = await kernel.get<string>(`${ASK_PATH}?sent=ask`, { headers })
  t.is(body.match(/role="status">Saved\./g)?.length, 1)
  t.false(body.includes('}}'))
  t.true(body.includes(`action="${ASK_PATH}"`))
})

test('a form leads to the page that it names', async t => {
  const person = await kernel.register('form-2@example.test')
  const { send } = await openForm(person, 'en', 'again')
  t.is((await send({ text: 'Hello' })).headers.get('location'), '/courses')
})

test('a repeated submission creates one row, also at the same time, and another input another row', async t => {
  const person = await kernel.register('form-3@example.test')
  const { send } = await openForm(person)
  const answers = await Promise.all([1, 2, 3].map(() => send({ text: 'Twice' })))
  t.deepEqual(
    answers.map(({ status }) => status),
    [303, 303, 303],
  )
  t.is((await send({ text: 'Twice' })).status, 303)
  t.is((await questionsOf(person)).length, 1)
  await send({ text: 'Other' })
  t.is((await questionsOf(person)).length, 2)
})

test('errors are beside their fields, with the input and in the language of the reader', async t => {
  const person = await kernel.register('form-4@example.test')
  const { send } = await openForm(person, 'de')
  const text = '<b>שלום</b> 😀😀😀😀😀😀😀😀😀😀'
  const { status, body } = await send({ text, email: 'x', budget: '0.5', level: 'expert', at: 'soon' })
  t.is(status, 422)
  const of = (name: string) => /class="error"[^>]*>([^<]*)</.exec(body.slice(body.indexOf(`for="ask-${name}"`)))?.[1]
  t.is(of('text'), 'Frage darf höchstens 20 Zeichen lang sein.')
  t.is(of('email'), 'Email muss eine E-Mail-Adresse sein.')
  t.is(of('budget'), 'Budget muss mindestens 1.00 sein.')
  t.is(of('level'), 'Level muss einer dieser Werte sein: beginner, advanced.')
  t.true(body.includes('&lt;b&gt;שלום&lt;/b&gt; 😀'))
  t.true(body.includes('value="0.5"'))
  t.true(body.includes('aria-invalid="true"'))
  t.false(body.includes('<b>'))
  const [first] = await questionsOf(person)
  t.is(first, undefined)
  t.is((await send({ text: 'Short' })).status, 303)
})

test('a taken value is an error beside its field, and nothing else is written', async t => {
  const person = await kernel.register('form-5@example.test')
  const { send } = await openForm(person)
  await send({ text: 'One', email: 'a@example.test' })
  const { status, body } = await send({ text: 'Two', email: 'a@example.test' })
  t.is(status, 409)
  t.regex(body, /Email is taken together with author\./)
  t.is((await questionsOf(person)).length, 1)
})

test('visitors see links to sign up and to sign in instead of a form, and a submission leads to sign-in', async t => {
  const { body, send } = await openForm({ cookie: '' })
  t.false(body.includes('<form method="post" action="/courses/'))
  t.regex(body, /<a class="button" href="\/sign-up\?next=%2Fcourses%2Fsailing%2Fask">Send/)
  t.regex(body, /<a href="\/sign-in\?next&#x3D;%2Fcourses%2Fsailing%2Fask">Sign in</)
  const sent = await send({ text: 'x', _token: 'a'.repeat(24) })
  t.is(sent.headers.get('location'), `/sign-in?next=${encodeURIComponent(ASK_PATH)}`)
})

test('refuses submissions of other sites, without a token, of unknown forms, and of API keys', async t => {
  const person = await kernel.register('form-6@example.test')
  const { send } = await openForm(person)
  t.is((await send({ text: 'x' }, { origin: 'https://evil.test' })).status, 403)
  t.is((await send({ text: 'x', _token: '' })).status, 400)
  t.is((await send({ text: 'x', _form: 'toString' })).status, 400)
  const byKey = await send({ text: 'x' }, { cookie: '', 'x-api-key': person.apiKey })
  t.regex(byKey.headers.get('location') ?? '', /^\/sign-in\?/)
  t.is((await questionsOf(person)).length, 0)
})

test('fields that are not of the form are ignored, and rights of the visitor apply', async t => {
  const person = await kernel.register('form-7@example.test')
  const { send } = await openForm(person)
  await send({ text: 'Mine', author: 'mem_00000000000000000000000000', course: 'x' })
  const [question] = await questionsOf(person)
  t.not(question?.author, 'mem_00000000000000000000000000')
  t.not(question?.course, 'x')
})

test('a page without forms accepts no submissions', async t => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: kernel.url }
  t.is((await kernel.post('/courses/sailing', 'a=b', { headers })).status, 404)
})
