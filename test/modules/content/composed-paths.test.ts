/** Pages and redirects whose paths were stored in another form than NFC. */
import test from 'ava'
import pg from 'pg'
import { up } from '../../../modules/content/migrations/0003-composed-paths.ts'
import { startTestKernel } from '../../../testing/index.ts'

test('composes stored paths, and keeps one whose composed form is taken', async t => {
  const kernel = await startTestKernel({ recipe: { modules: { identity: {}, comms: {}, media: {}, content: {} } } })
  t.teardown(() => kernel.stop())
  const database = new pg.Client(kernel.databaseUrl)
  database.on('error', () => {})
  await database.connect()
  t.teardown(() => database.end())
  for (const [id, source] of [
    ['red_1', '/cafe%CC%81'],
    ['red_2', '/u%CC%88'],
    ['red_3', '/%C3%BC'],
  ])
    await database.query(
      `insert into content_redirects (tenant_id, id, source, target, status, created_at, updated_at)
       values ('ten_a', $1, $2, '/', 301, now(), now())`,
      [id, source],
    )
  await up({ query: (sql: string, values?: unknown[]) => database.query(sql, values) } as never)
  const { rows } = await database.query('select id, source from content_redirects order by id')
  t.deepEqual(rows, [
    { id: 'red_1', source: '/caf%C3%A9' },
    { id: 'red_2', source: '/u%CC%88' },
    { id: 'red_3', source: '/%C3%BC' },
  ])
})
