/** A property that a record and a body of a module gain passes through the service. The modules are copies. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { type Person, startTestKernel } from '../../testing/index.ts'

interface Extension {
  readonly module: string
  readonly tables: readonly string[]
  /** The file of the record, and what follows the new property. */
  readonly record: readonly [file: string, anchor: string]
  readonly body: readonly [file: string, anchor: string]
  /** Creates a record. Returns its path. */
  readonly create: (owner: Person) => Promise<string>
}
type Created = { readonly id: string }

const IN_RECORD = 'added: Nullable(Type.String()), '
const IN_BODY = 'added: Type.Optional(Type.String()), '

const createForm = async (owner: Person): Promise<string> => {
  const schema = { type: 'object', properties: { name: { type: 'string' } } }
  const { body } = await owner.post<Created>('/v1/forms', { name: 'Contact', access: 'public', schema })
  return `/v1/forms/${body.id}`
}
const creation =
  (path: string, body: object, key: 'id' | 'key' = 'id') =>
  async (owner: Person): Promise<string> => {
    const created = await owner.post<Record<'id' | 'key', string>>(path, body)
    if (created.status !== 201) throw new Error(JSON.stringify(created.body))
    return `${path}/${created.body[key]}`
  }

const EXTENSIONS: Readonly<Record<string, Extension>> = {
  'a form': {
    module: 'forms',
    tables: ['forms_forms'],
    record: ['records/form.js', 'allowedOrigins: Type.Array(Type.String()),'],
    body: ['records/form.js', 'allowedOrigins: Type.Optional(AllowedOrigins),'],
    create: createForm,
  },
  'a submission': {
    module: 'forms',
    tables: ['forms_submissions'],
    record: ['records/submission.js', 'note: Nullable('],
    body: ['records/submission.js', 'note: Type.Optional('],
    async create(owner) {
      const form = await createForm(owner)
      const { body } = await owner.post<Created>(`${form}/submit`, { data: { name: 'Ada' } })
      return `${form}/submissions/${body.id}`
    },
  },
  'a webhook endpoint': {
    module: 'webhooks',
    tables: ['webhooks_endpoints'],
    record: ['records/endpoint.js', 'description: Nullable(Type.String()),'],
    body: ['records/endpoint.js', 'description: Nullable(EndpointDescription) }'],
    create: creation('/v1/webhooks/endpoints', { url: 'https://hooks.example.com/', events: ['*'] }),
  },
  'a user': {
    module: 'identity',
    tables: ['identity_users'],
    record: ['records/account.js', 'timeZone: Nullable('],
    body: ['routes/account.js', 'timeZone: Type.Optional('],
    create: async () => '/v1/auth/me',
  },
  'a workspace': {
    module: 'identity',
    tables: ['identity_tenants'],
    record: ['records/tenant.js', 'slug: Type.String(),'],
    body: ['routes/tenants.js', 'slug: Type.Optional(Slug) }),\n        replies: { 200:'],
    create: async ({ tenantId }) => `/v1/identity/tenants/${tenantId}`,
  },
  'an API key': {
    module: 'identity',
    tables: ['identity_api_keys'],
    record: ['records/api-key.js', 'prefix: Type.String('],
    body: ['routes/api-keys.js', 'name: Type.Optional(Name), ...Restrictions'],
    create: creation('/v1/identity/api-keys', { name: 'Key' }),
  },
  'a feature': {
    module: 'features',
    tables: ['features_flags', 'features_revisions'],
    record: ['records/flag.js', 'description: Nullable(Type.String()),'],
    body: ['records/flag.js', 'description: Type.Optional(Nullable('],
    create: creation('/v1/features', { key: 'dark-mode', default: false }, 'key'),
  },
  'a redirect': {
    module: 'content',
    tables: ['content_redirects'],
    record: ['records/redirect.js', 'managedBy: ManagedBy,'],
    body: ['records/redirect.js', 'status: Type.Optional(RedirectStatus)'],
    create: creation('/v1/content/redirects', { from: '/old', to: '/new' }),
  },
  'a conversation': {
    module: 'messaging',
    tables: ['messaging_conversations'],
    record: ['records/conversation.js', 'subject: Nullable(Type.String()),'],
    body: ['records/conversation.js', 'status: Type.Optional(OneOf(STATUSES)),'],
    create: creation('/v1/messaging/conversations', { subject: 'Hello', participantIds: [] }),
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
    const columns = own.flatMap(({ tables }) => tables.map(table => `alter table ${table} add column added text`))
    const migration = `export const up = m => m.query(${JSON.stringify(columns.join('; '))})\n`
    await writeFile(join(to, 'migrations/9999-added.js'), migration)
    for (const { record, body } of own) {
      await insert(join(to, record[0]), record[1], IN_RECORD)
      await insert(join(to, body[0]), body[1], IN_BODY)
    }
  }
  return Object.fromEntries(names.map(name => [name, { use: join(folder, name) }]))
}

async function insert(file: string, anchor: string, property: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  if (!text.includes(anchor)) throw new Error(`${file} does not contain ${anchor}`)
  await writeFile(file, text.replaceAll(anchor, property + anchor))
}

test('a new column of a record passes through the patch of its service', async t => {
  // Copies inside the package import the same kernel.
  const folder = await mkdtemp(fileURLToPath(new URL('extended-', import.meta.url)))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const kernel = await startTestKernel({ recipe: { modules: { comms: {}, ...(await extendedModules(folder)) } } })
  t.teardown(() => kernel.stop())
  const owner = await kernel.register('owner@example.test')
  for (const [what, { create }] of Object.entries(EXTENSIONS)) {
    const path = await create(owner)
    const { status, body } = await owner.patch<Record<string, unknown>>(path, { added: 'written' })
    t.is(status, 200, `${what}: ${JSON.stringify(body)}`)
    t.is((body.user as typeof body | undefined)?.added ?? body.added, 'written', what)
  }
})
