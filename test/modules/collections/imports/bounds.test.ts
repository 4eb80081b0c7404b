import { Readable } from 'node:stream'
import test from 'ava'
import { common, fieldError, Problem, wording } from '../../../../kernel/index.ts'
import { csvRecords } from '../../../../modules/collections/domain/imports/csv-rows.ts'
import { MAX_ROW_LENGTH } from '../../../../modules/collections/domain/imports/imported-row.ts'
import { ndjsonRows } from '../../../../modules/collections/domain/imports/ndjson-rows.ts'
import { problems } from '../../../../modules/collections/problems.ts'
import { MAX_BATCH_LENGTH } from '../../../../modules/collections/services/imports/import-store.ts'
import { createImportUploads } from '../../../../modules/collections/services/imports/import-uploads.ts'
import { isOfRow } from '../../../../modules/collections/services/imports/import-writer.ts'

test('reads lines however the text is cut', async t => {
  const text = '{"a":1}\n\n{"a":2}\r\n  {"a":3}\n{"a":4}'
  for (const size of [1, 2, 7, 8, 9, text.length]) {
    const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
    const rows = []
    for await (const { line, values } of ndjsonRows(Readable.from(chunks))) rows.push([line, values.a])
    t.deepEqual(rows, [
      [1, 1],
      [3, 2],
      [4, 3],
      [5, 4],
    ])
  }
})

test('searches a long line that arrives in tiny chunks only once', async t => {
  const started = process.cpuUsage()
  const text = `{"a":"${'x'.repeat(500_000)}"}`
  async function* chunks() {
    for (const character of text) yield character
  }
  for await (const { values } of ndjsonRows(chunks())) t.is(String(values.a).length, 500_000)
  t.true(process.cpuUsage(started).user < 5_000_000)
})

const cellsOf = async (text: string) => {
  const records: (readonly string[])[] = []
  for await (const { cells } of csvRecords(Readable.from([text]))) records.push(cells)
  return records
}

test('keeps the line breaks of a file apart from those within its cells, however the text is cut', async t => {
  for (const [lineBreak, inside] of [
    ['\n', '\r'],
    ['\r\n', '\n'],
    ['\r', 'x'],
  ] as const) {
    const text = ['title,note', `"A${inside}B",one`, 'C,two', ''].join(lineBreak)
    for (const size of [1, 2, 11, text.length]) {
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      const records: (readonly string[])[] = []
      for await (const { cells } of csvRecords(Readable.from(chunks))) records.push(cells)
      t.deepEqual(records, [
        ['title', 'note'],
        [`A${inside}B`, 'one'],
        ['C', 'two'],
      ])
    }
  }
})

test('reads a first line that is longer than the part in which line breaks are looked for', async t => {
  const title = 'x'.repeat(200_000)
  const text = `"${title}",note\r\nA,one\r\n`
  const chunks = text.match(/[\s\S]{1,1000}/g) ?? []
  const records: (readonly string[])[] = []
  for await (const { cells } of csvRecords(Readable.from(chunks))) records.push(cells)
  t.deepEqual(records, [
    [title, 'note'],
    ['A', 'one'],
  ])
})

test('recognizes tabs between cells', async t => {
  t.deepEqual(await cellsOf('title\tnote\nA\tone, two\n'), [
    ['title', 'note'],
    ['A', 'one, two'],
  ])
})

test('ignores delimiters in a quoted name of a column', async t => {
  t.deepEqual(await cellsOf('"a,b,c";title\n1;2\n'), [
    ['a,b,c', 'title'],
    ['1', '2'],
  ])
})

for (const [title, start] of [
  ['at the start', ''],
  ['after empty lines', '\n,,\n'],
] as const)
  test(`refuses a header of too many columns ${title} before it is read to its end`, async t => {
    let sent = 0
    async function* chunks() {
      yield start
      for (; sent < 50; sent++) yield 'name,'.repeat(16_000)
    }
    const read = async () => {
      for await (const _ of csvRecords(chunks())) t.fail('a record')
    }
    const error = await t.throwsAsync<Problem>(read(), { code: 'import_columns_invalid' })
    t.deepEqual(error?.extras.errors, [
      fieldError('/columns', 'too_many', wording('must be at most {limit}', { limit: 500 })),
    ])
    t.true(sent < 2, 'the rest of the header is not read')
  })

test('recognizes the delimiter of a header after empty lines', async t => {
  t.deepEqual(await cellsOf('\n;;\ntitle;note\nA;B, C\n'), [
    ['title', 'note'],
    ['A', 'B, C'],
  ])
})

test('rejects rows of more than 1 MiB', async t => {
  const long = 'x'.repeat(MAX_ROW_LENGTH + 2)
  await t.throwsAsync(cellsOf(`title\n${long}`), { code: 'import_malformed' })
  let sent = 0
  async function* chunks() {
    for (; sent < 5; sent++) yield 'x'.repeat(MAX_ROW_LENGTH)
  }
  const read = async () => {
    for await (const _ of ndjsonRows(chunks())) t.fail('a row')
  }
  await t.throwsAsync(read(), { code: 'import_malformed', message: /1048576 characters/ })
  t.true(sent < 3, 'the rest of the line is not read')
})

