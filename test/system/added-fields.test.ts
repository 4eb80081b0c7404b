/**
 * A field of sessions and one of submissions take two edits each: the record and its words. `larder migration new` writes
 * the migration. The modules are copies.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import anyTest, { type TestFn } from 'ava'
import { codeRoot, packageRoot } from '../../kernel/base/package-root.ts'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { run } from '../bin/command.ts'
import { addWords, insertProperty, PRIORITY, SESSION_RECORD, SUBMISSION_RECORD } from '../fixtures/priority-field.ts'
import { colleague, role } from '../modules/identity/fixtures.ts'
import { checkScreen, type OwnConsole, openFromNavigation, startOwnConsole } from './console-fixtures.ts'
import type { CleansUp } from './fixtures.ts'

const RECORDS = { sessions: SESSION_RECORD, forms: SUBMISSION_RECORD }
const MODULES = ['sessions', 'forms'] as const
const RECIPE = `recipe: 1
product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }
modules:
  identity: {}
  comms: { transport: mailbox }
  sessions: { use: ./sessions }
  forms: { use: ./forms }
`
const SECRET = 'a secret that only tests may know of'
interface Prioritized {
  readonly id: string
  readonly priority: number | null
}

const teardowns: (() => unknown)[] = []
const cleanup: CleansUp = { teardown: undo => void teardowns.unshift(undo) }
const test = anyTest as TestFn<OwnConsole & { readonly written: readonly string[]; readonly formId: string }>

/** Returns what the command line printed. */
async function extendModules(folder: string): Promise<string[]> {
  const database = await createTestDatabase({ migrations: [] })
  cleanup.teardown(() => database.drop())
  const larder = async (...args: string[]) => {
    const { code, out, err } = await run(cleanup, args, folder, {
      DATABASE_URL: database.ownerUrl,
      LARDER_SECRET: SECRET,
    })
    if (code !== 0) throw new Error(`larder ${args.join(' ')}: ${out}${err}`)
    return out
  }
  await writeFile(join(folder, 'recipe.yaml'), RECIPE)
  for (const name of MODULES)
    await cp(fileURLToPath(new URL(`modules/${name}/`, codeRoot)), join(folder, name), { recursive: true })
  await larder('migrate')
  const written: string[] = []
  for (const name of MODULES) {
    const { file, anchor } = RECORDS[name]
    await insertProperty(join(folder, name, file), anchor, PRIORITY.record)
    await addWords(join(folder, name, 'locales/de.yaml'))
    written.push(await larder('migration', 'new', name, 'priority'))
  }
  return written
}

test.before(async t => {
  // Inside the package, where workers find its dependencies, too, and outside the build, into which no migration is written.
  const parent = fileURLToPath(new URL('.larder', packageRoot))
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'added-fields-'))
  cleanup.teardown(() => rm(folder, { recursive: true, force: true }))
  const written = await extendModules(folder)
  const modules = Object.fromEntries(MODULES.map(name => [name, { use: join(folder, name) }]))
  const started = await startOwnConsole(cleanup, modules)
  const schema = { type: 'object', properties: { name: { type: 'string', title: 'Name' } } }
  const { status, body } = await started.ada.post('/v1/forms', {
    name: 'Contact',
    access: 'tenant',
    schema,
  })
  if (status !== 201) throw new Error(`the form was answered ${status}: ${JSON.stringify(body)}`)
  t.context = { ...started, written, formId: body.id }
})
test.after.always(async () => {
  for (const undo of teardowns) await undo()
})

test('migration new writes the column of each record', t => {
  for (const [at, table] of ['sessions_sessions', 'forms_submissions'].entries())
    t.true(t.context.written[at]?.includes(`new column ${table}.priority bigint`), t.context.written[at])
})

test('a session is created, returned, listed and published with the field', async t => {
  const { ada, kernel } = t.context
  const { status, body } = await ada.post<Prioritized>('/v1/sessions', { mode: 'screenshare', priority: 2 })
  t.is(status, 201, JSON.stringify(body))
  t.is((await ada.get<Prioritized>(`/v1/sessions/${body.id}`)).body.priority, 2)
  const { data } = (await ada.get<{ data: Prioritized[] }>('/v1/sessions')).body
  t.is(data.find(({ id }) => id === body.id)?.priority, 2)
  const events = await kernel.kernel.inspector.events.list({ tenantId: ada.tenantId, limit: 200 })
  t.like(events.data.find(({ subject }) => subject === body.id)?.payload, { priority: 2 })
})

