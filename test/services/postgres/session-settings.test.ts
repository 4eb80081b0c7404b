import test from 'ava'
import { openDatabase } from '../../../services/postgres/open.ts'
import { createTestDatabase } from '../../../services/postgres/testing.ts'
import { log, secret, sets } from './fixtures.ts'

const SETTINGS = `select current_setting('random_page_cost') as cost, current_setting('statement_timeout') as timeout`

for (const pooled of [false, true])
  test(`sets the timeouts of reads and of other statements, and the cost of pages, ${pooled ? 'in each transaction behind a pooler' : 'of each connection'}`, async t => {
    const { ownerUrl, drop } = await createTestDatabase({ migrations: sets, log })
    // Another text of the same URL stands for a pooler.
    const directUrl = pooled ? `${ownerUrl}?application_name=direct` : ownerUrl
    const db = await openDatabase({ ownerUrl, directUrl, secrets: [secret], log })
    t.teardown(async () => {
      await db.close()
      await drop()
    })
    const unit = db.database.tenant('ten_a')
    t.deepEqual((await unit.query(SETTINGS)).rows, [{ cost: '1', timeout: '4s' }])
    t.deepEqual((await unit.query(`with settings as (${SETTINGS}) table settings`)).rows, [
      { cost: '1', timeout: '14s' },
    ])
    t.deepEqual((await unit.transaction(inside => inside.query(SETTINGS))).rows, [{ cost: '1', timeout: '14s' }])
  })

test('parameters of the URL change neither the timeout nor the cost of pages', async t => {
  const { ownerUrl, drop } = await createTestDatabase({ migrations: sets, log })
  const url = `${ownerUrl}?statement_timeout=60000&options=${encodeURIComponent('-c geqo=off')}`
  const db = await openDatabase({ ownerUrl: url, directUrl: url, secrets: [secret], log })
  t.teardown(async () => {
    await db.close()
    await drop()
  })
  const unit = db.database.tenant('ten_a')
  t.deepEqual((await unit.query(SETTINGS)).rows, [{ cost: '1', timeout: '4s' }])
  t.deepEqual((await unit.query(`select current_setting('geqo') as geqo`)).rows, [{ geqo: 'off' }])
})

test('a read-only database, on which a recipe is planned, has time to read all rows of a table', async t => {
  const { ownerUrl, drop } = await createTestDatabase({ migrations: sets, log })
  const db = await openDatabase({ ownerUrl, secrets: [secret], log, readOnly: true })
  t.teardown(async () => {
    await db.close()
    await drop()
  })
  const unit = db.database.tenant('ten_a')
  t.deepEqual((await unit.query(SETTINGS)).rows, [{ cost: '1', timeout: '30min' }])
  t.deepEqual((await unit.transaction(inside => inside.query(SETTINGS))).rows, [{ cost: '1', timeout: '30min' }])
})
