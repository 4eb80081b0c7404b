import test from 'ava'
import { OperatorError } from '../../../kernel/base/operator-error.ts'
import { type OpenDatabase, openDatabase } from '../../../services/postgres/open.ts'
import { createTestDatabase } from '../../../services/postgres/testing.ts'
import { log, sets } from './fixtures.ts'

const OLD = 'the first secret of this database, 1'
const NEW = 'the other secret of this database, 2'

const isMismatch = (error: unknown): boolean => OperatorError.is(error) && error.code === 'secret_mismatch'

async function createDatabase(t: { teardown(run: () => Promise<void>): void }) {
  const { ownerUrl, drop } = await createTestDatabase({ migrations: sets, log })
  t.teardown(drop)
  return async (...secrets: string[]): Promise<OpenDatabase> => {
    const db = await openDatabase({ ownerUrl, secrets, log })
    t.teardown(() => db.close())
    return db
  }
}

test('rejects a migration with another secret than that of the database', async t => {
  const open = await createDatabase(t)
  await (await open(OLD)).migrate(sets)
  const other = await open(NEW)
  t.true(isMismatch(await t.throwsAsync(other.migrate(sets))))
  t.true(isMismatch(await t.throwsAsync(other.checkSecret())))
  await t.notThrowsAsync((await open(OLD)).checkSecret())
})

test('accepts a new secret after a start with both', async t => {
  const open = await createDatabase(t)
  await (await open(OLD)).migrate(sets)
  await (await open(NEW, OLD)).migrate(sets)
  await (await open(OLD)).checkSecret()
  await (await open(NEW)).migrate(sets)
  t.true(isMismatch(await t.throwsAsync((await open(OLD)).migrate(sets))))
})

test('replaces a lost secret on request', async t => {
  const open = await createDatabase(t)
  await (await open(OLD)).migrate(sets)
  const other = await open(NEW)
  t.true(await other.replaceSecret())
  await other.migrate(sets)
  t.false(await other.replaceSecret(), 'the secret is already known')
  t.true(isMismatch(await t.throwsAsync((await open(OLD)).checkSecret())))
})

test('accepts any secret for a database without Larder tables', async t => {
  const { ownerUrl, drop } = await createTestDatabase({ migrations: [], log })
  t.teardown(drop)
  const db = await openDatabase({ ownerUrl, secrets: [NEW], log })
  t.teardown(() => db.close())
  await t.notThrowsAsync(db.checkSecret())
  await t.notThrowsAsync(db.migrate([]))
})
