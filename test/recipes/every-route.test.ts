/** Calls every route of the full recipe with every kind of caller that it must reject. */
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import type { Endpoint } from '../../services/http/server.ts'
import { type Client, type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'

interface DocumentedSchema {
  readonly examples?: readonly unknown[]
}

/** Every route that is public on purpose. */
const PUBLIC = new Set([
  'GET /healthz',
  'GET /v1/health',
  'GET /v1/health/readiness',
  // It answers whoever signs with LARDER_SECRET.
  'GET /v1/health/request',
  'GET /v1/platform/openapi.json',
  'GET /v1/platform/asyncapi.json',
  'GET /docs',
  'GET /problems',
  'GET /robots.txt',
  'GET /favicon.ico',
  'GET /metrics',
  'GET /assets/*',
  'GET /mailbox',
  'GET /mailbox/:id',
  'GET /v1/communications/mailbox',
  'GET /v1/communications/mailbox/:id',
  'GET /v1/communications/unsubscribe',
  'POST /v1/communications/unsubscribe',
  'POST /v1/communications/intake/:provider',
  'POST /v1/billing/webhook',
  'GET /forms/:id',
  'POST /forms/:id',
  'GET /forms/:id/frame',
  'POST /forms/:id/frame',
  'GET /forms/embed.js',
  'GET /forms/frame.js',
  'GET /v1/forms/:id/blank',
  'POST /v1/forms/:id/submit',
  'POST /v1/auth/register',
  'POST /v1/auth/login',
  'GET /v1/auth/methods',
  'POST /v1/auth/email-code',
  'POST /v1/auth/passkey/options',
  'POST /v1/auth/passkey/verify',
  'POST /v1/auth/app-code/verify',
  'POST /v1/auth/second-factor',
  'POST /v1/auth/second-factor/passkey',
  'POST /v1/auth/second-factor/enrollment',
  'POST /v1/auth/second-factor/enroll',
  'GET /sign-in/second-factor',
  'GET /sign-in/switch',
  'POST /sign-in/switch',
  'POST /sign-in/second-factor',
  'GET /sign-in/passkey/script.js',
  'POST /v1/auth/email-code/verify',
  'GET /sign-in/email-code',
  'POST /sign-in/email-code',
  'GET /sign-in/email-code/verify',
  'POST /sign-in/email-code/verify',
  'GET /sign-in/single-sign-on',
  'POST /sign-in/single-sign-on',
  'GET /sign-in/single-sign-on/continue',
  'GET /sign-in/email-code/link',
  'POST /sign-in/email-code/link',
  'POST /v1/auth/login/:method',
  'POST /v1/auth/logout',
  'POST /v1/auth/impersonation/end',
  'GET /impersonation/end',
  'POST /impersonation/end',
  'GET /sign-out',
  'POST /sign-out',
  'POST /v1/auth/password/forgot',
  'POST /v1/auth/password/reset',
  'POST /v1/auth/verify-email',
  'POST /v1/auth/email/confirm',
  'GET /change-email',
  'POST /change-email',
  'GET /claim',
  'POST /claim',
  'GET /account/deleted',
  'GET /sign-in',
  'POST /sign-in',
  'GET /sign-in/sso/:workspace/callback',
  'GET /sign-in/sso/:workspace/metadata',
  'POST /sign-in/sso/:workspace/acs',
  'GET /sign-in/:method',
  'GET /sign-in/:method/callback',
  'POST /sign-in/:method/callback',
  'GET /sign-up',
  'POST /sign-up',
  'GET /forgot-password',
  'POST /forgot-password',
  'GET /reset-password',
  'POST /reset-password',
  'GET /verify-email',
  'POST /verify-email',
  'GET /invitations/accept',
  'POST /invitations/accept',
  'GET /form-notifications/confirm',
  'POST /form-notifications/confirm',
  'GET /form-notifications/unsubscribe',
  'POST /form-notifications/unsubscribe',
  'GET /v1/capabilities',
  'POST /v1/join',
  'POST /v1/sessions/:id/accept',
  'GET /v1/streams/public',
  'POST /v1/streams/public/:id/tokens',
  'GET /console/assets/:file',
  'GET /v1/streams/:id/media',
  'GET /v1/streams/:id/chat',
  'POST /v1/streams/:id/chat',
  'DELETE /v1/streams/:id/chat/:message_id',
  'GET /v1/streams/realtime',
  'GET /v1/realtime',
  'GET /v1/media/edge',
  'PUT /v1/media/uploads/:id',
  'GET /v1/media/files/:id',
  'GET /media/:id/:variant',
  'POST /v1/media/edge/auth',
  'POST /v1/media/edge/events',
  'GET /v1/data/demo_articles',
  'GET /v1/data/demo_articles/aggregate',
  'GET /v1/data/demo_articles/:id',
  'GET /streams',
  'GET /broadcast/:id',
  'GET /embed/:id',
  'GET /watch/:id',
])
const PUBLIC_RULES = ['public', 'joinToken', 'signature']

let kernel: TestKernel
let owner: Person
let outsider: Person
let member: Client
let endpoints: readonly Endpoint[]

test.before(async () => {
  const recipe = fileURLToPath(new URL('recipes/full.yaml', packageRoot))
  kernel = await startTestKernel({ recipe })
  owner = await kernel.register('owner@example.test')
  outsider = await kernel.register('outsider@example.test')
  const invited = await kernel.register('member@example.test')
  const sent = await owner.post<{ link: string }>('/v1/identity/members/invite', {
    email: invited.email,
    roles: ['tenant.member'],
    sendEmail: false,
  })
  const token = new URL(sent.body.link).searchParams.get('token')
  await invited.post('/v1/identity/invitations/accept', { token })
  member = kernel.as(invited.token, owner.tenantId)
  endpoints = kernel.kernel.ports.http.endpoints()
})
test.after.always(() => kernel?.stop())

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const isPublic = ({ allow }: Endpoint) => allow.some(rule => PUBLIC_RULES.includes(rule))
const api = () => endpoints.filter(({ kind }) => kind === 'route' || kind === 'raw')
const needsTenant = ({ allow }: Endpoint) => !allow.some(rule => PUBLIC_RULES.includes(rule) || rule === 'user')
const callRoute = (client: Client, { method, path }: Endpoint, headers: Record<string, string> = {}) =>
  client.call<{ code: string }>(
    method,
    path.replace(/:\w+/g, 'xxx_00000000000000000000000000').replace(/\*$/, 'x'),
    method === 'GET' || method === 'DELETE' ? undefined : {},
    { headers },
  )

test('only the listed routes are public', t => {
  const publicRoutes = endpoints.filter(isPublic).map(nameOf)
  t.deepEqual(
    publicRoutes.filter(name => !PUBLIC.has(name)),
    [],
  )
  t.true(api().length > 40)
})

test('protected routes return 401 without a credential', async t => {
  for (const endpoint of api().filter(e => !isPublic(e))) {
    const { status, body } = await callRoute(kernel, endpoint)
    t.is(status, 401, nameOf(endpoint))
    t.is(body.code, 'unauthenticated')
  }
})

test('protected routes return 401 for a forged credential', async t => {
  const forged = kernel.as(`dt_${'x'.repeat(43)}`, owner.tenantId)
  for (const endpoint of api().filter(e => !isPublic(e)))
    t.is((await callRoute(forged, endpoint)).status, 401, nameOf(endpoint))
})

test('protected routes return 403 not_a_member for users of other tenants', async t => {
  const foreign = kernel.as(outsider.token, owner.tenantId)
  for (const endpoint of api().filter(needsTenant)) {
    const { status, body } = await callRoute(foreign, endpoint)
    t.is(status, 403, nameOf(endpoint))
    t.is(body.code, 'not_a_member', nameOf(endpoint))
  }
})

test('protected routes reject API keys of other tenants', async t => {
  const foreign = kernel.as(outsider.apiKey, owner.tenantId)
  for (const endpoint of api().filter(needsTenant))
    t.is((await callRoute(foreign, endpoint)).status, 403, nameOf(endpoint))
})

test('protected routes return 403 with the missing permission', async t => {
  // tenant.member has this permission.
  const isDenied = (endpoint: Endpoint) => needsTenant(endpoint) && !endpoint.allow.includes('content.page.read')
  for (const endpoint of api().filter(isDenied)) {
    const { status, body } = await callRoute(member, endpoint)
    t.is(status, 403, nameOf(endpoint))
    t.is(body.code, 'forbidden', nameOf(endpoint))
    t.is((body as { requiredPermission?: string }).requiredPermission, endpoint.allow[0], nameOf(endpoint))
  }
})

test('protected routes require the tenant header with a cookie', async t => {
  for (const endpoint of api().filter(needsTenant)) {
    const { status, body } = await callRoute(kernel.with({ cookie: owner.cookie }), endpoint, {
      'sec-fetch-site': 'same-origin',
    })
    t.is(status, 400, nameOf(endpoint))
    t.is(body.code, 'tenant_required', nameOf(endpoint))
  }
})

test('protected routes reject cross-site writes with a cookie', async t => {
  const crossSite = kernel.with({ cookie: owner.cookie, 'sec-fetch-site': 'cross-site', 'x-tenant-id': owner.tenantId })
  for (const endpoint of api().filter(e => e.method !== 'GET' && needsTenant(e))) {
    const { status, body } = await callRoute(crossSite, endpoint)
    t.is(status, 403, nameOf(endpoint))
    t.is(body.code, 'cross_site', nameOf(endpoint))
  }
})

test('no route takes a write with a cookie and without a body or Origin for one of another site', async t => {
  // Signing out comes last, because later requests would be anonymous.
  const signsOut = ({ path }: Endpoint) => path === '/v1/auth/logout'
  const writes = api().filter(({ method, path }) => method !== 'GET' && path.startsWith('/v1/'))
  const { cookie } = await kernel.register('alone@example.test')
  for (const { method, path } of [...writes.filter(e => !signsOut(e)), ...writes.filter(signsOut)]) {
    const asked = path.replace(/:\w+/g, 'xxx_00000000000000000000000000')
    const { body } = await kernel.with({ cookie }).call<{ code?: string } | undefined>(method, asked)
    t.not(body?.code, 'cross_site', `${method} ${path}`)
  }
  t.is((await kernel.with({ cookie }).get('/v1/auth/me')).status, 401)
})

test('an id of another tenant gets the same response as an unknown id', async t => {
  const { body } = await outsider.get('/v1/identity/api-keys')
  const foreignId = body.data[0]?.id as string
  const unknownId = foreignId.replace(/.{6}$/, '000000')
  const [foreign, unknown] = await Promise.all(
    [foreignId, unknownId].map(id =>
      owner.delete<{ status: number; code: string; detail: string }>(`/v1/identity/api-keys/${id}`),
    ),
  )
  t.is(foreign?.status, 404)
  t.is(unknown?.status, 404)
  t.is(foreign?.body.detail, unknown?.body.detail)
})

test('a SELECT without WHERE returns only the rows of the tenant', async t => {
  const { database } = kernel.kernel.ports
  for (const table of ['identity_members', 'identity_api_keys', 'identity_audit', 'larder_events']) {
    const { rows } = await database
      .tenant(owner.tenantId)
      .query<{ tenant_id: string }>(`select tenant_id from ${table}`)
    t.true(rows.length > 0, table)
    t.deepEqual([...new Set(rows.map(row => row.tenant_id))], [owner.tenantId], table)
  }
})

test('every raw route documents its input and replies', t => {
  const raws = endpoints.filter(({ kind }) => kind === 'raw')
  t.true(raws.length >= 7)
  t.deepEqual(
    raws
      .filter(({ docs, summary }) => !docs || !summary || Object.keys(docs.replies).length === 0)
      .map(({ path }) => path),
    [],
  )
})

test('every documented example is valid against the schema of its route', async t => {
  type Schemas = Record<string, DocumentedSchema>
  type Document = { paths: Record<string, Record<string, unknown>>; components: { schemas: Schemas } }
  const { body } = await kernel.get<Document>('/v1/platform/openapi.json')
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true, email: true, uri: true, binary: true } })
  ajv.addSchema({ $id: 'https://larder.test/', components: body.components })
  const documented = Object.entries(body.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const { requestBody } = operation as { requestBody?: { content: Record<string, { schema: { $ref?: string } }> } }
      const ref = requestBody?.content['application/json']?.schema?.$ref
      const { examples = [] } = body.components.schemas[ref?.split('/').at(-1) as string] ?? {}
      return examples.map(example => ({ at: `${method} ${path}`, ref: `https://larder.test/${ref}`, example }))
    }),
  )
  t.true(documented.length >= 10)
  for (const { at, ref, example } of documented) {
    const validate = ajv.compile({ $ref: ref })
    t.true(validate(example), `${at}: ${ajv.errorsText(validate.errors)}`)
  }
})
