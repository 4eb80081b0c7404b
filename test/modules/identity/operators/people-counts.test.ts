/** Sign-ups by period, of accounts that were created in years before those of other tests. */
import test from 'ava'
import fc from 'fast-check'
import { newId, periodsOf } from '../../../../kernel/index.ts'
import { peopleCounts } from '../../../../modules/identity/operators/people-counts.ts'
import { withPeople } from '../../../fixtures/with-people.ts'

const { kernel } = withPeople(test, { recipe: { modules: { identity: {} } } })

const ACCOUNTS = 1000
const FIRST = Date.UTC(2020, 0, 1)
const DAYS = 300
const DAY = 24 * 60 * 60_000
/** Many accounts are exactly at the beginning of a day, in some time zone. */
const STEP_MS = 15 * 60_000

const BY_LOCAL_TIME = `
  select to_char(date_trunc($4, created_at, $3) at time zone $3, 'YYYY-MM-DD') as start, count(*)::int as count
  from identity_users where created_at >= $1::timestamp at time zone $3 and created_at < $2::timestamp at time zone $3
  group by 1`

const dayOf = (day: number): string => new Date(FIRST + day * DAY).toISOString().slice(0, 10)
const anyRange = fc.record({
  by: fc.constantFrom('day' as const, 'month' as const),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kathmandu', 'Pacific/Chatham'),
  first: fc.integer({ min: -50, max: DAYS }),
  length: fc.integer({ min: 0, max: 100 }),
})

test('counts sign-ups by the local time of their creation, in every time zone', async t => {
  const { systemDatabase } = kernel.kernel.ports
  const unit = systemDatabase.acrossTenants('a test creates accounts of former years')
  const steps = fc.sample(fc.integer({ min: 0, max: (DAYS * DAY) / STEP_MS }), { numRuns: ACCOUNTS, seed: 7 })
  const users = steps.map(step => ({ id: newId('usr'), at: new Date(FIRST + step * STEP_MS) }))
  await unit.query(
    `insert into identity_users (id, email, email_key, created_at, updated_at)
     select id, id || '@example.test', id || '@example.test', at, at
     from json_to_recordset($1::json) as u (id text, at timestamptz)`,
    [JSON.stringify(users)],
  )
  const property = fc.asyncProperty(anyRange, async ({ by, timeZone, first, length }) => {
    const { starts, until } = periodsOf({ by, timeZone, from: dayOf(first), to: dayOf(first + length) }, FIRST)
    const [from = until] = starts
    const found = await peopleCounts({ systemDatabase })({ by, timeZone, from, until })
    const { rows } = await unit.query<{ start: string; count: number }>(BY_LOCAL_TIME, [from, until, timeZone, by])
    const counts = new Map(rows.map(({ start, count }) => [start, count]))
    const expected = starts.map(start => [start, counts.get(start) ?? 0])
    const counted = new Map(found.map(({ start, signUps }) => [start, signUps]))
    if (JSON.stringify(starts.map(start => [start, counted.get(start) ?? 0])) !== JSON.stringify(expected))
      throw new Error(`differs from ${JSON.stringify(expected)}`)
  })
  await t.notThrowsAsync(fc.assert(property, { numRuns: 100 }))
})
