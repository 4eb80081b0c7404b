import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { type Colleague, codeOf, type Listed, type problem } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { ended, errorsOf, type Import, type Sender, send } from './fixtures.ts'

interface Row {
  readonly id: string
  readonly revision: number
  readonly [field: string]: unknown
}

const recipe = {
  modules: { identity: {}, billing: {}, collections: {} },
  plans: { free: { name: 'Free', price: 0, entitlements: { 'seats.count': 3 } } },
  entitlements: { 'seats.count': { kind: 'gauge', name: 'Seats' } },
  collections: {
    categories: {
      fields: { name: { type: 'text', required: true, unique: true }, hidden: { type: 'boolean', default: false } },
      access: { read: { 'tenant.member': { hidden: false } }, create: { 'tenant.member': { hidden: false } } },
    },
    courses: {
      fields: {
        title: { type: 'text', required: true, maxLength: 50 },
        slug: { type: 'slug', from: 'title', unique: true },
        code: { type: 'text', unique: true },
        price: { type: 'money', currency: 'EUR', min: 0 },
        startsAt: { type: 'datetime' },
        published: { type: 'boolean', default: false },
        category: { type: 'reference', to: 'categories' },
        related: { type: 'reference', to: 'courses', many: true },
        outline: { type: 'json' },
        rating: { type: 'number' },
        double: { type: 'computed', expression: 'price * 2', of: 'integer' },
      },
      access: { read: { 'tenant.member': true }, create: { 'tenant.member': true }, update: { 'tenant.member': true } },
      history: 3,
    },
    seats: {
      fields: { name: { type: 'text' } },
      limit: 'seats.count',
      access: { read: { 'tenant.member': true } },
    },
  },
}

const { kernel, people, owner, member } = withPeople(
  test,
  { recipe },
  { owner: { name: 'Ada' }, member: ['tenant.member'] },
)

const senderOf = (person: { readonly token: string; readonly tenantId: string }): Sender => ({
  url: kernel.url,
  token: person.token,
  tenantId: person.tenantId,
})
async function run(
  person: Person | Colleague,
  collection: string,
  file: string | Uint8Array,
  query = '',
): Promise<Import> {
  const sent = await send(senderOf(person), `${collection}/imports${query}`, file)
  if (sent.status !== 202) throw new Error(JSON.stringify(sent.body))
  return ended(person, collection, sent.body.id)
}
const rowsOf = async (person: Person | Colleague, query: string): Promise<Row[]> =>
  (await person.get<Listed<Row>>(`/v1/data/${query}`)).body.data

test('imports a CSV file in the background', async t => {
  const person = await people.person()
  await person.post('/v1/data/categories', { name: 'Math' })
  const file = [
    'title;price (EUR);startsAt;published;category;outline',
    '"Sums, and ""more""";19,00;2026-01-31T12:00:00+01:00;true;Math;"{""a"":1}"',
    '"Two\nlines";;;;;',
    ';;;;;',
    "'=1+1;0;;false;;",
  ].join('\r\n')
  const { state, rows, createdBy } = await run(person, 'courses', file)
  t.is(state, 'succeeded')
  t.is(createdBy, person.userId)
  t.deepEqual(rows, { total: 3, checked: 3, processed: 3, created: 3, updated: 0, failed: 0, runs: 0 })
  const [formula, lines, sums] = await rowsOf(person, 'courses?expand=category')
  t.like(sums, { title: 'Sums, and "more"', slug: 'sums-and-more', price: 1900, double: 3800, published: true })
  t.like(sums, { startsAt: '2026-01-31T11:00:00.000Z', outline: { a: 1 }, createdBy: person.userId, revision: 1 })
  t.like(sums?.category, { name: 'Math' })
  t.like(lines, { title: 'Two\nlines', price: null, published: false })
  t.like(formula, { title: '=1+1', price: 0 })
})