test('missing rights and limits of the plan end an import, unlike problems of a row', t => {
  t.true(isOfRow(common.validation_failed({}, { errors: [] })))
  t.false(isOfRow(common.forbidden({ permission: 'any' }, { requiredPermission: 'any' })))
  t.false(isOfRow(new Problem('entitlement_exceeded', 409, 'too many')))
  t.false(isOfRow(problems.hook_timed_out({ collection: 'things', seconds: 5 })))
})

type Limits = Parameters<typeof createImportUploads>[2]

function fixtures(active: number, limits?: Limits) {
  const lengths: number[] = []
  const firstRows: number[] = []
  const store = {
    create: async () => 'imp_1',
    countActive: async () => active,
    findByKey: async (_tenant: string, _collection: string, _user: string, key: string) =>
      key === 'known' ? { id: 'imp_0', digest: 'another' } : undefined,
    remove: async () => undefined,
    queue: async () => true,
    addBatch: async (_tenant: string, _id: string, first: number, rows: readonly string[]) => {
      firstRows.push(first)
      lengths.push(rows.join(',').length)
    },
  }
  const deps = {
    database: { tenant: () => ({ transaction: (work: (unit: object) => unknown) => work({}) }) },
    jobs: { enqueue: async () => undefined },
    product: { audience: 'teams' },
  }
  const parts = { store, reader: { get: async () => ({ id: 'imp_1' }) }, hooks: { has: () => false } }
  const uploads = createImportUploads(deps as never, parts as never, limits)
  const field = { name: 'a', type: 'text' }
  const collection = { name: 'things', fields: new Map([['a', field]]) }
  const view = {
    tenantId: 'ten_1',
    caller: {},
    ownerOf: () => 'ten_1',
    allows: () => true,
    mayWrite: () => true,
    rows: () => 'all',
  }
  const receive = (lines: readonly string[], idempotencyKey?: string) =>
    receiveBody(Readable.from(lines.map(line => Buffer.from(`${line}\n`))), idempotencyKey)
  const receiveBody = (body: Readable, idempotencyKey?: string) => {
    const options = { format: 'ndjson', by: null, onError: 'stop', dryRun: false } as const
    const file = { body, contentType: 'application/x-ndjson', idempotencyKey }
    return uploads.receive(view as never, collection as never, options, file)
  }
  return { receive, receiveBody, lengths, firstRows }
}

test('stores large rows in smaller batches', async t => {
  const { receive, lengths, firstRows } = fixtures(0)
  await receive(Array.from({ length: 20 }, () => JSON.stringify({ a: 'x'.repeat(900_000) })))
  t.deepEqual(firstRows, [0, 4, 8, 12, 16])
  t.true(Math.max(...lengths) <= MAX_BATCH_LENGTH)
})

test('the limit of active imports does not apply to repeated requests', async t => {
  const { receive } = fixtures(10)
  await t.throwsAsync(receive(['{}'], 'new'), { code: 'too_many_imports' })
  await t.throwsAsync(receive(['{}'], 'known'), { code: 'idempotency_mismatch' })
})

const LIMITS = { rows: 1000, bytes: 10_000, graceMs: 60_000 }

test('rejects a file with too many rows or bytes', async t => {
  const rows = (count: number, text = '{}') => Array.from({ length: count }, () => text)
  const { receive } = fixtures(0, LIMITS)
  await t.notThrowsAsync(receive(rows(1000)))
  await t.throwsAsync(receive(rows(1001)), { code: 'import_too_large', message: /1000 rows/ })
  await t.throwsAsync(receive(rows(10, `{"a":"${'x'.repeat(1000)}"}`)), { code: 'import_too_large', message: /bytes/ })
})

test('rejects a file that arrives too slowly', async t => {
  async function* slow() {
    for (let sent = 0; sent < 3; sent++) {
      await new Promise(resolve => setTimeout(resolve, 30))
      yield Buffer.from('{}\n')
    }
  }
  const { receiveBody } = fixtures(0, { ...LIMITS, graceMs: 0 })
  await t.throwsAsync(receiveBody(Readable.from(slow())), { code: 'import_too_slow' })
})

test('an upload that the client ends is incomplete', async t => {
  async function* cut() {
    yield Buffer.from('{}\n')
    throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  }
  await t.throwsAsync(fixtures(0).receiveBody(Readable.from(cut())), { code: 'import_incomplete' })
})

test('closes the connection of a rejected file whose rest is unread', async t => {
  const { receive } = fixtures(0, { ...LIMITS, rows: 1, bytes: 1_000_000 })
  const row = `{"a":"${'x'.repeat(5000)}"}`
  const unread = await t.throwsAsync(receive(Array.from({ length: 50 }, () => row)))
  t.is(Problem.is(unread) ? unread.headers?.connection : undefined, 'close')
  const read = await t.throwsAsync(receive([]))
  t.is(Problem.is(read) ? read.headers?.connection : 'none', undefined)
})
