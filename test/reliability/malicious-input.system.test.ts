/** Malicious input to the routes of the full recipe. Tests of the HTTP parser are in services/http. */
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { encodeCursor } from '../../kernel/base/pagination.ts'
import { type Person, startTestKernel, TEST_PASSWORD, type TestKernel } from '../../testing/index.ts'
import { forgedCursor } from '../fixtures/people.ts'
import { codeOf } from '../modules/identity/fixtures.ts'
import { createRandom } from './fixtures.ts'
import type { Document } from './fuzz.ts'
import { createValueGenerator, type Schema } from './schema-values.ts'

let kernel: TestKernel
let ada: Person
let document: Document

test.before(async () => {
  kernel = await startTestKernel({ recipe: fileURLToPath(new URL('recipes/full.yaml', packageRoot)), role: 'web' })
  ada = await kernel.register('ada@example.test')
  document = kernel.kernel.ports.http.openapi() as unknown as Document
})
test.after.always(() => kernel?.stop())

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { content: Record<string, { schema: Schema }> }
}
const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{\w+\}/g, 'xxx_00000000000000000000000000'),
      operation: operation as unknown as Operation,
    })),
  )
/** Bodies are references to `components.schemas`. */
const resolved = (schema: Schema | undefined): Schema | undefined =>
  typeof schema?.$ref === 'string' ? document.components.schemas[schema.$ref.split('/').at(-1) as string] : schema
/** The server rejects lone surrogates and NUL before it validates fields. */
function wellFormed(make: () => unknown): object {
  for (;;) {
    const value = make() as object
    if (!/\\ud[89a-f]|\\u0000/.test(JSON.stringify(value))) return value
  }
}
const required = (value: object, schema: Schema) =>
  Object.fromEntries(
    Object.entries(value).filter(([name]) => (schema.required as string[] | undefined)?.includes(name)),
  )
/** Webhooks of providers have no schema. */
const isProvidersOwn = (schema: Schema) => Object.keys(schema).every(word => word === 'description')
const lists = () =>
  operations().filter(
    ({ path, operation }) => !path.includes('xxx_') && operation.parameters?.some(({ name }) => name === 'cursor'),
  )

