/** A property that a record of a module gains is a field of the product. The modules are copies. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import anyTest, { type TestFn } from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { addWords, insertProperty, PRIORITY, SESSION_RECORD, SUBMISSION_RECORD } from '../fixtures/priority-field.ts'

interface Extension {
  readonly module: string
  readonly tables: readonly string[]
  /** The file of the record, and what follows the new property. */
  readonly record: readonly [file: string, anchor: string]
  /** The path of a list, and a body that creates a record. */
  readonly creation?: readonly [path: string, body: object, key?: 'key']
  /** Returns the path of a record that can be patched, unless that is what `creation` creates. */
  readonly find?: (owner: Person) => Promise<string>
}
type Created = { readonly id: string }

const test = anyTest as TestFn<{ kernel: TestKernel; owner: Person }>
let folder: string | undefined
let kernel: TestKernel | undefined
test.before(async t => {
  // Copies inside the package import the same kernel.
  folder = await mkdtemp(fileURLToPath(new URL('extended-', import.meta.url)))
  kernel = await startTestKernel({
    recipe: { modules: { comms: {}, streams: {}, ...(await extendedModules(folder)) } },
  })
  t.context = { kernel, owner: await kernel.register('owner@example.test') }
})
test.after.always(async () => {
  await kernel?.stop()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
})

const createForm = async (owner: Person): Promise<string> => {
  const schema = { type: 'object', properties: { name: { type: 'string' } } }
  const { body } = await owner.post('/v1/forms', { name: 'Contact', access: 'public', schema })
  return `/v1/forms/${body.id}`
}
const createSubmission = async (owner: Person): Promise<string> => {
  const form = await createForm(owner)
  const { body } = await owner.post<Created>(`${form}/submit`, { data: { name: 'Ada' } })
  return `${form}/submissions/${body.id}`
}
async function create(owner: Person, [path, body, key]: NonNullable<Extension['creation']>, more: object = {}) {
  const created = await owner.post<Created & { key: string; priority?: number }>(path, { ...body, ...more })
  if (created.status !== 201) throw new Error(JSON.stringify(created.body))
  return { path: `${path}/${created.body[key ?? 'id']}`, priority: created.body.priority }
}

const EXTENSIONS: Readonly<Record<string, Extension>> = {
  'a form': {
    module: 'forms',
    tables: ['forms_forms'],
    record: ['records/form.js', 'allowedOrigins: Writable('],
    creation: ['/v1/forms', { name: 'Contact', access: 'public', schema: { type: 'object' } }],
  },
  'a submission': {
    module: 'forms',
    tables: ['forms_submissions'],
    record: [SUBMISSION_RECORD.file, SUBMISSION_RECORD.anchor],
    find: createSubmission,
  },
  'a session': {
    module: 'sessions',
    tables: ['sessions_sessions'],
    record: [SESSION_RECORD.file, SESSION_RECORD.anchor],
  },
  'a webhook endpoint': {
    module: 'webhooks',
    tables: ['webhooks_endpoints'],
    record: ['records/endpoint.js', 'description: Writable('],
    creation: ['/v1/webhooks/endpoints', { url: 'https://hooks.example.com/', events: ['*'] }],
  },
  'a user': {
    module: 'identity',
    tables: ['identity_users'],
    record: ['users/records/account.js', 'timeZone: Writable('],
    find: async () => '/v1/auth/me',
  },
  'a workspace': {
    module: 'identity',
    tables: ['identity_tenants'],
    record: ['workspaces/records.js', 'slug: Writable('],
    find: async ({ tenantId }) => `/v1/identity/tenants/${tenantId}`,
  },
  'an API key': {
    module: 'identity',
    tables: ['identity_api_keys'],
    record: ['workspaces/keys/records.js', 'permissions: Writable('],
    creation: ['/v1/identity/api-keys', { name: 'Key' }],
  },
  'a role': {
    module: 'identity',
    tables: ['identity_roles'],
    record: ['workspaces/roles/records.js', 'permissions: Writable('],
    creation: ['/v1/identity/roles', { key: 'team.guest', name: 'Guest', permissions: [] }, 'key'],
  },
  'a feature': {
    module: 'features',
    tables: ['features_flags', 'features_revisions'],
    record: ['records/flag.js', 'description: Writable('],
    creation: ['/v1/features', { key: 'dark-mode', default: false }, 'key'],
  },
  'a page': {
    module: 'content',
    tables: ['content_versions'],
    record: ['records/page.js', 'template: Writable('],
    creation: ['/v1/content/pages', { slug: 'about', title: 'About' }],
  },
  'a redirect': {
    module: 'content',
    tables: ['content_redirects'],
    record: ['records/redirect.js', 'managedBy: ManagedBy,'],
    creation: ['/v1/content/redirects', { from: '/old', to: '/new' }],
  },
  'a conversation': {
    module: 'messaging',
    tables: ['messaging_conversations'],
    record: ['records/conversation.js', 'subject: Writable('],
    creation: ['/v1/messaging/conversations', { subject: 'Hello', participantIds: [] }],
  },
}

/** Copies the modules with the new properties and their columns. Returns what the recipe names. */
async function extendedModules(folder: string): Promise<Record<string, { use: string }>> {
  const extensions = Object.values(EXTENSIONS)
  const names = [...new Set(extensions.map(({ module }) => module))]
  for (const name of names) {
    const to = join(folder, name)
    await cp(new URL(`dist/modules/${name}/`, packageRoot), to, { recursive: true })
    const own = extensions.filter(({ module }) => module === name)
    const columns = own.flatMap(extension =>
      extension.tables.map(table => `alter table ${table} add column ${PRIORITY.column}`),
    )
    const migration = `export const up = m => m.query(${JSON.stringify(columns.join('; '))})\n`
    await writeFile(join(to, 'migrations/9999-added.js'), migration)
    for (const extension of own) {
      const [file, anchor] = extension.record
      await insertProperty(join(to, file), anchor, PRIORITY.record)
    }
    await addWords(join(to, 'locales/de.yaml'))
  }
  return Object.fromEntries(names.map(name => [name, { use: join(folder, name) }]))
}

