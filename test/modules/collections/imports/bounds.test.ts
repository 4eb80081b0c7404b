import { Readable } from 'node:stream'
import test from 'ava'
import { ndjsonRows } from '../../../../modules/collections/domain/imports/ndjson-rows.ts'
import { MAX_BATCH_LENGTH } from '../../../../modules/collections/services/imports/import-store.ts'
import { createImportUploads } from '../../../../modules/collections/services/imports/import-uploads.ts'

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

function fixtures(active: number) {
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
  }
  const parts = { store, reader: { get: async () => ({ id: 'imp_1' }) }, hooks: { has: () => false } }
  const uploads = createImportUploads(deps as never, parts as never)
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
  const receive = (lines: readonly string[], idempotencyKey?: string) => {
    const body = Readable.from(lines.map(line => Buffer.from(`${line}\n`)))
    const options = { format: 'ndjson', by: null, onError: 'stop', dryRun: false } as const
    const file = { body, contentType: 'application/x-ndjson', idempotencyKey }
    return uploads.receive(view as never, collection as never, options, file)
  }
  return { receive, lengths, firstRows }
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
