import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { stringify } from 'yaml'
import { checkRecipe } from '../../../bin/composition.ts'
import { RecipeError } from '../../../kernel/recipe/index.ts'
import { readRecipe } from '../../../kernel/recipe/read.ts'
import { changesOf, diffForms, type KeyedRow } from '../../../modules/forms/recipe/diff.ts'
import { contentOf } from '../../../modules/forms/services/editing.ts'
import { startTestKernel, type TestKernel } from '../../../testing/index.ts'
import { codeOf, type Listed } from '../people.ts'
import { CONTACT, FORMS, type Form, type Stage, type Submission, stage } from './stage.ts'

const contact = { name: 'Contact', access: 'public', notify: ['sales@acme.test'], schema: CONTACT }

test('a form of the recipe is the operator’s, found by its key, and read-only', async t => {
  const s: Stage = await stage({ forms: { contact } })
  t.teardown(s.stop)
  const operator = await s.operator()
  const { data } = (await operator.get<Listed<Form>>(FORMS)).body
  t.is(data.length, 1)
  t.like(data[0], { key: 'contact', managedBy: 'recipe', version: 1, url: 'http://localhost:8080/forms/contact' })
  const path = `${FORMS}/${data[0]?.id}`
  t.is(codeOf(await operator.patch(path, { name: 'Mine' })), '409 managed_by_recipe')
  t.is(codeOf(await operator.delete(path)), '409 managed_by_recipe')
  const sent = await s.kernel.post<Submission>(`${FORMS}/contact/submit`, { data: { email: 'a@b.test' } })
  t.is(sent.status, 201)
  t.is(sent.body.formId, data[0]?.id ?? '')
  const ada = await s.person()
  t.deepEqual((await ada.get<Listed<Form>>(FORMS)).body.data, [], 'tenants do not see it')
})

test('a changed recipe changes, adds and removes; nothing changes where nothing changed', async t => {
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
  t.deepEqual(await rows(), ['contact 1 Contact', 'survey 2 Poll recipe'], 'what somebody sent to keeps its form')
  await next({ contact: { ...contact, name: 'Write to us' } })
  t.deepEqual(await rows(), ['contact 2 Write to us recipe'])
})

const row = (key: string, more: Partial<KeyedRow> = {}): KeyedRow => ({
  ...contentOf({ name: key, schema: {}, access: 'public' }),
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

test('what a recipe would do is told before it is done', t => {
  const rows = [row('a'), row('b', { submissions: 12 }), row('c'), row('d', { managedBy: null })]
  const forms = { c: { name: 'c', schema: { title: 'x' } }, d: { name: 'd', schema: {} }, e: { name: 'e', schema: {} } }
  t.deepEqual(changesOf(diffForms(forms, rows)), [
    { change: 'change', subject: 'form c', detail: 'access, schema', breaks: 'the public can no longer send it' },
    {
      change: 'add',
      subject: 'form d',
      detail: 'takes over the form of the operator’s own',
      breaks: 'the public can no longer send it',
    },
    { change: 'add', subject: 'form e', detail: 'at /forms/e' },
    { change: 'remove', subject: 'form a', breaks: 'visitors find nothing at /forms/a' },
    { change: 'remove', subject: 'form b', detail: '12 submissions: it stays, as a form of the operator’s own' },
  ])
})

/** `place message` of everything that is wrong. */
async function faults(t: ExecutionContext, forms: object): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-forms-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'recipe.yaml')
  const product = { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080' }
  writeFileSync(file, stringify({ recipe: 1, product, modules: { identity: {}, forms: {} }, forms }))
  const error = await t.throwsAsync(checkRecipe(readRecipe(file, {})), { instanceOf: RecipeError })
  if (!(error instanceof RecipeError)) return []
  t.true(
    error.problems.every(({ line }) => line > 8),
    'each names its own line',
  )
  return error.problems.map(({ path, message }) => `${path} ${message}`)
}

test('a schema in the recipe that would not do is told with its line', async t => {
  const told = await faults(t, {
    remote: { name: 'x', schema: { properties: { a: { $ref: 'https://evil.test/a.json' } } } },
    pattern: { name: 'x', schema: { properties: { a: { pattern: '(a)\\1' } } } },
    meta: { name: 'x', schema: { properties: { a: { type: 'text' } } } },
    origin: { name: 'x', schema: {}, allowedOrigins: ['https://shop.example:443'] },
  })
  const seen = (start: string) =>
    t.true(
      told.some(line => line.startsWith(start)),
      `${start}\n${told.join('\n')}`,
    )
  seen('forms.remote.schema.properties.a.$ref schema.properties.a.$ref must name a part of this schema')
  seen('forms.pattern.schema.properties.a.pattern schema.properties.a.pattern cannot be run in linear time')
  seen('forms.meta.schema.properties.a.type schema.properties.a.type must be')
  seen("forms.origin.allowedOrigins[0] 'https://shop.example:443' is no origin")
  t.is(told.length, 4)
})

test('the shape of the section is checked by its schema', async t => {
  const told = await faults(t, {
    'Not A Key': { name: 'x', schema: {} },
    a: { schema: {} },
    b: { name: 'x', schema: {}, colour: 1 },
  })
  for (const start of ['forms', 'forms.a', 'forms.b.colour'])
    t.true(
      told.some(line => line.startsWith(start)),
      `${start}\n${told.join('\n')}`,
    )
})
