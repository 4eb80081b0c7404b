import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { stringify } from 'yaml'
import { checkRecipe } from '../../../../bin/composition.ts'
import { RecipeError } from '../../../../kernel/recipe/index.ts'
import { readRecipe } from '../../../../kernel/recipe/read.ts'
import { diffForms, forms as section } from '../../../../modules/forms/recipe/forms.ts'
import type { KeyedFormRow } from '../../../../modules/forms/services/form-repository.ts'
import { toFormContent } from '../../../../modules/forms/services/form-service.ts'
import { startTestKernel, type TestKernel } from '../../../../testing/index.ts'
import { codeOf } from '../../../fixtures/people.ts'
import { CONTACT, type Fixtures, FORMS, type Submission, startFixtures } from '../fixtures.ts'

const contact = { name: 'Contact', access: 'public', notify: ['sales@acme.test'], schema: CONTACT }

test('a form of the recipe belongs to the operator, is found by its key, and is read-only', async t => {
  const s: Fixtures = await startFixtures({ forms: { contact } })
  t.teardown(s.stop)
  const operator = await s.operator()
  const { data } = (await operator.get(FORMS)).body
  t.is(data.length, 1)
  t.like(data[0], { key: 'contact', managedBy: 'recipe', version: 1, url: 'http://localhost:8080/forms/contact' })
  const path = `${FORMS}/${data[0]?.id}`
  t.is(codeOf(await operator.patch(path, { name: 'Mine' })), '409 managed_by_recipe')
  t.is(codeOf(await operator.delete(path)), '409 managed_by_recipe')
  const sent = await s.kernel.post<Submission>(`${FORMS}/contact/submit`, { data: { email: 'a@b.test' } })
  t.is(sent.status, 201)
  t.is(sent.body.formId, data[0]?.id ?? '')
  const ada = await s.person()
  t.deepEqual((await ada.get(FORMS)).body.data, [], 'tenants don’t see it')
})

test('a changed recipe adds, changes and removes forms, and the same recipe changes nothing', async t => {
  const base = { modules: { identity: {}, forms: {} } }
  const holder = await startTestKernel({
    recipe: { ...base, forms: { contact, survey: { name: 'Survey', schema: {} } } },
  })
  let current: TestKernel = holder
  t.teardown(async () => {
    if (current !== holder) await current.stop()
    await holder.stop()
  })
  const next = async (forms: object) => {
    if (current !== holder) await current.stop()
    current = await startTestKernel({ recipe: { ...base, forms }, database: holder.databaseUrl })
  }
  const rows = async () => {
    const { database, operator } = current.kernel.ports
    const found = await database
      .tenant(operator.tenantId)
      .query<{ row: string }>(
        `select key || ' ' || version || ' ' || name || coalesce(' ' || managed_by, '') as row from forms_forms order by key`,
      )
    return found.rows.map(({ row }) => row)
  }
  t.deepEqual(await rows(), ['contact 1 Contact recipe', 'survey 1 Survey recipe'])
  await next({ contact, survey: { name: 'Survey', schema: {} } })
  t.deepEqual(await rows(), ['contact 1 Contact recipe', 'survey 1 Survey recipe'])
  t.is((await current.post(`${FORMS}/contact/submit`, { data: { email: 'a@b.test' } })).status, 201)
  await next({ survey: { name: 'Poll', schema: {} } })
  t.deepEqual(await rows(), ['contact 1 Contact', 'survey 2 Poll recipe'], 'a form with submissions is kept')
  await next({ contact: { ...contact, name: 'Write to us' } })
  t.deepEqual(await rows(), ['contact 2 Write to us recipe'])
})

const row = (key: string, more: Partial<KeyedFormRow> = {}): KeyedFormRow => ({
  ...toFormContent({ name: key, schema: {}, access: 'public' }),
  notify: [],
  allowedOrigins: [],
  id: `frm_${key}`,
  key,
  version: 1,
  managedBy: 'recipe',
  recipeHash: 'another',
  submissions: 0,
  ...more,
})

