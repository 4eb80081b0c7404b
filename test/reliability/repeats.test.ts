import test from 'ava'
import { type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { newEmail } from '../modules/identity/fixtures.ts'
import { connectAsOwner, type OwnerClient } from './fixtures.ts'

const recipe = { modules: { identity: {}, comms: {} } }
let first: TestKernel
let second: TestKernel
let owner: OwnerClient
let ada: Person

test.before(async () => {
  first = await startTestKernel({ recipe })
  second = await startTestKernel({ recipe, database: first.databaseUrl })
  owner = connectAsOwner(first.databaseUrl)
  ada = await first.register(newEmail('ada'))
})
test.after.always(async () => {
  await owner?.end()
  await second?.stop()
  await first?.stop()
})

const KINDS: readonly { path: string; body: object; count: string }[] = [
  {
    path: '/v1/identity/members/invite',
    body: { email: 'ben@example.test', roles: ['tenant.member'] },
    count: `select count(*)::int from comms_messages where recipient = 'ben@example.test'`,
  },
  {
    path: '/v1/identity/api-keys',
    body: { name: 'once' },
    count: `select count(*)::int from identity_api_keys where name = 'once'`,
  },
  {
    path: '/v1/identity/tenants',
    body: { name: 'Once more' },
    count: `select count(*)::int from identity_tenants where name = 'Once more'`,
  },
]

for (const { path, body, count } of KINDS)
  test(`100 concurrent POSTs to ${path} with one Idempotency-Key at two processes take effect once and return one result`, async t => {
    const ask = (kernel: TestKernel) =>
      kernel.as(ada.token).post<{ id: string }>(path, body, { headers: { 'idempotency-key': `key of ${path}` } })
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => ask(n % 2 ? first : second)))
    const others = answers.filter(({ status }) => status !== 201).map(({ status }) => status)
    t.deepEqual(
      [...new Set(others)].filter(status => status !== 409),
      [],
    )
    const last = await ask(second)
    t.is(last.headers.get('idempotent-replayed'), 'true')
    const ids = new Set([...answers.filter(({ status }) => status === 201), last].map(answer => answer.body.id))
    t.is(ids.size, 1)
    await first.settled()
    t.is(await owner.value(count), 1)
  })