test('imports what an export returns', async t => {
  const [from, to] = [await people.person(), await people.person()]
  const { body } = await from.post<Row>('/v1/data/courses', { title: '=SUM(A1)', price: 5, outline: ['x'] })
  for (const [type, accept] of [
    ['text/csv', 'text/csv'],
    ['application/x-ndjson', 'application/x-ndjson'],
  ] as const) {
    const exported = await from.get<string>('/v1/data/courses', { headers: { accept } })
    // The client of tests parses a single line of JSON.
    const file = typeof exported.body === 'string' ? exported.body : JSON.stringify(exported.body)
    const sent = await send(senderOf(to), 'courses/imports?by=slug', file, { 'content-type': type })
    t.is(sent.status, 202, JSON.stringify(sent.body))
    const { id, state } = await ended(to, 'courses', sent.body.id)
    t.is(state, 'succeeded', JSON.stringify(await errorsOf(to, 'courses', id)))
  }
  const [copy, ...more] = await rowsOf(to, 'courses')
  t.deepEqual(more, [])
  t.like(copy, { title: '=SUM(A1)', price: 5, outline: ['x'], slug: body.slug, createdBy: to.userId })
})

test('writes nothing if one of 500 rows is wrong, and names its line and column', async t => {
  const person = await people.person()
  const lines = Array.from({ length: 500 }, (_, n) => (n === 321 ? `Course ${n},many` : `Course ${n},${n}`))
  const { id, state, rows, failure } = await run(person, 'courses', `title,price (EUR)\n${lines.join('\n')}\n`)
  t.is(state, 'failed')
  t.is(failure?.code, 'validation_failed')
  t.like(rows, { total: 500, checked: 500, processed: 0, created: 0, failed: 1 })
  t.deepEqual(await errorsOf(person, 'courses', id), [
    {
      row: 322,
      line: 323,
      column: 'price',
      code: 'wrong_format',
      detail: 'must be an amount in EUR',
    },
  ])
  t.deepEqual(await rowsOf(person, 'courses'), [])
})

test('writes the valid rows with onError=skip', async t => {
  const person = await people.person()
  const file = 'title,code,price (EUR)\nA,a,1\nB,a,2\n,b,3\nD,d,-4\nE,e,5,x\nF,f,6\n'
  const { id, state, rows } = await run(person, 'courses', file, '?onError=skip')
  t.is(state, 'succeeded')
  t.like(rows, { total: 6, processed: 6, created: 2, failed: 4 })
  t.deepEqual(
    (await errorsOf(person, 'courses', id)).map(({ row, line, column, code }) => [row, line, column, code]),
    [
      [2, 3, 'code', 'taken'],
      [3, 4, 'title', 'required'],
      [4, 5, 'price', 'invalid'],
      [5, 6, null, 'wrong_length'],
    ],
  )
  t.deepEqual(
    (await rowsOf(person, 'courses?sort=title')).map(({ title }) => title),
    ['A', 'F'],
  )
})

test('checks values that occur twice in one file', async t => {
  const person = await people.person()
  const titles = Array.from({ length: 1200 }, (_, n) => `T${n},${n === 1100 ? 3 : n}`)
  const { id, state } = await run(person, 'courses', `title,code\n${titles.join('\n')}`)
  t.is(state, 'failed')
  t.like(await errorsOf(person, 'courses', id), [{ row: 1101, line: 1102, column: 'code', code: 'taken' }])
})

test('a dry run writes nothing', async t => {
  const person = await people.person()
  const { state, rows, dryRun, failure } = await run(person, 'courses', 'title\nA\nB\n', '?dryRun=true')
  t.like({ state, dryRun, failure }, { state: 'succeeded', dryRun: true, failure: null })
  t.deepEqual(rows, { total: 2, checked: 2, processed: 0, created: 0, updated: 0, failed: 0, runs: 0 })
  t.deepEqual(await rowsOf(person, 'courses'), [])
})