test('rejects fields that only the server sets in every body', async t => {
  const maker = createValueGenerator(createRandom(3), document.components.schemas, { valuesOf: () => [] })
  for (const { method, path, operation } of operations()) {
    const schema = resolved(operation.requestBody?.content['application/json']?.schema)
    // OFREP requires servers to accept unknown fields. A sign-in method defines its own body.
    if (!schema || isProvidersOwn(schema) || /\/ofrep\/|\/auth\/login\//.test(path)) continue
    const known = Object.keys((schema.properties ?? {}) as object)
    const fields = ['id', 'tenantId', 'roles', 'status', 'price', 'builtIn', 'createdAt'].filter(
      f => !known.includes(f),
    )
    const valid = required(
      wellFormed(() => maker.valid(schema)),
      schema,
    )
    const body = { ...valid, ...Object.fromEntries(fields.map(field => [field, 'x'])) }
    const { status, body: answer } = await ada.call<{ code: string; errors: { pointer: string; code: string }[] }>(
      method,
      path,
      body,
    )
    // Signatures and platform permissions are checked before the body.
    if (status === 401 || (status === 403 && answer.code === 'forbidden')) continue
    t.is(status, 422, `${method} ${path}`)
    for (const field of fields)
      t.true(
        answer.errors.some(error => error.pointer === `/${field}` && error.code === 'unknown_field'),
        `${path} ${field}: ${JSON.stringify(answer.errors)}`,
      )
  }
})

test('every list rejects forged cursors, unknown sort fields and unknown filters', async t => {
  t.true(lists().length > 8)
  const cursors = [
    'x',
    '%00',
    '!',
    encodeCursor([]),
    encodeCursor([1, 2, 3, 4, 5]),
    'W10',
    'e30',
    'bnVsbA',
    'x'.repeat(512),
  ]
  for (const { path } of lists()) {
    for (const cursor of cursors) {
      const answer = await ada.get(`${path}?cursor=${cursor}`)
      t.true([400, 403, 422].includes(answer.status), `${path} ${cursor}: ${answer.status}`)
    }
    for (const query of [
      'sort=secret',
      'sort=',
      'filter[nope]=1',
      'offset=1',
      'limit=0',
      'limit=201',
      'limit=9999999999999999',
    ])
      t.true([400, 403, 422].includes((await ada.get(`${path}?${query}`)).status), `${path} ${query}`)
  }
})

test('a forged cursor with other values reveals no records of other tenants and causes no 5xx', async t => {
  const values = [
    [null],
    [0],
    [-1],
    [1e308],
    [''],
    ['zzz'],
    [null, null],
    ['delivery', 'x'],
    ['job', 'x'],
    [1, 'x'],
    ['x', 1],
  ]
  for (const { path } of lists())
    for (const value of values) {
      const cursor = forgedCursor(`get ${path.slice('/v1'.length)}`, value)
      const { status, body } = await ada.get<{ data: { tenantId?: string }[] }>(`${path}?cursor=${cursor}`)
      t.true(status === 200 || status === 400 || status === 403, `${path} ${JSON.stringify(value)}: ${status}`)
      if (status === 200)
        t.true(
          body.data.every(
            ({ tenantId }) => tenantId === undefined || tenantId === ada.tenantId || path.includes('mailbox'),
          ),
        )
    }
})

test('every list rejects a cursor that belongs to another list', async t => {
  for (const { path } of lists()) {
    const cursor = forgedCursor('get /of/another/list', ['ten_00000000000000000000000000'])
    const { status, body } = await ada.get<{ code: string }>(`${path}?cursor=${cursor}`)
    t.true(status === 403 || `${status} ${body.code}` === '400 invalid_cursor', `${path}: ${status} ${body.code}`)
  }
})

test('rejects dates that do not exist and accepts the last valid date', async t => {
  const key = (expiresAt: string) => ada.post('/v1/identity/api-keys', { name: 'k', expiresAt })
  const wrong = [
    '+275760-09-13T00:00:00Z',
    '275760-09-13T00:00:00Z',
    '2024-02-30T00:00:00Z',
    '2040-13-01T00:00:00Z',
    '2040-01-01T25:00:00Z',
    '2040-01-01',
    'now',
    'infinity',
    '',
  ]
  const never = ['0000-01-01T00:00:00Z', '2016-12-31T23:59:60Z', '9999-12-31T23:59:60Z', '9999-12-31T23:59:59-23:59']
  for (const expiresAt of [...wrong, ...never]) {
    t.is((await key(expiresAt)).status, 422, expiresAt)
    const suppressed = await ada.post('/v1/communications/suppression', { email: 'b@example.test', expiresAt })
    t.is(suppressed.status, 422, expiresAt)
  }
  t.is((await key('9999-12-31T23:59:59Z')).status, 201)
  t.is((await ada.get('/v1/identity/api-keys')).status, 200)
  t.is((await ada.get('/v1/communications/suppression')).status, 200)
})

test('rejects numbers outside the integer range', async t => {
  for (const limit of ['2147483648', '9223372036854775808', '1e3', '0x10', '-0', '1.5', 'Infinity', '１'])
    t.true([200, 400, 422].includes((await ada.get(`/v1/identity/members?limit=${limit}`)).status), limit)
  t.is((await ada.get('/v1/identity/members?limit=2147483648')).status, 422)
})

test('treats malformed ids like unknown ones', async t => {
  const ids = ['..', 'null', '%27%20or%201=1--', 'ten_%E2%98%83', '*', 'x'.repeat(500), '0', '-1', '%F0%9F%92%A5']
  // The console answers every path with its application, which shows what the API answers.
  const paths = operations().filter(
    ({ path, method }) => method !== 'POST' && /\/xxx_0{26}$/.test(path) && !path.startsWith('/console/'),
  )
  t.true(paths.length > 5)
  for (const { method, path } of paths)
    for (const id of ids) {
      const address = path.replace(/xxx_0{26}$/, id)
      const { status } = await ada.call(method, address, method === 'GET' || method === 'DELETE' ? undefined : {})
      t.true([403, 404, 422].includes(status) || id === '..', `${method} ${address}: ${status}`)
    }
})

test('rejects compressed bodies without decompressing them', async t => {
  const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024))
  const bodies: [Buffer, string][] = [
    [gzipSync('{}'), 'gzip'],
    [bomb, 'gzip'],
    [brotliCompressSync('{}'), 'br'],
    [Buffer.from('no gzip'), 'gzip'],
    [Buffer.from('{}'), 'gzip, identity'],
    [Buffer.from('{}'), 'x-unknown'],
  ]
  for (const [body, encoding] of bodies) {
    const { status } = await fetch(`${kernel.url}/v1/auth/login`, {
      method: 'POST',
      body: new Uint8Array(body),
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    })
    t.is(status, 415, encoding)
  }
})

test('rejects email addresses with line breaks, lists and other ambiguous syntax', async t => {
  const emails = [
    'a@b.test\r\nBcc: c@d.test',
    'a@b.test,c@d.test',
    'a@b.test;c@d.test',
    'A <a@b.test>',
    '"a b"@c.test',
    'a@[127.0.0.1]',
    'a@b..test',
    '@b.test',
    'a@',
    'a\u0000@b.test',
    'ａ@b.test',
  ]
  for (const email of emails) {
    const registered = await kernel.post('/v1/auth/register', { email, password: TEST_PASSWORD })
    t.is(registered.status, 422, JSON.stringify(email))
    t.is((await ada.post('/v1/identity/members/invite', { email, roles: ['tenant.member'] })).status, 422, email)
    const sent = await ada.post('/v1/communications/messages', { templateKey: 'comms.test', to: email, data: {} })
    t.is(sent.status, 422, codeOf(sent))
  }
})

test('stores and returns names unchanged, without marks that change the direction of text', async t => {
  for (const name of [
    '{{7*7}}',
    '<script>alert(1)</script>',
    "'; drop table identity_users; --",
    '\u202eadA',
    'İß\ufb01',
    '💥',
  ]) {
    t.is((await ada.patch('/v1/auth/me', { name })).status, 200, name)
    const { body } = await ada.get('/v1/me')
    t.is(body.user.name, name.replace('\u202e', ''))
  }
})
