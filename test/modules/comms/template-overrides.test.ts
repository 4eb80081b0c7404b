import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import type { Person, TestResponse } from '../../../testing/index.ts'
import type { EmailTemplateText as Template } from '../../fixtures/api-types.ts'
import { withPeople } from '../../fixtures/with-people.ts'

interface ProblemDocument {
  code: string
  errors?: { pointer: string; detail: string }[]
}

const FILES = {
  'hello.hbs': '---\nsubject: Hello {{name}}\nsample: { name: Sam }\n---\n<p>Hello {{name}}</p>',
  'hello.de.hbs': '---\nsubject: Hallo {{name}}\n---\n<p>Hallo {{name}}</p>',
}
const PATH = '/v1/communications/templates/shop.hello'
const OWN = { subject: 'Ahoy {{name}}', html: '<p>Ahoy {{name}}</p>' }

const folder = mkdtempSync(join(tmpdir(), 'larder-overrides-'))
let people = 0

const { kernel } = withPeople(test, () => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  return {
    folder,
    recipe: {
      locales: { default: 'en', available: ['en', 'de'] },
      modules: { identity: {}, comms: {} },
      emails: { 'shop.hello': { template: './hello.hbs' } },
    },
  }
})
test.after.always(() => rmSync(folder, { recursive: true, force: true }))

const person = () => kernel.register(`person-${++people}@example.test`)
const problem = (answer: TestResponse<unknown>) => answer.body as ProblemDocument
const subjectOf = async (who: Person, locale: string) =>
  (await who.get<{ subject: string }>(`${PATH}/preview?locale=${locale}`)).body.subject
/** Subjects of the emails to an address, oldest first. */
async function received(to: string): Promise<string[]> {
  await kernel.settled()
  const { body } = await kernel.get(`/v1/communications/mailbox?filter[to]=${to}`)
  return body.data.map(({ subject }) => subject).reverse()
}

test('reads, overrides and restores a template in one locale', async t => {
  const ada = await person()
  t.like((await ada.get<Template>(PATH)).body, {
    key: 'shop.hello',
    locale: 'en',
    source: 'recipe',
    subject: 'Hello {{name}}',
    html: '<p>Hello {{name}}</p>',
    updatedAt: null,
  })
  t.like((await ada.get<Template>(`${PATH}?locale=de`)).body, { locale: 'de', subject: 'Hallo {{name}}' })

  const made = await ada.put<Template>(PATH, OWN)
  t.is(made.status, 201)
  t.is(made.headers.get('location'), `${PATH}?locale=en`)
  t.like(made.body, { source: 'tenant', locale: 'en', preheader: null, text: null })
  t.is((await ada.put<Template>(PATH, { ...OWN, preheader: 'Hi' })).status, 200)
  t.like((await ada.get<Template>(PATH)).body, { source: 'tenant', subject: 'Ahoy {{name}}', preheader: 'Hi' })
  t.deepEqual([await subjectOf(ada, 'en'), await subjectOf(ada, 'de')], ['Ahoy Sam', 'Hallo Sam'])
  const list = await ada.get('/v1/communications/templates')
  t.deepEqual(list.body.data.find(({ key }) => key === 'shop.hello')?.own, ['en'])

  t.is((await ada.delete(PATH)).status, 204)
  t.like(problem(await ada.delete(PATH)), { code: 'not_overridden' })
  t.is(await subjectOf(ada, 'en'), 'Hello Sam')
})

test('hides overrides from other tenants', async t => {
  const [ada, eve] = [await person(), await person()]
  await ada.put<Template>(PATH, OWN)
  t.is((await eve.get<Template>(PATH)).body.source, 'recipe')
  t.is((await eve.delete(PATH)).status, 404)
  t.is(await subjectOf(eve, 'en'), 'Hello Sam')
  t.is((await eve.with({ 'x-tenant-id': ada.tenantId }).put(PATH, OWN)).status, 403)
})

test('stores one of several concurrent overrides', async t => {
  const ada = await person()
  const texts = Array.from({ length: 6 }, (_, n) => ({ ...OWN, subject: `${n} {{name}}` }))
  const answers = await Promise.all(texts.map(text => ada.put<Template>(PATH, text)))
  t.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 200, 200, 200, 201])
  t.regex((await ada.get<Template>(PATH)).body.subject, /^\d \{\{name\}\}$/)
})

test('sends the override in the requested locale', async t => {
  const ada = await person()
  const to = 'override@example.test'
  await ada.put(`${PATH}?locale=de`, { subject: 'Moin {{name}}', html: '<p>Moin</p>', text: 'Moin, ganz schlicht' })
  for (const locale of ['en', 'de', 'de-AT', 'fr'])
    await ada.post('/v1/communications/messages', { templateKey: 'shop.hello', to, data: { name: 'Bob' }, locale })
  t.deepEqual((await received(to)).toSorted(), ['Hello Bob', 'Hello Bob', 'Moin Bob', 'Moin Bob'])
})

