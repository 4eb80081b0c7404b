import test from 'ava'
import pg from 'pg'
import type { TestKernel } from '../../testing/index.ts'
import { shareKernel } from '../fixtures/shared-kernel.ts'
import { startFull } from './shipped-kernels.ts'

/** Credits are never deleted, so their allocations are never searched by grant. */
const APPEND_ONLY = ['billing_credit_allocations']

let kernel: TestKernel
shareKernel(test, startFull, full => {
  kernel = full
})

test('every foreign key has an index, so that a deletion does not read the whole table', async t => {
  const owner = new pg.Client({ connectionString: kernel.databaseUrl })
  owner.on('error', () => undefined)
  await owner.connect()
  const { rows } = await owner.query(
    `select k.conrelid::regclass::text as table, pg_get_constraintdef(k.oid) as key,
       exists (select 1 from pg_index i where i.indrelid = k.conrelid
         and (i.indkey::smallint[])[0:cardinality(k.conkey) - 1] @> k.conkey
         and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$')) as indexed
     from pg_constraint k where k.contype = 'f' and k.connamespace = current_schema()::text::regnamespace`,
  )
  await owner.end()
  t.true(rows.length > 10)
  t.deepEqual(
    rows.filter(({ indexed }) => !indexed).map(({ table }) => table),
    APPEND_ONLY,
  )
})
