/** What a dump's test reads through the API. A dump stores the answers; a later version may add fields to them. */
import type { Client, TestKernel } from '../../testing/index.ts'
import type { Seeded } from './seed.ts'

interface Read {
  readonly as: 'owner' | 'member' | 'operator' | 'key' | 'public'
  readonly path: string
  /** Fields that have to keep their values. */
  readonly fields: readonly string[]
}
type Row = Readonly<Record<string, unknown>>
/** By the name of the read: the kept fields of each row. */
export type Answers = Readonly<Record<string, readonly Row[]>>

const reads = (ids: Seeded): Readonly<Record<string, Read>> => ({
  me: { as: 'owner', path: '/v1/me', fields: ['user.id', 'user.email', 'user.name'] },
  workspaces: { as: 'owner', path: '/v1/identity/tenants', fields: ['id', 'name', 'slug'] },
  members: { as: 'owner', path: '/v1/identity/members', fields: ['id', 'userId', 'name', 'roles'] },
  invitations: { as: 'owner', path: '/v1/identity/invitations', fields: ['id', 'email', 'roles', 'expiresAt'] },
  roles: { as: 'owner', path: '/v1/identity/roles', fields: ['key', 'name'] },
  apiKeys: { as: 'owner', path: '/v1/identity/api-keys', fields: ['id', 'name', 'permissions', 'expiresAt'] },
  logins: { as: 'owner', path: '/v1/auth/sessions', fields: ['id', 'createdAt'] },
  audit: { as: 'owner', path: '/v1/identity/audit?limit=200', fields: ['id', 'action', 'createdAt'] },
  users: { as: 'operator', path: '/v1/identity/admin/users', fields: ['id', 'email', 'name'] },
  subscription: { as: 'owner', path: '/v1/billing/subscription', fields: ['planKey', 'state'] },
  credits: { as: 'owner', path: '/v1/billing/credits', fields: ['key', 'balance'] },
  creditEntries: { as: 'owner', path: '/v1/billing/credits/transactions', fields: ['id', 'amount', 'reason'] },
  mails: { as: 'owner', path: '/v1/communications/messages', fields: ['id', 'templateKey', 'to', 'status'] },
  suppression: { as: 'owner', path: '/v1/communications/suppression', fields: ['id', 'email', 'category', 'reason'] },
  template: { as: 'operator', path: '/v1/communications/templates/comms.test', fields: ['key', 'subject'] },
  pages: {
    as: 'owner',
    path: '/v1/content/pages',
    fields: ['id', 'slug', 'title', 'status', 'publishedVersion', 'publishAt'],
  },
  page: { as: 'key', path: `/v1/content/pages/${ids.pageId}`, fields: ['id', 'title', 'body', 'html', 'seo'] },
  pageVersions: {
    as: 'owner',
    path: `/v1/content/pages/${ids.pageId}/versions`,
    fields: ['version', 'title', 'published'],
  },
  redirects: { as: 'owner', path: '/v1/content/redirects', fields: ['id', 'from', 'to', 'status'] },
  navigation: { as: 'owner', path: '/v1/content/navigation/main', fields: ['items'] },
  files: {
    as: 'owner',
    path: '/v1/media',
    fields: ['id', 'fileName', 'mimeType', 'size', 'sha256', 'folder', 'status'],
  },
  forms: { as: 'owner', path: '/v1/forms', fields: ['id', 'name', 'access', 'notify', 'version'] },
  form: { as: 'owner', path: `/v1/forms/${ids.formId}`, fields: ['schema'] },
  submissions: { as: 'owner', path: `/v1/forms/${ids.formId}/submissions`, fields: ['id', 'data', 'spam', 'note'] },
  flags: { as: 'owner', path: '/v1/features', fields: ['key', 'name', 'description', 'default', 'rules'] },
  flagHistory: {
    as: 'owner',
    path: '/v1/features/dark-mode/history',
    fields: ['revision', 'changedAt', 'description'],
  },
  flagValue: { as: 'owner', path: '/v1/features/new-editor/evaluate', fields: ['key', 'value'] },
  conversations: {
    as: 'owner',
    path: '/v1/messaging/conversations',
    fields: ['id', 'subject', 'status', 'lastSeq', 'lastReadSeq', 'unread'],
  },
  messages: {
    as: 'member',
    path: `/v1/messaging/conversations/${ids.conversationId}/messages`,
    fields: ['id', 'seq', 'body', 'senderId', 'editedAt'],
  },
  inbox: { as: 'operator', path: '/v1/messaging/inbox', fields: ['id', 'subject', 'status'] },
  savedReplies: { as: 'owner', path: '/v1/messaging/saved-replies', fields: ['id', 'title', 'body', 'shortcut'] },
  views: { as: 'owner', path: '/v1/console/views?list=content.pages', fields: ['name', 'shared', 'state'] },
  endpoints: { as: 'owner', path: '/v1/webhooks/endpoints', fields: ['id', 'url', 'events', 'status'] },
  deliveries: { as: 'owner', path: '/v1/webhooks/deliveries?limit=200', fields: ['id', 'event_id', 'type', 'url'] },
  sessions: { as: 'owner', path: '/v1/sessions', fields: ['id', 'mode', 'status', 'customer', 'metadata'] },
  streams: { as: 'owner', path: '/v1/streams', fields: ['id', 'title', 'visibility', 'tags', 'status'] },
  publicStreams: { as: 'public', path: '/v1/streams/public', fields: ['id', 'title'] },
  sources: {
    as: 'owner',
    path: `/v1/streams/${ids.streamId}/sources`,
    fields: ['source_id', 'kind', 'label', 'width'],
  },
  layout: { as: 'owner', path: `/v1/streams/${ids.streamId}/layout`, fields: ['kind', 'slots', 'focus_source_id'] },
  streamTokens: { as: 'owner', path: `/v1/streams/${ids.streamId}/tokens`, fields: ['id', 'role', 'label'] },
  categories: { as: 'owner', path: '/v1/data/categories', fields: ['id', 'name'] },
  courses: {
    as: 'owner',
    path: '/v1/data/courses',
    fields: [
      'id',
      'title',
      'slug',
      'summary',
      'level',
      'contact',
      'link',
      'seats',
      'rating',
      'price',
      'gross',
      'firstDay',
      'startsAt',
      'length',
      'published',
      'outline',
      'cover',
      'teacher',
      'category',
      'createdBy',
      'revision',
    ],
  },
  foundCourses: { as: 'owner', path: '/v1/data/courses?q=weaving', fields: ['id', 'title'] },
  courseVersions: { as: 'owner', path: `/v1/data/courses/${ids.courseId}/history`, fields: ['revision'] },
  imports: { as: 'owner', path: '/v1/data/courses/imports', fields: ['id', 'state', 'rows'] },
  exports: { as: 'owner', path: '/v1/data/courses/exports', fields: ['id', 'state', 'rows', 'bytes'] },
  events: { as: 'operator', path: '/v1/platform/events?limit=200', fields: ['id', 'type', 'tenantId'] },
  deadLetters: { as: 'operator', path: '/v1/platform/dead-letters', fields: ['id', 'kind', 'lastError'] },
})

