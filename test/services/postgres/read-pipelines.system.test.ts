import { setTimeout as wait } from 'node:timers/promises'
import test from 'ava'
import { Problem } from '../../../kernel/base/problem.ts'
import { createFixture, type Fixture, insert } from './fixtures.ts'

const TENANTS = ['ten_a', 'ten_b', 'ten_c'] as const
const KILLS = 20
const KILL_INTERVAL_MS = 100
/** Requests at the same time. */
const CONCURRENCY = 64

let fixture: Fixture
test.before(async () => {
  fixture = await createFixture({ maxConnections: 8 })
  for (const id of TENANTS) await fixture.database.tenant(id).query(insert, [id, id, id])
})
test.after.always(() => fixture.end())

test('connections that are closed under load fail the read that is executed, and return no foreign row', async t => {
  const wrong: unknown[] = []
  const errors: unknown[] = []
  let reads = 0
  let isEnding = false
  async function readUntilEnd(at: number): Promise<void> {
    for (let round = at; !isEnding; round++) {
      const tenantId = TENANTS[round % TENANTS.length] as string
      const unit = fixture.database.tenant(tenantId)
      try {
        // Every tenth read isn't pipelined, and takes longer.
        const { rows } =
          round % 10 === 0
            ? await unit.query('select id, pg_sleep(0.002) from test_things')
            : await unit.query('/* pipelined */ select id from test_things where id like $1', ['ten%'])
        reads++
        if (rows.length !== 1 || rows[0]?.id !== tenantId) wrong.push(rows)
      } catch (error) {
        errors.push(error)
      }
    }
  }
  const load = Array.from({ length: CONCURRENCY }, (_, at) => readUntilEnd(at))
  for (let kills = 0; kills < KILLS; ) {
    await wait(KILL_INTERVAL_MS)
    const killed = await fixture.asOwner(`select pg_terminate_backend(pid) from pg_stat_activity
      where usename = 'larder_app' and datname = current_database() order by random() limit 1`)
    kills += killed.length
  }
  isEnding = true
  await Promise.all(load)
  t.deepEqual(wrong, [])
  t.true(reads > KILLS * CONCURRENCY, `${reads}`)
  t.true(errors.every(error => Problem.is(error) && error.code === 'database_unavailable'))
  // Reads behind the one that is executed are repeated.
  t.true(errors.length <= KILLS, `${errors.length} errors`)
})
