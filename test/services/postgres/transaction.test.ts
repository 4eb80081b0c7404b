import type { Duplex } from 'node:stream'
import test from 'ava'
import pg, { type PoolClient } from 'pg'
import { encodeStatement } from '../../../services/postgres/encoded-statement.ts'
import { tenantIdentity } from '../../../services/postgres/identity.ts'
import { createTransaction } from '../../../services/postgres/transaction.ts'
import { createFixture, type Fixture, insert } from './fixtures.ts'

let fixture: Fixture
let client: pg.Client
test.before(async () => {
  fixture = await createFixture()
  await fixture.migrate([])
  client = new pg.Client({ connectionString: fixture.appUrl, pipeline: true })
  client.on('error', () => {})
  await client.connect()
})
test.after.always(async () => {
  await client.end()
  await fixture.end()
})

const begin = () => createTransaction(client as PoolClient, 5000, () => undefined)
const a = tenantIdentity('ten_a', 'session')

test.serial('a commit that the server rolls back is an error', async t => {
  const transaction = begin()
  await transaction.run(a, [encodeStatement([insert, ['ten_a', '1', '1']])])
  await t.throwsAsync(client.query('select 1 / 0'))
  await t.throwsAsync(transaction.commit(), { message: /all of it was rolled back/ })
  t.deepEqual(await fixture.things(), [])
})

test.serial('a transaction without statements sends nothing, including its savepoints and its end', async t => {
  const transaction = begin()
  await transaction.savepoint(async () => {})
  await t.throwsAsync(
    transaction.savepoint(async () => {
      throw new Error('no')
    }),
  )
  await transaction.commit()
  t.is(client.getTransactionStatus(), 'I')
})

test.serial('savepoints need no round trip', async t => {
  const transaction = begin()
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  let count = 0
  const write = stream.write.bind(stream)
  stream.write = (bytes: Buffer) => {
    count++
    return write(bytes)
  }
  for (const id of ['1', '2', '3'])
    await transaction.savepoint(() => transaction.run(a, [encodeStatement([insert, ['ten_a', id, id]])]))
  await transaction.commit()
  stream.write = write as typeof stream.write
  t.is(count, 4)
  t.deepEqual(await fixture.things(), ['1', '2', '3'])
})
