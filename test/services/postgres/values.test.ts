import test from 'ava'
import fc from 'fast-check'
import pg from 'pg'
import { createTestDatabase } from '../../../services/postgres/testing.ts'
import { encodeValues } from '../../../services/postgres/values.ts'

let client: pg.Client
let drop: () => Promise<void>
test.before(async () => {
  const database = await createTestDatabase({ migrations: [] })
  drop = database.drop
  client = new pg.Client({ connectionString: database.ownerUrl })
  client.on('error', () => undefined)
  await client.connect()
})
test.after.always(async () => {
  await client?.end()
  await drop?.()
})

/** What PostgreSQL reads, as values of these types. */
const read = async (values: readonly unknown[], types: readonly string[]): Promise<unknown[]> => {
  const columns = types.map((type, at) => `$${at + 1}::${type} as "${at}"`).join(', ')
  const { rows } = await client.query<Record<string, unknown>>(`select ${columns}`, encodeValues(values))
  return types.map((_, at) => rows[0]?.[at])
}

test('PostgreSQL reads every kind of value back', async t => {
  const at = new Date('2026-07-31T23:30:00.123Z')
  const bytes = Buffer.from([0, 1, 92, 34, 255])
  const values = [null, undefined, 'a"b\\c', 1.5, true, 12345678901234567890n, at, bytes, new Uint8Array(bytes)]
  const types = ['text', 'text', 'text', 'float8', 'boolean', 'numeric', 'timestamptz', 'bytea', 'bytea']
  t.deepEqual(await read(values, types), [null, null, 'a"b\\c', 1.5, true, '12345678901234567890', at, bytes, bytes])
})

test('PostgreSQL reads arrays and objects back', async t => {
  const texts = ['', 'NULL', 'null', '{a,"b"}', '\\', 'a b', null]
  const objects = [{ a: 'x"y' }, { b: [1, '\\'] }]
  const nested = [
    ['a', 'b'],
    ['c', 'd,e'],
  ]
  const at = new Date('2026-07-31T23:30:00.123Z')
  const bytes = [Buffer.from([0, 92, 34]), Buffer.alloc(0)]
  const values = [texts, objects, nested, [at], bytes, [], { a: [1, 'x'] }]
  const types = ['text[]', 'json[]', 'text[]', 'timestamptz[]', 'bytea[]', 'text[]', 'json']
  t.deepEqual(await read(values, types), values)
})

test('PostgreSQL reads any list of texts back', async t => {
  const text = fc.string({ unit: 'grapheme' }).map(given => given.replaceAll('\0', ''))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text)), async list => {
      t.deepEqual(await read([list], ['text[]']), [list])
    }),
    { numRuns: 50 },
  )
})

test('refuses values that have no text', t => {
  const circular: Record<string, unknown> = {}
  circular.self = circular
  t.throws(() => encodeValues([circular]), { instanceOf: TypeError })
  t.deepEqual(encodeValues([new Date(Number.NaN)]), ['Invalid Date'])
})
