/** Pages of the recipe whose templates show rows of collections. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test from 'ava'
import { startTestKernel, type TestKernel } from '../../../../testing/index.ts'
import type { Listed } from '../../../fixtures/people.ts'

const HOSTILE = '**Sea** <script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1))'

const recipe = {
  locales: { default: 'en', available: ['en', 'de'] },
  theme: { use: './theme' },
  modules: { identity: {}, comms: {}, content: { templates: ['courses', 'course'] }, collections: {} },
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
  },
  pages: {
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

let folder: string
let kernel: TestKernel
test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-pages-'))
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, 'theme', name)), { recursive: true })
    await writeFile(join(folder, 'theme', name), text)
  }
  kernel = await startTestKernel({ recipe, folder, role: 'web' })
})
test.after.always(async () => {
  await kernel?.stop()
  await rm(folder, { recursive: true, force: true })
})

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
