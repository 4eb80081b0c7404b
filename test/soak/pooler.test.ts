import test from 'ava'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { createPgBouncer } from '../system/pgbouncer.ts'
import { runPooledRequests } from '../system/pooled-requests.ts'

const REQUESTS = 10_000

test('10,000 requests to two processes behind a pooler: none fails, and none is answered with other rows', async t => {
  const database = await createTestDatabase({ migrations: [] })
  const pooler = await createPgBouncer(database.ownerUrl)
  t.teardown(async () => {
    await pooler.close()
    await database.drop()
  })
  await pooler.start()
  const { requests, failed, wrong } = await runPooledRequests(
    t,
    {
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: database.ownerUrl,
      LARDER_SECRET: 'a secret that only tests may know of',
      PORT: '0',
      RATE_LIMITS: 'off',
    },
    REQUESTS,
  )
  t.log(`${requests} requests`)
  t.true(requests >= REQUESTS)
  t.deepEqual({ failed, wrong }, { failed: [], wrong: [] })
})
