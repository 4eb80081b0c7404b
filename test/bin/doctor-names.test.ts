import test from 'ava'
import pg from 'pg'
import { readSettings } from '../../bin/composition.ts'
import { database } from '../../bin/doctor/database.ts'
import { startTestKernel } from '../../testing/index.ts'

test('the doctor compares the version of ICU with that of the indexes', async t => {
  const kernel = await startTestKernel({ recipe: { modules: { identity: {}, comms: {} } } })
  t.teardown(() => kernel.stop())
  const client = new pg.Client(kernel.databaseUrl)
  client.on('error', () => {})
  await client.connect()
  t.teardown(() => client.end())
  const warnings = async () =>
    (await database(readSettings({ DATABASE_URL: kernel.databaseUrl, LARDER_SECRET: 'x'.repeat(44) }), {})).filter(
      // Databases of tests share roles.
      ({ state, what }) => state === 'warn' && !what.startsWith('the role'),
    )
  t.deepEqual(await warnings(), [])
  await client.query(`update pg_collation set collversion = '1' where collname = 'larder_names'`)
  const [warning] = await warnings()
  t.regex(warning?.what ?? '', /another version of ICU \(1 → [\d.]+\)/)
  t.regex(warning?.fix ?? '', /larder recipe apply/)
})
