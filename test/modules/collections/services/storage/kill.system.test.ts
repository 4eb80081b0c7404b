import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { courses, openStorage } from './fixtures.ts'

const WORKER = fileURLToPath(new URL('./apply-worker.js', import.meta.url))
const BEFORE = {
  tags: { fields: { name: { type: 'text' } } },
  ...courses({
    title: { type: 'text' },
    level: { type: 'text', index: true },
    price: { type: 'integer', unique: true },
    gone: { type: 'text' },
  }),
} as const
const AFTER = {
  labels: { was: 'tags', fields: { name: { type: 'text', index: true } } },
  ...courses(
    {
      name: { type: 'text', was: 'title', required: true },
      level: { type: 'integer' },
      price: { type: 'number', unique: true, index: true },
      label: { type: 'reference', to: 'labels' },
      labels: { type: 'reference', to: 'labels', many: true },
      twice: { type: 'computed', expression: 'price * 2', of: 'number' },
    },
    { search: ['name'], history: 2, trash: '1d', unique: [['name', 'price']] },
  ),
} as const

/** Statements between two kills, so that the test ends in half a minute. The soak takes all. */
const STRIDE = Number(process.env.LARDER_STRIDE ?? 5)

test('a process killed at any statement of a change leaves tables that the next start completes', async t => {
  let killed = 0
  for (let statement = 1; ; statement += STRIDE) {
    const storage = await openStorage(t)
    await storage.apply(BEFORE)
    await storage.owner.query(
      `insert into data_courses (tenant_id, id, title, level, price, gone)
       select 'ten_1', 'course_' || n, 'title ' || n, 'low', n, 'kept' from generate_series(1, 500) as n`,
    )
    const child = spawn(process.execPath, [WORKER, storage.url, String(statement), JSON.stringify(AFTER)])
    const [, signal] = await once(child, 'exit')
    await storage.apply(AFTER, true)
    t.deepEqual(await storage.planned(AFTER), [], `after statement ${statement}`)
    const [row] = await storage.owner.query(
      `select count(*)::int as rows, sum(twice) as twice, count(distinct name)::int as names,
         (select count(*)::int from pg_index where not indisvalid) as invalid,
         (select count(*)::int from collections_retired) as retired
       from data_courses`,
    )
    t.deepEqual(row, { rows: 500, twice: 250_500, names: 500, invalid: 0, retired: 2 }, `after statement ${statement}`)
    if (signal === null) break
    killed++
  }
  t.log(`${killed} kills`)
  t.true(killed * STRIDE > 80)
})