test('updates rows by a unique field and creates others', async t => {
  const person = await people.person()
  await person.post('/v1/data/courses', { title: 'Old', code: 'a', price: 1 })
  const file = 'code,title,price (EUR)\na,New,0.02\nb,Second,0.03\nb,Second again,\n'
  const dry = await run(person, 'courses', file, '?by=code&dryRun=true')
  t.like(dry, { state: 'succeeded', rows: { failed: 0 } })
  const { state, rows } = await run(person, 'courses', file, '?by=code')
  t.is(state, 'succeeded')
  t.like(rows, { created: 1, updated: 2, failed: 0 })
  t.like(await rowsOf(person, 'courses?sort=code'), [
    { code: 'a', title: 'New', price: 2, revision: 2, slug: 'old' },
    { code: 'b', title: 'Second again', price: 3, revision: 2 },
  ])
  const [first] = await rowsOf(person, 'courses?filter[code]=a')
  const { body } = await person.get<Listed<unknown>>(`/v1/data/courses/${first?.id}/history`)
  t.is(body.data.length, 1)
})

test('rejects an update that takes the value of another row', async t => {
  const person = await people.person()
  await person.post('/v1/data/courses', [
    { title: 'A', code: 'a', slug: 'a' },
    { title: 'B', code: 'b', slug: 'b' },
  ])
  const file = 'code,title,slug\na,A,b\nb,Changed,b\nc,C,c\n'
  const stopped = await run(person, 'courses', file, '?by=code')
  t.like(stopped, { state: 'failed', rows: { failed: 1, updated: 0, created: 0 } })
  t.like(await errorsOf(person, 'courses', stopped.id), [{ row: 1, column: 'slug', code: 'taken' }])
  const skipped = await run(person, 'courses', file, '?by=code&onError=skip')
  t.like(skipped, { state: 'succeeded', rows: { failed: 1, updated: 1, created: 1 } })
})

test('names unknown, repeated and missing columns', async t => {
  const { status, body } = await send<ReturnType<typeof problem>>(
    senderOf(owner),
    'courses/imports',
    'Titel,price,price,id\n1,2,3,4',
  )
  t.is(status, 422)
  t.is(body.code, 'import_columns_invalid')
  t.deepEqual(body.errors, [
    {
      pointer: '/columns/0',
      code: 'unknown_field',
      detail: '"Titel" is not a field that you can set. Did you mean "title"?',
    },
    { pointer: '/columns/2', code: 'duplicate', detail: '"price" is a column twice' },
    { pointer: '/columns', code: 'required', detail: 'must include "title"' },
  ])
})

