import anyTest, { type ExecutionContext, type TestFn } from 'ava'
import pg from 'pg'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { type PlatformFixture, startFixture } from '../modules/platform/fixtures.ts'
import { run } from './command.ts'

const test = anyTest as TestFn<PlatformFixture>
type T = ExecutionContext<PlatformFixture>

test.before(async t => {
  t.context = await startFixture()
})
test.after.always(t => t.context.stop?.())

const larder = (t: T, ...args: string[]) =>
  run(t, args, t.context.folder, {
    DATABASE_URL: t.context.kernel.databaseUrl,
    LARDER_SECRET: 'a secret that only tests may know of',
  })
const json = async <Value>(t: T, ...args: string[]): Promise<Value> => {
  const { code, out, err } = await larder(t, ...args, '--json')
  t.is(code, 0, err)
  return JSON.parse(out) as Value
}
interface Dead {
  deliveries: { data: { id: string; eventId: string }[] }
  jobs: { data: { id: string }[] }
}

test.serial('lists dead letters with their error and delivers them after a retry', async t => {
  const { ada, kernel, fail } = t.context
  await fail(ada)
  const shown = await larder(t, 'events', 'dead')
  t.is(shown.code, 0, shown.err)
  t.regex(shown.out, /flaky:flaky\.thing\.made +ten_\w+ +\d+ +the ledger is closed/)
  t.regex(shown.out, /flaky\.work/)

  await kernel.post('/v1/flaky/mended')
  const { deliveries, jobs } = await json<Dead>(t, 'events', 'dead')
  const ids = [...deliveries.data, ...jobs.data].map(({ id }) => id)
  t.is(ids.length, 2)
  const retried = await larder(t, 'events', 'retry', ...ids)
  t.is(retried.code, 0, retried.err)
  t.is(retried.out.match(/queued for retry/g)?.length, 2)
  await kernel.settled()
  t.is((await larder(t, 'events', 'dead')).out, 'No dead letters.\n')

  const again = await larder(t, 'events', 'retry', ids[0] as string)
  t.is(again.code, 1)
  t.regex(again.out, /not found\. To list dead letters/)
  const eventId = deliveries.data[0]?.eventId as string
  t.regex((await larder(t, 'events', 'replay', eventId)).out, /queued for 0 handlers/)
  t.regex((await larder(t, 'events', 'replay', '--force', eventId)).out, /queued for 1 handler$/m)
  const unknown = await larder(t, 'events', 'replay', 'evt_unknown')
  t.is(unknown.code, 1)
  t.regex(unknown.out, /not found\. To list events/)
})

test.serial('retry --all includes deliveries and jobs', async t => {
  t.is((await larder(t, 'events', 'retry', '--all')).out, 'No dead letters.\n')
})

test.serial('lists events by type and by tenant', async t => {
  const { ada, bob } = t.context
  const list = (...args: string[]) =>
    json<{ data: { type: string; tenantId: string }[] }>(t, 'events', 'list', '--type', 'flaky.thing.made', ...args)
  t.true((await list()).data.length >= 1)
  t.true((await list('--tenant', ada.tenantId)).data.every(({ tenantId }) => tenantId === ada.tenantId))
  t.is((await list('--tenant', bob.tenantId)).data.length, 0)
  t.regex((await larder(t, 'events', 'list', '-n', '1')).out, /^event +type[\s\S]+Next page: --cursor \S+/)
})

test.serial('does not change a database without kernel tables', async t => {
  const empty = await createTestDatabase({ migrations: [] })
  t.teardown(() => empty.drop())
  const env = { DATABASE_URL: empty.ownerUrl, LARDER_SECRET: 'a secret that only tests may know of' }
  const { code, err } = await run(t, ['events', 'list'], t.context.folder, env)
  t.is(code, 1)
  t.regex(err, /lacks migrations .*: 0001-\S+.*Run `larder migrate`/)
  t.false(await isThere(empty.ownerUrl, 'larder_installation'))
})

async function isThere(address: string, table: string): Promise<boolean> {
  const client = new pg.Client(address).on('error', () => {})
  await client.connect()
  const { rows } = await client.query('select to_regclass($1) is not null as there', [table])
  await client.end()
  return rows[0].there
}

test.serial('migrate lists the migrations of the recipe', async t => {
  const migrated = await larder(t, 'migrate')
  t.is(migrated.code, 0, migrated.err)
  t.regex(migrated.out, /^identity +0001-\S+ +\d{4}-/m)
})
