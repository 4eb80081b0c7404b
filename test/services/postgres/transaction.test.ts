import test from 'ava'
import { createAppAccess } from '../../../services/postgres/app-access.ts'
import { type ConnectionPool, createPool } from '../../../services/postgres/pool.ts'
import type { PooledConnection } from '../../../services/postgres/pooled-connection.ts'
import { encodeStatement } from '../../../services/postgres/statements.ts'
import { createTransaction } from '../../../services/postgres/transaction.ts'
import { batchVerification } from '../../../services/postgres/verification.ts'
import { createFixture, type Fixture, insert, log, secret } from './fixtures.ts'

let fixture: Fixture
let pool: ConnectionPool
/** Counts its batches. */
let connection: PooledConnection
let batches = 0
test.before(async () => {
  fixture = await createFixture()
  await fixture.migrate([])
  const access = createAppAccess({ ownerUrl: fixture.ownerUrl, secrets: [secret] })
  access.useRoles(fixture.roles.roles)
  pool = createPool({ access, log, maxConnections: 1, applicationName: 'transaction', pooled: false })
  const real = await pool.connect(null)
  connection = {
    get status() {
      return real.status
    },
    run(...batch) {
      batches++
      return real.run(...batch)
    },
    release: () => real.release(),
  }
})
test.beforeEach(async () => {
  await fixture.asOwner('truncate test_things, test_parts')
  batches = 0
})
test.after.always(async () => {
  connection.release()
  await pool.end()
  await fixture.end()
})

const begin = () => createTransaction(connection, pool, batchVerification({}, pool.settings))
const a = 'ten_a'
const b = 'ten_b'
const row = (id: string, tenantId = 'ten_a') => [encodeStatement([insert, [tenantId, id, id]])]
const reasonOf = (result: PromiseSettledResult<unknown> | undefined): { message?: string; code?: string } =>
  result?.status === 'rejected' ? result.reason : {}

test.serial('a commit that the server rolls back is an error', async t => {
  const transaction = begin()
  await transaction.run(a, row('1'))
  await connection.run([encodeStatement(['select 1 / 0'])], 5000)
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
  t.is(batches, 0)
})

test.serial('savepoints need no round trip', async t => {
  const transaction = begin()
  for (const id of ['1', '2', '3']) await transaction.savepoint(() => transaction.run(a, row(id)))
  await transaction.commit()
  t.is(batches, 4)
  t.deepEqual(await fixture.things(), ['1', '2', '3'])
})

test.serial('statements of one turn share a round trip, each in its own role', async t => {
  const transaction = begin()
  const later = async () => {
    await undefined
    return transaction.run(a, row('3'))
  }
  await Promise.all([transaction.run(a, row('1')), transaction.run(b, row('2', 'ten_b')), later()])
  await transaction.commit()
  t.is(batches, 2)
  t.deepEqual(await fixture.asOwner('select tenant_id, id from test_things order by id'), [
    { tenant_id: 'ten_a', id: '1' },
    { tenant_id: 'ten_b', id: '2' },
    { tenant_id: 'ten_a', id: '3' },
  ])
})

test.serial(
  'of statements of one turn, the one that fails gets its own error, and those behind it run no more',
  async t => {
    const transaction = begin()
    const results = await Promise.allSettled([
      transaction.run(a, row('1')),
      transaction.run(a, row('1')),
      transaction.run(a, row('2')),
    ])
    t.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected'],
    )
    t.is(reasonOf(results[1]).code, '23505')
    t.regex(reasonOf(results[2]).message ?? '', /an earlier statement of this unit failed/)
    await t.throwsAsync(transaction.commit(), { message: /all of it was rolled back/ })
    await transaction.rollback()
    t.is(connection.status, 'I')
    t.deepEqual(await fixture.things(), [])
  },
)
