import test from 'ava'
import { MINUTE, SECOND } from '../../../kernel/base/units.ts'
import type { Job, Step } from '../../../kernel/index.ts'
import { expire, fail, type LeasedJob } from '../../../services/jobs/leases.ts'

const clock = { now: Date.now, isSystem: true }
const row = (attempts: number): LeasedJob => ({
  id: 'job_1',
  name: 'test.mail',
  tenant_id: null,
  data: {},
  context: {},
  key: null,
  attempts,
})
const mail = { name: 'test.mail', attempts: 5, backoff: () => 5 * MINUTE, run: async () => {} } as unknown as Job
/** Milliseconds until the next run; 'as before' if unchanged; undefined if the job is dead. */
const wait = ([text, values = []]: Step) => {
  if (text.includes("state = 'dead'")) return undefined
  return values[3] ?? 'as before'
}

test('after a lost worker, keeps the time of the job once and then backs off, regardless of its own backoff', t => {
  t.deepEqual(
    [1, 2, 3, 4, 5].map(attempts => wait(expire(row(attempts), mail, clock))),
    ['as before', 10 * SECOND, 30 * SECOND, 90 * SECOND, undefined],
  )
  t.is(wait(fail(row(1), mail, new Error('greylisted'), clock)), 5 * MINUTE)
})
