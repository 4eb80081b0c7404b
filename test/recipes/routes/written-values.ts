/** A value for each optional property that a PATCH or PUT of the API writes. */
import type { World } from './world.ts'

interface WrittenValue {
  readonly value: unknown
  /** Other properties that the value needs. */
  readonly with?: Readonly<Record<string, unknown>>
}
/** A function creates the value from the records of the test. */
type Written = WrittenValue | ((world: World) => WrittenValue | Promise<WrittenValue>)

const LATER = '2099-01-01T00:00:00.000Z'
const TEXT = { value: 'Written' }
const PERMISSIONS = { value: ['forms.form.read'] }
const STATUS = {
  subject: TEXT,
  status: { value: 'resolved' },
  snoozedUntil: { value: LATER, with: { status: 'snoozed' } },
}
const newSubject = async ({ owner, call }: World): Promise<WrittenValue> => {
  const name = `Written ${Date.now()}`
  return { value: (await call<{ id: string }>(owner, 'POST', '/v1/data/subjects', { name })).id }
}
const COURSE = {
  level: { value: 'advanced' },
  price: { value: 4_200 },
  startsAt: { value: LATER },
  subject: newSubject,
}
const PEOPLE = {
  groupsClaim: { value: 'teams' },
  roleMappings: { value: [{ group: 'staff', role: 'tenant.user' }] },
  defaultRole: { value: 'tenant.user' },
  syncRoles: { value: false },
}

export const WRITTEN: Readonly<Record<string, Readonly<Record<string, Written>>>> = {
  'PATCH /v1/auth/me': {
    name: TEXT,
    locale: { value: 'de' },
    timeZone: { value: 'Europe/Berlin' },
    profile: { value: { phone: '030 4321' } },
  },
  'PATCH /v1/identity/tenants/:id': { name: TEXT, slug: { value: 'written' } },
  'PATCH /v1/identity/members/:id': { roles: { value: ['tenant.user'] }, profile: { value: { position: 'Chair' } } },
  'PATCH /v1/identity/roles/:key': { name: TEXT, permissions: PERMISSIONS },
  'PATCH /v1/identity/api-keys/:id': { name: TEXT, permissions: PERMISSIONS, expiresAt: { value: LATER } },
  'PUT /v1/identity/sso/connection': { scope: { value: 'openid email' }, ...PEOPLE },
  'PUT /v1/identity/sso/connection/saml': { emailAttribute: { value: 'mail' }, ...PEOPLE },
  'PATCH /v1/forms/:id': {
    name: TEXT,
    access: { value: 'tenant' },
    schema: { value: { type: 'object', properties: { written: { type: 'string' } } } },
    uiSchema: { value: { 'ui:submitButtonOptions': { submitText: 'Send' } } },
    notify: { value: ['written@example.test'] },
    allowedOrigins: { value: ['https://shop.example'] },
  },
  'PATCH /v1/forms/:id/submissions/:sid': { spam: { value: true }, note: TEXT },
  'PATCH /v1/webhooks/endpoints/:id': {
    url: { value: 'http://127.0.0.1:9/written' },
    events: { value: ['identity.*'] },
    description: TEXT,
  },
  'PATCH /v1/console/views/:id': { name: TEXT, shared: { value: true }, state: { value: { q: 'written' } } },
  'PUT /v1/communications/templates/:key': { preheader: TEXT, text: TEXT },
  'PATCH /v1/features/:key': {
    name: TEXT,
    description: TEXT,
    enabled: { value: false },
    default: { value: true },
    bucketBy: { value: 'tenant' },
    requires: { value: [{ key: 'flag-1', value: true }] },
    entitlement: { value: 'comms.send', with: { default: false } },
    rules: { value: [{ rollout: 50, value: true }] },
  },
  'PUT /v1/features/:key/override': { tenantId: ({ owner }) => ({ value: owner.tenantId }) },
  'PATCH /v1/messaging/conversations/:id': STATUS,
  'PATCH /v1/messaging/inbox/:id': { ...STATUS, assigneeId: ({ operator }) => ({ value: operator.userId }) },
  'PATCH /v1/messaging/saved-replies/:id': { title: TEXT, body: TEXT, shortcut: { value: 'written' } },
  'PATCH /v1/content/pages/:id': {
    slug: { value: 'written' },
    path: { value: '/written-path' },
    title: TEXT,
    body: TEXT,
    template: { value: 'landing' },
    seo: { value: { title: 'Written' } },
    publishAt: { value: LATER },
  },
  'PATCH /v1/content/redirects/:id': {
    from: { value: '/written-from' },
    to: { value: '/written-to' },
    status: { value: 302 },
  },
  'PATCH /v1/media/:id': { fileName: { value: 'written.png' }, folder: { value: 'Written' } },
  'PATCH /v1/data/subjects/:id': { name: TEXT },
  'PATCH /v1/data/courses/:id': { title: TEXT, slug: { value: 'written' }, ...COURSE },
  'PUT /v1/data/courses': { slug: { value: 'upserted' }, ...COURSE },
}

/** Properties that no reply returns as they were written, and why. */
export const NOT_READ_BACK: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'PUT /v1/identity/sso/connection': { clientSecret: 'It is never returned.' },
  'PUT /v1/identity/sso/connection/saml': {
    metadata: 'The reply has its parts: issuer, signInUrl and certificates.',
    metadataUrl: 'The provider answers there. The tests of SAML run one.',
    issuer: 'Only without metadata, together with signInUrl and certificates. The tests of SAML write the three.',
    signInUrl: 'Only without metadata, together with issuer and certificates. The tests of SAML write the three.',
    certificates: 'The reply has what each certificate contains.',
  },
  'PATCH /v1/identity/sso/connection': {
    enabled: 'Needs a provider that was tested and a domain that was verified. The tests of single sign-on have both.',
    required: 'Needs a provider that was tested and a domain that was verified. The tests of single sign-on have both.',
  },
  'PUT /v1/messaging/conversations/:id/read': { unread: 'It says in which direction `seq` moves, and is not stored.' },
}