test('sends a test email with the override and the sample data', async t => {
  const ada = await person()
  await ada.put<Template>(PATH, OWN)
  const to = 'tester@example.test'
  const answer = await ada.post<{ status: string; to: string; subject: string }>(`${PATH}/test`, { to })
  t.is(answer.status, 202)
  t.like(answer.body, { status: 'queued', to, subject: 'Ahoy Sam' })
  await ada.post(`${PATH}/test`, { to, locale: 'de', data: { name: 'Eve' } })
  t.deepEqual((await received(to)).toSorted(), ['Ahoy Sam', 'Hallo Eve'])
  const link = { $link: { path: '/x', purpose: 'invitation', id: 'inv_1', version: 1 } }
  t.is(problem(await ada.post(`${PATH}/test`, { to, data: { name: link } })).code, 'link_in_data')
  t.is(problem(await ada.post(`${PATH}/test`, { to: 'a@b.test, c@d.test' })).code, 'invalid_address')
  t.is((await ada.post(`${PATH}/test`, {})).status, 422)
  t.is((await ada.post(`${PATH.replace('hello', 'gone')}/test`, { to })).status, 404)
})

test('previews a draft before it is stored', async t => {
  const ada = await person()
  const look = (draft: object) => ada.post<{ subject: string; html: string }>(`${PATH}/preview`, { draft })
  t.is((await look({ ...OWN, subject: 'Draft {{name}}' })).body.subject, 'Draft Sam')
  t.is(problem(await look({ ...OWN, html: '{{#if x}}' })).code, 'template_invalid')
  t.is(problem(await look({ ...OWN, html: '{{nobody}}' })).code, 'template_failed')
  t.is((await ada.get<Template>(PATH)).body.source, 'recipe')
})

for (const [what, body, code, pointer] of [
  ['a template that does not compile', { ...OWN, html: '<p>{{#if name}}</p>' }, 'template_invalid', '/html'],
  ['an unescaped value', { ...OWN, html: '{{{name}}}' }, 'template_invalid', '/html'],
  ['a URL without the helper', { ...OWN, html: '<a href="{{name}}">x</a>' }, 'template_invalid', '/html'],
  ['a subject that does not compile', { ...OWN, subject: '{{' }, 'template_invalid', '/subject'],
  ['a name that is missing in the sample', { ...OWN, html: '{{surname}}' }, 'template_failed', '/data/surname'],
  ['access to a prototype', { ...OWN, html: '{{name.constructor.name}}' }, 'template_failed', undefined],
  ['loops that exceed the time limit', { ...OWN, html: LOOPS() }, 'template_failed', undefined],
  ['no subject', { html: 'x' }, 'validation_failed', '/subject'],
  ['an empty body', { ...OWN, html: '' }, 'validation_failed', '/html'],
  ['a subject that shows nothing', { ...OWN, subject: '\u200b\u2800' }, 'validation_failed', '/subject'],
  ['a body that shows nothing', { ...OWN, html: '\u3164 \n' }, 'validation_failed', '/html'],
  ['a subject of two lines', { ...OWN, subject: 'a\nBcc: b' }, 'validation_failed', '/subject'],
  ['a body of the wrong type', { ...OWN, html: 7 }, 'validation_failed', '/html'],
  ['a body that is too large', { ...OWN, html: 'x'.repeat(65_537) }, 'validation_failed', '/html'],
  ['an unknown field', { ...OWN, category: 'transactional' }, 'validation_failed', '/category'],
] as const)
  test(`rejects ${what} without storing it`, async t => {
    const ada = await person()
    const answer = await ada.put<Template>(PATH, body)
    t.is(answer.status, 422, JSON.stringify(answer.body))
    t.is(problem(answer).code, code)
    if (pointer) t.is(problem(answer).errors?.[0]?.pointer, pointer)
    t.is((await ada.get<Template>(PATH)).body.source, 'recipe')
  })

/** The data has no lists: the template itself causes the cost. */
function LOOPS(): string {
  return '{{#each @root}}'.repeat(18) + '{{/each}}'.repeat(18)
}

test('rejects unknown locales and templates', async t => {
  const ada = await person()
  const french = await ada.put(`${PATH}?locale=fr`, OWN)
  t.is(french.status, 422)
  t.is(problem(french).errors?.[0]?.detail, 'must be one of en, de: locales.available of the recipe')
  t.is((await ada.get(`${PATH}?locale=xx_YY`)).status, 422)
  t.is((await ada.get(`${PATH}?lang=de`)).status, 400)
  for (const path of ['shop.gone', '__proto__', 'constructor'].map(key => `/v1/communications/templates/${key}`)) {
    t.is((await ada.get(path)).status, 404, path)
    t.is((await ada.put(path, OWN)).status, 404, path)
  }
})

test('requires the update permission to override templates', async t => {
  const ada = await person()
  const made = await ada.with({ 'x-tenant-id': ada.tenantId }).post<{ key: string }>('/v1/identity/api-keys', {
    name: 'reader',
    permissions: ['communications.template.read'],
  })
  const reader = kernel.as(made.body.key)
  t.is((await reader.get(PATH)).status, 200)
  for (const answer of [
    await reader.put(PATH, OWN),
    await reader.delete(PATH),
    await reader.post(`${PATH}/test`, { to: 'x@example.test' }),
  ])
    t.deepEqual([answer.status, problem(answer).code], [403, 'forbidden'])
})