test('a new property of a record passes through the patch of its service', async t => {
  const { owner } = t.context
  for (const [what, { creation, find }] of Object.entries(EXTENSIONS)) {
    const path = creation ? (await create(owner, creation)).path : await find?.(owner)
    if (path === undefined) continue
    const { status, body } = await owner.patch<Record<string, unknown>>(path, { priority: 2 })
    t.is(status, 200, `${what}: ${JSON.stringify(body)}`)
    t.is(((body.user as typeof body | undefined) ?? body).priority, 2, what)
  }
})

/** Instead of the values that another test has taken. */
const OTHERS: Readonly<Record<string, object>> = {
  'a role': { key: 'team.visitor' },
  'a feature': { key: 'light-mode' },
  'a page': { slug: 'contact' },
  'a redirect': { from: '/older' },
}
test('a new property of a record is written when the record is created', async t => {
  for (const [what, { creation }] of Object.entries(EXTENSIONS))
    if (creation) t.is((await create(t.context.owner, creation, { ...OTHERS[what], priority: 2 })).priority, 2, what)
})

type Prioritized = Created & { readonly priority: number | null }

test('a property of the record of sessions is in the body, the replies and the event', async t => {
  const { kernel, owner } = t.context
  const { status, body } = await owner.post<Created>('/v1/sessions', { mode: 'screenshare', priority: 2 })
  t.is(status, 201, JSON.stringify(body))
  t.is((await owner.get<Prioritized>(`/v1/sessions/${body.id}`)).body.priority, 2)
  const listed = await owner.get<{ data: readonly Prioritized[] }>('/v1/sessions')
  t.is(listed.body.data.find(({ id }) => id === body.id)?.priority, 2)
  const events = await kernel.kernel.inspector.events.list({ tenantId: owner.tenantId, limit: 200 })
  const created = events.data.find(({ type, subject }) => type === 'sessions.session.created' && subject === body.id)
  t.like(created?.payload, { priority: 2 })
})

test('a property of the record of sessions is in the body, the replies and the events of streams', async t => {
  const { kernel, owner } = t.context
  const { status, body } = await owner.post<Created>('/v1/streams', { title: 'Launch', priority: 2 })
  t.is(status, 201, JSON.stringify(body))
  t.is((await owner.get<Prioritized>(`/v1/streams/${body.id}`)).body.priority, 2)
  await owner.post(`/v1/streams/${body.id}/sources`, { kind: 'camera' })
  const events = await kernel.kernel.inspector.events.list({ tenantId: owner.tenantId, limit: 200 })
  const changed = events.data.find(
    ({ type, subject }) => type === 'streams.stream.sources_updated' && subject === body.id,
  )
  t.like(changed?.payload, { priority: 2 })
})

test('a property of the record of sessions is validated as its body declares', async t => {
  const { status, body } = await t.context.owner.post('/v1/sessions', { mode: 'screenshare', priority: 6 })
  t.is(status, 422)
  t.like(body, { errors: [{ pointer: '/priority' }] })
})

test('a property of the record of workspaces is in the memberships of an account', async t => {
  const { owner } = t.context
  await owner.patch(`/v1/identity/tenants/${owner.tenantId}`, { priority: 2 })
  const { body } = await owner.get<{ memberships?: { tenant: Prioritized }[] }>('/v1/auth/me')
  t.is(body.memberships?.find(({ tenant }) => tenant.id === owner.tenantId)?.tenant.priority, 2)
})

test('a property of the record of API keys is in the export of the account', async t => {
  const { kernel } = t.context
  const ada = await kernel.register('ada@example.test')
  await ada.post('/v1/identity/api-keys', { name: 'Own', priority: 2 })
  const { body } = await ada.get<{ apiKeys?: { name: string; priority: number }[] }>('/v1/auth/me/export')
  t.is(body.apiKeys?.find(({ name }) => name === 'Own')?.priority, 2)
})

test('a property of the record of submissions is in the export', async t => {
  const { owner } = t.context
  const path = await createSubmission(owner)
  await owner.patch(path, { priority: 2 })
  const list = path.slice(0, path.lastIndexOf('/'))
  const { body } = await owner.get<string>(list, { headers: { accept: 'text/csv' } })
  t.is(body.split('\r\n')[0], 'id,createdAt,version,spam,priority,name,other')
  t.true(body.includes(',2,Ada,'))
})

for (const id of ['sessions.sessions', 'forms.submissions'])
  test(`a property of the record of ${id} is in its list, in the words of the reader`, async t => {
    const headers = { 'accept-language': 'de' }
    const { body } = await t.context.owner.get('/v1/platform/resources', { headers })
    const resource = body.data.find(found => found.id === id)
    t.true(resource?.columns.includes('priority'))
    t.is(resource?.labels.priority, 'Priorität')
    t.is(resource?.hints['Most urgent first'], 'Dringendste zuerst')
  })

test('CONTRIBUTING.md shows the two edits', async t => {
  const guide = (await readFile(new URL('CONTRIBUTING.md', packageRoot), 'utf8')).replace(/^ {8}/gm, '')
  t.true(guide.includes(PRIORITY.record))
  t.true(guide.includes(PRIORITY.words.join('\n')))
})
