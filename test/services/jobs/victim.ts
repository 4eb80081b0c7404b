/** A worker that reports when it runs a job, and never completes it. */
import type { Job } from '../../../kernel/index.ts'
import { openTestDatabase } from '../outbox/fixtures.ts'
import { createTestJobs, onPostgres } from './fixtures.ts'

const [ownerUrl = ''] = process.argv.slice(2)
const db = await openTestDatabase(ownerUrl, 'victim')
const run = () => {
  process.send?.('running')
  return new Promise<void>(() => {})
}
await createTestJobs(db, onPostgres, { now: Date.now }).start([{ name: 'test.once', run } as unknown as Job])
process.send?.('ready')