const TEXT = 'title,code\nÜbung ß,ü1\n'
const utf16be = Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16()
for (const [name, bytes, type, status] of [
  ['UTF-8', Buffer.from(TEXT), 'text/csv', 202],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TEXT}`), 'text/csv; charset=iso-8859-1', 202],
  ['UTF-16LE with a byte order mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le'), 'text/csv', 202],
  ['UTF-16BE with a byte order mark', utf16be, 'text/csv', 202],
  ['UTF-16LE without a byte order mark', Buffer.from(TEXT, 'utf16le'), 'text/csv', 202],
  ['UTF-16BE without a byte order mark', utf16be.subarray(2), 'text/csv', 202],
  ['named Latin-1', Buffer.from(TEXT, 'latin1'), 'text/csv; charset=ISO-8859-1', 202],
  ['UTF-8 by another name', Buffer.from(TEXT), "text/csv; header=present; charset='UTF8'", 202],
  ['quoted Latin-1 by another name', Buffer.from(TEXT, 'latin1'), 'text/csv; charset = "iso_8859-1:1987"', 202],
  ['unnamed Latin-1', Buffer.from(TEXT, 'latin1'), 'text/csv', 422],
  ['an unknown encoding', Buffer.from(TEXT), 'text/csv; charset=klingon', 415],
] as const)
  test(`${status === 202 ? 'reads' : 'rejects'} ${name}`, async t => {
    const person = await people.person()
    const sent = await send(senderOf(person), 'courses/imports', bytes, { 'content-type': type })
    t.is(sent.status, status, JSON.stringify(sent.body))
    if (status !== 202) return
    t.is((await ended(person, 'courses', sent.body.id)).state, 'succeeded')
    t.like(await rowsOf(person, 'courses'), [{ title: 'Übung ß', code: 'ü1' }])
  })

test('takes bytes whose format is a parameter, from clients that send no other type', async t => {
  const person = await people.person('Bytes')
  const headers = { 'content-type': 'application/octet-stream' }
  const sent = await send(senderOf(person), 'courses/imports?format=ndjson', '{"title":"Bytes"}\n', headers)
  t.is(sent.status, 202, JSON.stringify(sent.body))
  t.is((await ended(person, 'courses', sent.body.id)).state, 'succeeded')
  t.like(await rowsOf(person, 'courses'), [{ title: 'Bytes' }])
})

test('rejects files that are not CSV or NDJSON', async t => {
  const codes = async (file: string, headers?: Record<string, string>, query = '') => {
    const { status, body } = await send<{ code: string; detail: string }>(
      senderOf(owner),
      `courses/imports${query}`,
      file,
      headers,
    )
    return `${status} ${body.code}`
  }
  t.is(await codes('title\nA', { 'content-type': 'application/pdf' }), '415 unsupported_media_type')
  t.is(await codes('title\nA', { 'content-encoding': 'gzip' }), '415 unsupported_media_type')
  const bytes = { 'content-type': 'application/octet-stream' }
  t.is(await codes('title\nA', bytes), '415 unsupported_media_type')
  t.is(await codes('title\nA', bytes, '?format=xlsx'), '400 malformed')
  t.is(await codes('title\nA', {}, '?format=ndjson'), '400 malformed')
  t.is(await codes(''), '422 import_empty')
  t.is(await codes('title\n'), '422 import_empty')
  t.is(await codes('title\n"open'), '422 import_malformed')
  t.is(await codes('title\nA', {}, '?by=price'), '400 malformed')
  t.is(await codes('title\nA', {}, '?onError=maybe'), '400 malformed')
  t.is(await codes('title\nA', {}, '?dry=true'), '400 malformed')
})

test('reports NDJSON lines that are no valid rows', async t => {
  const person = await people.person()
  const lines = [
    '{"title":"A"}',
    '',
    '[1]',
    '{"title":',
    '{"titel":"B"}',
    '{"title":7}',
    '{"title":"C","double":1}',
    '{"title":"\\u0000"}',
  ]
  const sent = await send(senderOf(person), 'courses/imports?onError=skip', lines.join('\n'), {
    'content-type': 'application/x-ndjson',
  })
  const { id, rows } = await ended(person, 'courses', sent.body.id)
  t.like(rows, { total: 7, created: 2, failed: 5 })
  t.deepEqual(
    (await errorsOf(person, 'courses', id)).map(({ line, column, code }) => [line, column, code]),
    [
      [3, null, 'malformed'],
      [4, null, 'malformed'],
      [5, 'titel', 'unknown_field'],
      [6, 'title', 'invalid'],
      [8, null, 'malformed'],
    ],
  )
})

test('requires the permission and hides imports of other people', async t => {
  const member = await people.colleague(owner, ['tenant.member'])
  const guest = await people.person()
  const foreign = await send(senderOf({ token: guest.token, tenantId: owner.tenantId }), 'courses/imports', 'title\nA')
  t.is(foreign.status, 403)
  const seats = await send(senderOf(member), 'seats/imports', 'name\nA')
  t.is(codeOf(seats), '403 forbidden')
  const own = await run(owner, 'categories', 'name\nOwned\n')
  t.is(codeOf(await member.get(`/v1/data/categories/imports/${own.id}`)), '404 not_found')
  t.is(codeOf(await member.get(`/v1/data/categories/imports/${own.id}/errors`)), '404 not_found')
  t.is(codeOf(await member.post(`/v1/data/categories/imports/${own.id}/cancel`)), '404 not_found')
  t.is(codeOf(await guest.get(`/v1/data/categories/imports/${own.id}`)), '404 not_found')
  const theirs = await run(member, 'categories', 'name\nTheirs\n')
  t.is((await owner.get<Import>(`/v1/data/categories/imports/${theirs.id}`)).status, 200)
  t.is(codeOf(await owner.get(`/v1/data/courses/imports/${theirs.id}`)), '404 not_found')
  t.is(codeOf(await owner.post(`/v1/data/categories/imports/${theirs.id}/cancel`)), '409 import_ended')
  const { body } = await member.get<Listed<Import>>('/v1/data/categories/imports')
  t.deepEqual(
    body.data.map(({ id }) => id),
    [theirs.id],
  )
})

test("applies the caller's access rules to each row", async t => {
  const file = 'name,hidden\nShown,false\nHidden,true\n'
  const stopped = await run(member, 'categories', file)
  t.like(stopped, { state: 'failed', rows: { failed: 1, created: 0 } })
  t.like(await errorsOf(member, 'categories', stopped.id), [{ row: 2, column: null, code: 'forbidden' }])
  const skipped = await run(member, 'categories', file, '?onError=skip')
  t.like(skipped, { state: 'succeeded', rows: { failed: 1, created: 1 } })
  const other = await people.person()
  await other.post('/v1/data/categories', { name: 'Foreign' })
  const foreign = await run(member, 'courses', 'title,category\nA,Foreign\n')
  t.like(await errorsOf(member, 'courses', foreign.id), [{ row: 1, column: 'category' }])
})

test('respects the limit of the plan', async t => {
  const person = await people.person()
  const refused = await run(person, 'seats', 'name\nA\nB\nC\nD\n')
  t.like(refused, { state: 'failed', failure: { code: 'entitlement_exceeded' }, rows: { created: 0 } })
  t.like(await run(person, 'seats', 'name\nA\nB\nC\n'), { state: 'succeeded', rows: { created: 3 } })
  const skipped = await run(person, 'seats', 'name\nD\n', '?onError=skip')
  t.like(skipped, { state: 'failed', failure: { code: 'entitlement_exceeded' }, rows: { created: 0 } })
})

test('publishes an event for each row, in the name of the caller', async t => {
  const person = await people.person()
  await run(person, 'categories', 'name\nOne\nTwo\n')
  const { systemDatabase } = kernel.kernel.ports
  const { rows } = await systemDatabase
    .acrossTenants('a test reads events')
    .query<{ actor: { kind: string } }>(
      `select actor from larder_events where tenant_id = $1 and type = 'collections.categories.created'`,
      [person.tenantId],
    )
  t.deepEqual(
    rows.map(({ actor }) => actor.kind),
    ['login', 'login'],
  )
})

test('a repeated request with the same key returns the same import', async t => {
  const person = await people.person()
  const key = { 'idempotency-key': 'one' }
  const file = 'title\nOnce\n'
  const first = await send(senderOf(person), 'courses/imports', file, key)
  const again = await Promise.all([1, 2].map(() => send(senderOf(person), 'courses/imports', file, key)))
  t.deepEqual(
    again.map(({ status, body }) => [status, body.id]),
    [
      [202, first.body.id],
      [202, first.body.id],
    ],
  )
  t.is(again[0]?.headers.get('idempotent-replayed'), 'true')
  t.is(codeOf(await send(senderOf(person), 'courses/imports', 'title\nOther\n', key)), '422 idempotency_mismatch')
  const both = { 'idempotency-key': 'two' }
  const twins = await Promise.all([1, 2, 3].map(() => send(senderOf(person), 'courses/imports', 'title\nTwin\n', both)))
  t.is(new Set(twins.map(({ body }) => body.id)).size, 1)
  await ended(person, 'courses', first.body.id)
  await ended(person, 'courses', twins[0]?.body.id ?? '')
  t.is((await rowsOf(person, 'courses')).length, 2)
})

test('two imports of the same values at once create each row once', async t => {
  const person = await people.person()
  const codes = Array.from({ length: 1500 }, (_, n) => `T${n},c${n}`)
  const files = [codes, codes.toReversed()].map(lines => `title,code\n${lines.join('\n')}`)
  const imports = await Promise.all(files.map(file => run(person, 'courses', file, '?onError=skip')))
  t.deepEqual(
    imports.map(({ state }) => state),
    ['succeeded', 'succeeded'],
  )
  t.is(
    imports.reduce((sum, { rows }) => sum + rows.created, 0),
    1500,
  )
  t.is(
    imports.reduce((sum, { rows }) => sum + rows.failed, 0),
    1500,
  )
  const { body } = await person.get<{ data: { count: number }[] }>('/v1/data/courses/aggregate')
  t.is(body.data[0]?.count, 1500)
})

test('a change of roles cancels the imports of a member', async t => {
  const colleague = await people.colleague(owner, ['tenant.member'])
  const lines = Array.from({ length: 5000 }, (_, n) => `R${n}`)
  const sent = await send(senderOf(colleague), 'courses/imports', `title\n${lines.join('\n')}`)
  const { body } = await owner.get('/v1/identity/members')
  const id = body.data.find(({ userId }) => userId === colleague.userId)?.id
  t.is((await owner.delete(`/v1/identity/members/${id}`)).status, 204)
  const after = await ended(owner, 'courses', sent.body.id)
  t.like(after, { state: 'canceled', failure: { code: 'rights_changed' } })
})

const API_KEYS = '/v1/identity/api-keys'
for (const [change, apply] of [
  ['is deleted', (id: string) => owner.delete(`${API_KEYS}/${id}`)],
  [
    'loses permissions',
    (id: string) => owner.patch(`${API_KEYS}/${id}`, { permissions: ['collections.courses.read'] }),
  ],
] as const)
  test(`an import ends if its API key ${change}`, async t => {
    const key = await owner.post<{ id: string; key: string }>(API_KEYS, { name: `Import, ${change}` })
    t.is(key.status, 201)
    const lines = Array.from({ length: 5000 }, (_, n) => `K${n}`)
    const sender = { url: kernel.url, token: key.body.key }
    const sent = await send(sender, 'courses/imports?dryRun=true', `title\n${lines.join('\n')}`)
    t.is(sent.status, 202)
    t.true((await apply(key.body.id)).status < 300)
    t.like(await ended(owner, 'courses', sent.body.id), { state: 'canceled', failure: { code: 'rights_changed' } })
  })

test('an import continues if its caller receives more rights', async t => {
  const person = await people.person()
  const key = await person.post<{ id: string; key: string }>(API_KEYS, {
    name: 'Import',
    permissions: ['collections.courses.*'],
  })
  const lines = Array.from({ length: 2000 }, (_, n) => `M${n}`)
  const sender = { url: kernel.url, token: key.body.key }
  const sent = await send(sender, 'courses/imports?dryRun=true', `title\n${lines.join('\n')}`)
  await person.patch(`${API_KEYS}/${key.body.id}`, { permissions: ['collections.*'] })
  t.like(await ended(person, 'courses', sent.body.id), { state: 'succeeded', rows: { checked: 2000 } })
})

test('reports every update with a reference to an unknown row', async t => {
  const person = await people.person()
  await run(person, 'courses', 'title,code\nOne,u1\nTwo,u2\nThree,u3\n')
  const file = 'code,category\nu1,cat_unknown\nu2,cat_unknown\nu3,\n'
  const failed = await run(person, 'courses', file, '?by=code')
  t.is(failed.failure?.code, 'validation_failed')
  t.deepEqual(
    (await errorsOf(person, 'courses', failed.id)).map(({ row, column }) => [row, column]),
    [
      [1, 'category'],
      [2, 'category'],
    ],
  )
})

test('rejects a file with thousands of columns', async t => {
  const header = Array.from({ length: 100_000 }, (_, at) => `c${at}`).join(',')
  const { status, body } = await send<{ code: string; errors: unknown[] }>(senderOf(owner), 'courses/imports', header)
  t.is(status, 422)
  t.is(body.errors.length, 1)
})

test('a round trip through CSV keeps every value', async t => {
  const [from, to] = [await people.person(), await people.person()]
  const titles = ["'=x", "'+1", "' =x", "''=x", "'plain", '=1', ' =1', '-5', '@a', 'two\nlines', 'a\rb', 'x, "y"; z']
  const outlines = ['text', '123', 123, ['a', 'b'], { a: [1] }, '=1', 'true', [], [''], '"quoted"', 1.5, false]
  for (const [at, title] of titles.entries())
    await from.post('/v1/data/courses', { title, code: `c${at}`, outline: outlines[at] })
  for (const query of ['', '?bom=true']) {
    const { body } = await from.get<string>(`/v1/data/courses${query}`, { headers: { accept: 'text/csv' } })
    const { state, id } = await run(to, 'courses', body, '?by=code')
    t.is(state, 'succeeded', JSON.stringify(await errorsOf(to, 'courses', id)))
    const rows = await rowsOf(to, 'courses?sort=code')
    const expected = titles.map((title, at) => ({ code: `c${at}`, title, outline: outlines[at] }))
    for (const { code, title, outline } of expected)
      t.like(
        rows.find(row => row.code === code),
        { title, outline },
        code,
      )
  }
})

test('reads what Excel saves: TRUE and FALSE, semicolons and decimal commas', async t => {
  const person = await people.person()
  const file = 'title;published;rating\nA;TRUE;4,5\nB;False;1.234,25\nC;true;-0,5\nD;;3.5\nE;;7\n'
  const { state, id } = await run(person, 'courses', file)
  t.is(state, 'succeeded', JSON.stringify(await errorsOf(person, 'courses', id)))
  const rows = await rowsOf(person, 'courses?sort=title')
  t.deepEqual(
    rows.map(({ rating }) => rating),
    [4.5, 1234.25, -0.5, 3.5, 7],
  )
  t.deepEqual(
    rows.map(({ published }) => published),
    [true, false, true, false, false],
  )
})

test('adds fractions as decimals', async t => {
  const person = await people.person()
  for (const rating of [0.1, 0.2]) await person.post('/v1/data/courses', { title: 'x', rating })
  const { body } = await person.get<{ data: object[] }>('/v1/data/courses/aggregate?sum=rating&avg=rating')
  t.like(body.data[0], { sum: { rating: 0.3 }, avg: { rating: 0.15 } })
})

test('a CSV file begins with a byte order mark if the request asks for one', async t => {
  const person = await people.person()
  await person.post('/v1/data/courses', { title: 'Grüße' })
  const first = async (query: string) => {
    const response = await fetch(`${kernel.url}/v1/data/courses${query}`, {
      headers: { authorization: `Bearer ${person.token}`, 'x-tenant-id': person.tenantId, accept: 'text/csv' },
    })
    return Buffer.from(await response.arrayBuffer())
      .subarray(0, 3)
      .toString('hex')
  }
  t.is(await first('?bom=true'), 'efbbbf')
  t.is(await first(''), Buffer.from('id,').toString('hex'))
})

test('refuses JSON with numbers that would be rounded', async t => {
  const person = await people.person()
  const { id, state } = await run(person, 'courses', 'title,outline\nA,"{""a"":750727362669608961}"\n')
  t.is(state, 'failed')
  t.like((await errorsOf(person, 'courses', id))[0], { column: 'outline', code: 'not_allowed' })
})

test('errors of rows are in the language that the request accepts', async t => {
  await owner.post('/v1/data/categories', { name: 'Sprachen' })
  const { id } = await run(owner, 'categories', 'name,hidden\nSprachen,\nTiere,vielleicht\n', '?dryRun=true')
  const german = owner.with({ 'x-tenant-id': owner.tenantId, 'accept-language': 'de-AT' })
  const details = (await errorsOf(german, 'categories', id)).map(({ detail }) => detail)
  t.is(details[0], 'ist bereits vergeben')
  t.is((await errorsOf(owner, 'categories', id))[0]?.detail, 'is taken')
})
