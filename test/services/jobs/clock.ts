/** A worker that reports each run of its recurring jobs, and its warnings. Blocks the event loop at `block <ms>`. */
import { pino } from 'pino'
import type { Job } from '../../../kernel/index.ts'
import { openTestDatabase } from '../outbox/fixtures.ts'
import { createTestJobs, onPostgres } from './fixtures.ts'

export type ClockReport = { readonly ran: string } | { readonly warning: string } | { readonly ready: true }

const [ownerUrl = '', ...names] = process.argv.slice(2)
const report = (what: ClockReport) => process.send?.(what)
const log = pino({ level: 'warn' }, { write: line => void report({ warning: line }) })
const db = await openTestDatabase(ownerUrl, 'clock')
const jobs = names.map(name => ({ name, every: '1s', run: async () => void report({ ran: name }) }) as unknown as Job)
await createTestJobs(db, onPostgres, { now: Date.now }, log).start(jobs)
process.on('message', milliseconds => {
  const end = performance.now() + Number(milliseconds)
  while (performance.now() < end);
})
report({ ready: true })