/** @throws Error if a read fails. */
export async function readAll(kernel: TestKernel, ids: Seeded, operator: Client): Promise<Answers> {
  const clients = {
    owner: kernel.as(ids.ownerToken, ids.tenantId),
    member: kernel.as(ids.memberToken, ids.tenantId),
    key: kernel.as(ids.apiKey, ids.tenantId),
    public: kernel as Client,
    operator,
  }
  const answers: Record<string, readonly Row[]> = {}
  for (const [name, { as, path, fields }] of Object.entries(reads(ids))) {
    const { status, body } = await clients[as].get<Row & { data?: readonly Row[] }>(path)
    if (status !== 200) throw new Error(`GET ${path} (${name}) was answered ${status} ${JSON.stringify(body)}`)
    answers[name] = (body.data ?? [body]).map(row =>
      Object.fromEntries(fields.map(field => [field, valueAt(row, field)])),
    )
  }
  return answers
}

function valueAt(row: Row, path: string): unknown {
  const value = path.split('.').reduce<unknown>((inner, key) => (inner as Row | undefined)?.[key], row)
  if (value === undefined) throw new Error(`no ${path} in ${JSON.stringify(row)}`)
  return value
}

/** The operator signs in, because a login lasts shorter than a dump. */
export async function signIn(kernel: TestKernel, email: string, password: string, tenantId: string): Promise<Client> {
  const { status, body } = await kernel.post('/v1/auth/login', { email, password })
  if (status !== 200) throw new Error(`signing in was answered ${status} ${JSON.stringify(body)}`)
  return kernel.as(body.token, tenantId)
}
