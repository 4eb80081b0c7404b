/** A worker whose job reports that its transaction is open, and commits half a second later. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job, JobContext } from '../../../kernel/index.ts'
import { openTestDatabase } from '../outbox/fixtures.ts'
import { createTestJobs, onPostgres } from './fixtures.ts'

const [ownerUrl = ''] = process.argv.slice(2)
const db = await openTestDatabase(ownerUrl, 'paused')
const run = async (_: unknown, { attempt }: JobContext) => {
  const work = db.database.tenant('ten_a').transaction(async unit => {
    await unit.query('insert into effects values ($1)', [attempt])
    process.send?.('open')
    await sleep(500)
  })
  await work.finally(() => process.send?.('ended'))
}
await createTestJobs(db, onPostgres, { now: Date.now }).start([{ name: 'test.once', run } as unknown as Job])
process.send?.('ready')