const submit = async ({ ada, formId }: { ada: OwnConsole['ada']; formId: string }, name: string) => {
  const { status, body } = await ada.post(`/v1/forms/${formId}/submit`, { data: { name } })
  if (status !== 201) throw new Error(`the submission was answered ${status}: ${JSON.stringify(body)}`)
  return `/v1/forms/${formId}/submissions/${body.id}`
}

test('a submission is changed, returned, listed and exported with the field', async t => {
  const { ada, formId } = t.context
  const path = await submit(t.context, 'Grace')
  t.is((await ada.patch<Prioritized>(path, { priority: 2 })).body.priority, 2)
  t.is((await ada.patch(path, { priority: 6 })).status, 422)
  t.is((await ada.get<Prioritized>(path)).body.priority, 2)
  const list = `/v1/forms/${formId}/submissions`
  const { data } = (await ada.get<{ data: Prioritized[] }>(list)).body
  t.is(data.find(({ id }) => path.endsWith(id))?.priority, 2)
  const csv = (await ada.get<string>(list, { headers: { accept: 'text/csv' } })).body
  t.is(csv.split('\r\n')[0], 'id,createdAt,version,spam,priority,name,other')
  t.true(csv.includes(',2,Grace,'))
  const { body } = await ada.get('/v1/auth/me/export')
  t.true(JSON.stringify(body).includes('"priority":2'))
})

test.serial(
  'the console creates, lists and shows a session with the field, in the words of the locale file',
  async t => {
    const { ada, open, problems } = t.context
    const page = await open(ada, '/sessions/sessions/new')
    await page.getByLabel('Mode').selectOption('screenshare')
    await page.getByLabel('Priority').fill('3')
    t.is(await page.getByText('Most urgent first').count(), 1)
    await page.getByRole('button', { name: 'Create session' }).click()
    await page.locator('.properties dt', { hasText: 'Priority' }).waitFor()
    t.is(await page.locator('.properties > div', { hasText: 'Priority' }).locator('dd').innerText(), '3')
    const found = await checkScreen(page, 'session-priority')
    await openFromNavigation(page, 'Sessions')
    await page.getByRole('columnheader', { name: 'Priority' }).waitFor()
    await page.getByRole('cell', { name: '3', exact: true }).waitFor()
    await page.evaluate(`localStorage.setItem('larder.console.language', '"de"')`)
    await page.reload()
    await page.getByRole('columnheader', { name: 'Priorität' }).waitFor()
    t.deepEqual([...problems, ...found], [])
  },
)

test.serial(
  'the console lists, shows and changes a submission with the field, in the words of the locale file',
  async t => {
    const { ada, formId, open, problems } = t.context
    const path = await submit(t.context, 'Ada')
    await ada.patch(path, { priority: 4 })
    const page = await open(ada, `/forms/forms/${formId}?tab=submissions`)
    await page.getByRole('columnheader', { name: 'Priority' }).waitFor()
    await page.getByRole('row', { name: /Ada/ }).getByRole('cell', { name: '4', exact: true }).waitFor()
    await page.getByRole('row', { name: /Ada/ }).getByRole('link').click()
    await page.getByLabel('Priority').fill('5')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Changes saved.').waitFor()
    t.is((await ada.get<Prioritized>(path)).body.priority, 5)
    const found = await checkScreen(page, 'submission-priority')
    await page.evaluate(`localStorage.setItem('larder.console.language', '"de"')`)
    await page.reload()
    await page.getByLabel('Priorität').waitFor()
    await page.getByText('Dringendste zuerst').waitFor()
    t.deepEqual([...problems, ...found], [])
  },
)

test.serial('who may only read submissions sees the field', async t => {
  const { ada, formId, kernel, open } = t.context
  const path = await submit(t.context, 'Joan')
  await ada.patch(path, { priority: 1 })
  await role(ada, 'team.reader', ['forms.form.read', 'forms.submission.read'])
  const { person } = await colleague(kernel, ada, ['team.reader'])
  const page = await open({ ...person, tenantId: ada.tenantId }, `/forms/forms/${formId}?tab=submissions`)
  await page.getByRole('row', { name: /Joan/ }).getByRole('link').click()
  t.is(await page.locator('.properties > div', { hasText: 'Priority' }).locator('dd').innerText(), '1')
})
