import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import test from 'ava'
import pg from 'pg'
import { Problem } from '../../../kernel/base/problem.ts'
import type { Step } from '../../../kernel/index.ts'
import { startEmbedded } from '../../../services/postgres/embedded/embedded.ts'
import { resolveEmbeddedPaths } from '../../../services/postgres/embedded/paths.ts'
import { type OpenDatabase, openDatabase } from '../../../services/postgres/open.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { startDatabaseServer } from '../../soak/database.ts'
import { createFixture, insert, log, secret, sets } from './fixtures.ts'

const TENANTS = ['ten_a', 'ten_b', 'ten_c'] as const
/** Requests at the same time. */
const CONCURRENCY = 64

interface Load {
  /** IDs of the writes that were confirmed. */
  readonly confirmed: string[]
  readonly errors: unknown[]
  end(): Promise<void>
}

/** Writes until `end`. */
function startLoad({ database }: OpenDatabase): Load {
  const confirmed: string[] = []
  const errors: unknown[] = []
  let count = 0
  let isEnding = false
  const write = (tenantId: string, id: string) => database.tenant(tenantId).query(insert, [tenantId, id, id])
  async function writeUntilEnd(at: number): Promise<void> {
    const tenantId = TENANTS[at % TENANTS.length] as string
    while (!isEnding) {
      const id = `load-${++count}`
      try {
        await write(tenantId, id)
        confirmed.push(id)
        if (count % 4 === 0) await write(tenantId, id).catch(ignoreDuplicate)
      } catch (error) {
        errors.push(error)
        // The database is unavailable.
        await wait(5)
      }
    }
  }
  const running = Array.from({ length: CONCURRENCY }, (_, at) => writeUntilEnd(at))
  return {
    confirmed,
    errors,
    async end() {
      isEnding = true
      await Promise.all(running)
    },
  }
}

function ignoreDuplicate(error: unknown): void {
  if ((error as { code?: string }).code !== '23505') throw error
}

const isUnavailable = (error: unknown) => Problem.is(error) && error.code === 'database_unavailable'
const missingFrom = (stored: readonly string[], confirmed: readonly string[]) => {
  const all = new Set(stored)
  return confirmed.filter(id => !all.has(id))
}

test('connections that are closed under load lose and repeat no write', async t => {
  const fixture = await createFixture({ maxConnections: 8, tenantConnections: 8 })
  t.teardown(() => fixture.end())
  const load = startLoad(fixture)
  for (let kills = 0; kills < 20; ) {
    await wait(100)
    const killed = await fixture.asOwner(`select pg_terminate_backend(pid) from pg_stat_activity
      where usename like 'larder_app%' and datname = current_database() order by random() limit 1`)
    kills += killed.length
  }
  await load.end()
  t.true(load.confirmed.length > 2000, `${load.confirmed.length}`)
  t.deepEqual(missingFrom(await fixture.things(), load.confirmed), [])
  // A repeated write would be a duplicate.
  t.deepEqual(
    load.errors.filter(error => !isUnavailable(error)),
    [],
  )
})

async function openMigrated(ownerUrl: string): Promise<OpenDatabase> {
  const open = await openDatabase({ ownerUrl, secrets: [secret], log })
  await open.migrate(sets)
  await open.ready()
  return open
}

const ROUNDS = 50
const CONCURRENT_WRITES = 8
/** A server writes a few records to its log by itself, which may be the last ones when a round is checked. */
const MAX_OWN_RECORDS = 2
const NOTHING = `${insert.replace(/values .*/, '')} select $1, $2, $3 where false`
const IS_FLUSHED = 'select pg_current_wal_insert_lsn() <= pg_current_wal_flush_lsn() as flushed'

test('the commit of a write is on disk when the write is confirmed, also beside writes that change nothing', async t => {
  const dataDir = await mkdtemp(join(tmpdir(), 'larder-durability-'))
  const { url, stop } = await startEmbedded({ dataDir, log })
  const open = await openMigrated(url)
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  t.teardown(async () => {
    await client.end()
    await open.close()
    await stop()
    await rm((await resolveEmbeddedPaths(dataDir, log)).home, { recursive: true, force: true })
    await rm(dataDir, { recursive: true, force: true })
  })
  const tenant = open.database.tenant('ten_a')
  const ways: readonly ((id: string) => Promise<unknown>)[] = [
    id => tenant.query(insert, ['ten_a', id, id]),
    id => tenant.transaction(unit => unit.query(insert, ['ten_a', id, id])),
    id => tenant.transaction(unit => unit.defer([[insert, ['ten_a', id, id]]])),
  ]
  let unflushed = 0
  for (let round = 0; round < ROUNDS; round++) {
    const write = ways[round % ways.length] as (typeof ways)[number]
    const ids = Array.from({ length: CONCURRENT_WRITES }, (_, at) => `${round}-${at}`)
    await Promise.all([...ids.map(write), tenant.query(NOTHING, ['ten_a', 'none', 'none'])])
    if (!(await client.query(IS_FLUSHED)).rows[0]?.flushed) unflushed++
  }
  t.true(unflushed <= MAX_OWN_RECORDS, `${unflushed} of ${ROUNDS}`)
})

const RESTARTS = 3
const insertPart = 'insert into test_parts (tenant_id, id, thing_id) values ($1, $2, $2)'

test('a server that restarts in the middle of batches loses none that was confirmed, and keeps no half of one', async t => {
  const server = await startDatabaseServer(t)
  const open = await openMigrated(server.url)
  t.teardown(() => open.close())
  const tenant = open.database.tenant('ten_a')
  const confirmed: string[] = []
  const errors: unknown[] = []
  let isEnding = false
  async function writeUntilEnd(at: number): Promise<void> {
    for (let n = 0; !isEnding; n++) {
      const id = `${at}-${n}`
      const batch: Step[] = [
        [insert, ['ten_a', id, id]],
        [insertPart, ['ten_a', id]],
      ]
      try {
        await tenant.all(batch)
        confirmed.push(id)
      } catch (error) {
        errors.push(error)
        // The database is unavailable.
        await wait(5)
      }
    }
  }
  const running = Array.from({ length: 16 }, (_, at) => writeUntilEnd(at))
  for (let restarts = 0; restarts < RESTARTS; restarts++) {
    const before = confirmed.length
    await waitFor(() => confirmed.length > before + 50)
    await server.stop()
    await server.start()
  }
  const before = confirmed.length
  await waitFor(() => confirmed.length > before)
  isEnding = true
  await Promise.all(running)
  const system = open.systemDatabase.acrossTenants('test')
  const [things, parts] = await Promise.all(
    ['test_things', 'test_parts'].map(
      async table => (await system.query<{ id: string }>(`select id from ${table} order by id`)).rows,
    ),
  )
  t.deepEqual(things, parts)
  t.deepEqual(
    missingFrom(
      (things ?? []).map(({ id }) => id),
      confirmed,
    ),
    [],
  )
  t.true(errors.length > 0)
  t.deepEqual(
    errors.filter(error => !isUnavailable(error)),
    [],
  )
})