test('a plan describes all changes', async t => {
  const rows = [row('a'), row('b', { submissions: 12 }), row('c'), row('d', { managedBy: null })]
  const forms = { c: { name: 'c', schema: { title: 'x' } }, d: { name: 'd', schema: {} }, e: { name: 'e', schema: {} } }
  t.deepEqual(await section.describe(diffForms(forms, rows), {} as never), [
    { change: 'change', subject: 'form c', detail: 'access, schema', breaks: 'the public can no longer submit it' },
    {
      change: 'add',
      subject: 'form d',
      detail: 'takes over a form of the operator',
      breaks: 'the public can no longer submit it',
    },
    { change: 'add', subject: 'form e', detail: 'at /forms/e' },
    { change: 'remove', subject: 'form a', breaks: '/forms/a returns 404' },
    { change: 'remove', subject: 'form b', detail: 'has 12 submissions and stays, as a form of the operator' },
  ])
})

test('lists the fields that a changed form removes', async t => {
  const schema = (properties: object) => ({ name: 'C', schema: { properties } })
  const address = (properties: object) => ({ type: 'object', properties })
  const before = schema({ email: {}, phone: {}, address: address({ city: {}, zip: {} }) })
  const after = schema({ email: {}, address: address({ city: {} }), age: {} })
  const row = { key: 'c', id: 'frm_1', version: 1, managedBy: 'recipe', recipeHash: 'old', submissions: 0 }
  const rows = [{ ...row, ...toFormContent(before as never) }] as unknown as KeyedFormRow[]
  t.is(
    (await section.describe(diffForms({ c: after } as never, rows), {} as never))[0]?.detail,
    'schema (removes phone, address.zip)',
  )
})

/** The problems that the check of a recipe reports, as `path message`. */
async function problemsOf(t: ExecutionContext, forms: object): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-forms-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'recipe.yaml')
  const product = { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080' }
  writeFileSync(file, stringify({ recipe: 1, product, modules: { identity: {}, forms: {} }, forms }))
  const error = await t.throwsAsync(checkRecipe(readRecipe(file, {})), { instanceOf: RecipeError })
  if (!(error instanceof RecipeError)) return []
  t.true(
    error.problems.every(({ line }) => line > 8),
    'each has its own line',
  )
  return error.problems.map(({ path, message }) => `${path} ${message}`)
}

test('reports invalid schemas in the recipe with their lines', async t => {
  const found = await problemsOf(t, {
    remote: { name: 'x', schema: { properties: { a: { $ref: 'https://evil.test/a.json' } } } },
    pattern: { name: 'x', schema: { properties: { a: { pattern: '(a)\\1' } } } },
    meta: { name: 'x', schema: { properties: { a: { type: 'text' } } } },
    origin: { name: 'x', schema: {}, allowedOrigins: ['https://shop.example:443'] },
  })
  const assertFound = (start: string) =>
    t.true(
      found.some(line => line.startsWith(start)),
      `${start}\n${found.join('\n')}`,
    )
  assertFound('forms.remote.schema.properties.a.$ref schema.properties.a.$ref must point into this schema')
  assertFound(
    'forms.pattern.schema.properties.a.pattern schema.properties.a.pattern is not a pattern that runs in linear time',
  )
  assertFound('forms.meta.schema.properties.a.type schema.properties.a.type must be')
  assertFound("forms.origin.allowedOrigins[0] 'https://shop.example:443' is not an origin")
  t.is(found.length, 4)
})

test('the schema checks the shape of the section', async t => {
  const found = await problemsOf(t, {
    'Not A Key': { name: 'x', schema: {} },
    a: { schema: {} },
    b: { name: 'x', schema: {}, colour: 1 },
  })
  for (const start of ['forms', 'forms.a', 'forms.b.colour'])
    t.true(
      found.some(line => line.startsWith(start)),
      `${start}\n${found.join('\n')}`,
    )
})
