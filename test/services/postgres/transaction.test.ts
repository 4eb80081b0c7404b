import type { Duplex } from 'node:stream'
import test from 'ava'
import pg, { type PoolClient } from 'pg'
import { tenantIdentity } from '../../../services/postgres/identity.ts'
import { pack } from '../../../services/postgres/pipelined-batch.ts'
import { createTransaction } from '../../../services/postgres/transaction.ts'
import { createStage, insert, type Stage } from './kit.ts'

let stage: Stage
let client: pg.Client
test.before(async () => {
  stage = await createStage()
  await stage.migrate([])
  client = new pg.Client({ connectionString: stage.appUrl, pipeline: true })
  client.on('error', () => {})
  await client.connect()
})
test.after.always(async () => {
  await client.end()
  await stage.end()
})

const begin = () => createTransaction(client as PoolClient)
const a = tenantIdentity('ten_a')

test.serial('a commit that the server answers with a rollback is an error', async t => {
  const transaction = begin()
  await transaction.run(a, [pack([insert, ['ten_a', '1', '1']])])
  await t.throwsAsync(client.query('select 1 / 0'))
  await t.throwsAsync(transaction.commit(), { message: /nothing of it was kept/ })
  t.deepEqual(await stage.things(), [])
})

test.serial('a transaction without a statement sends nothing, neither at its end nor for savepoints', async t => {
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

test.serial('savepoints cost no flight of their own', async t => {
  const transaction = begin()
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  let count = 0
  const write = stream.write.bind(stream)
  stream.write = (bytes: Buffer) => {
    count++
    return write(bytes)
  }
  for (const id of ['1', '2', '3'])
    await transaction.savepoint(() => transaction.run(a, [pack([insert, ['ten_a', id, id]])]))
  await transaction.commit()
  stream.write = write as typeof stream.write
  t.is(count, 4)
  t.deepEqual(await stage.things(), ['1', '2', '3'])
})
