import test from 'ava'
import type pg from 'pg'
import { createOwnerConnection, type OwnerConnection } from '../../../services/postgres/owner.ts'
import { createFixture, type Fixture, log } from './fixtures.ts'

let fixture: Fixture
let owner: OwnerConnection
test.before(async () => {
  fixture = await createFixture()
})
test.beforeEach(() => {
  owner = createOwnerConnection({ url: fixture.ownerUrl, log })
})
test.afterEach.always(() => owner.close())
test.after.always(() => fixture.end())

const LOCK = "select pg_try_advisory_lock(hashtext('owner test')) as taken"
const pidOf = async (client: pg.Client): Promise<number> =>
  (await client.query('select pg_backend_pid() as pid')).rows[0].pid

test.serial('reuses its connection, without the locks and settings of earlier work', async t => {
  const first = await owner.run(async client => {
    await client.query(LOCK)
    await client.query("set application_name = 'changed'")
    return pidOf(client)
  })
  // At once: it is kept for a second only.
  await owner.run(async client => {
    t.is(await pidOf(client), first)
    t.deepEqual(await fixture.asOwner(LOCK), [{ taken: true }])
    t.deepEqual((await client.query('show application_name')).rows, [{ application_name: 'larder owner' }])
  })
})

test.serial('work at the same time and work after an error get connections of their own', async t => {
  const pids = await Promise.all([owner.run(pidOf), owner.run(pidOf)])
  t.is(new Set(pids).size, 2)
  let failed = 0
  const failing = owner.run(async client => {
    failed = await pidOf(client)
    throw new Error('changed my mind')
  })
  await t.throwsAsync(failing, { message: 'changed my mind' })
  t.not(await owner.run(pidOf), failed)
})

test.serial('connects again after the server has closed its connection', async t => {
  const pid = await owner.run(pidOf)
  await fixture.asOwner('select pg_terminate_backend($1, 5000)', [pid])
  await owner.run(async client => t.not(await pidOf(client), pid))
})
