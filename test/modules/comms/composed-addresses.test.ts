/** Suppressed addresses that were stored in another form than NFC. */
import test from 'ava'
import pg from 'pg'
import { up } from '../../../modules/comms/migrations/0006-composed-addresses.ts'
import { startTestKernel } from '../../../testing/index.ts'

test('composes suppressed addresses, and keeps one whose composed form is suppressed, too', async t => {
  const kernel = await startTestKernel({ recipe: { modules: { identity: {}, comms: {} } } })
  t.teardown(() => kernel.stop())
  const database = new pg.Client(kernel.databaseUrl)
  database.on('error', () => {})
  await database.connect()
  t.teardown(() => database.end())
  const [composed, decomposed] = ['NFC', 'NFD'].map(form => 'jürgen@a.test'.normalize(form))
  const [twice, twiceDecomposed] = ['NFC', 'NFD'].map(form => 'zoë@a.test'.normalize(form))
  // One letter with two marks has several forms besides NFC.
  const forms = ['Vi\u1ec7t@a.test', 'Vie\u0323\u0302t@a.test', 'Vi\u00ea\u0323t@a.test'].map(form =>
    form.toLowerCase(),
  )
  for (const [id, email] of [
    ['sup_1', decomposed],
    ['sup_2', twice],
    ['sup_3', twiceDecomposed],
    ['sup_4', forms[1]],
    ['sup_5', forms[2]],
  ])
    await database.query(
      `insert into comms_suppression (tenant_id, id, email, category, reason, created_at, updated_at)
       values ('ten_a', $1, $2, 'all', 'bounce', now(), now())`,
      [id, email],
    )
  await up({ query: (sql: string, values?: unknown[]) => database.query(sql, values) } as never)
  const { rows } = await database.query('select id, email from comms_suppression order by id')
  t.deepEqual(rows, [
    { id: 'sup_1', email: composed },
    { id: 'sup_2', email: twice },
    { id: 'sup_3', email: twiceDecomposed },
    { id: 'sup_4', email: forms[0] },
    { id: 'sup_5', email: forms[2] },
  ])
})
