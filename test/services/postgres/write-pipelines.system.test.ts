import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import test from 'ava'
import pg from 'pg'
import { Problem } from '../../../kernel/base/problem.ts'
import { startEmbedded } from '../../../services/postgres/embedded/embedded.ts'
import { resolveEmbeddedPaths } from '../../../services/postgres/embedded/paths.ts'
import { type OpenDatabase, openDatabase } from '../../../services/postgres/open.ts'
import { createFixture, insert, log, secret, sets } from './fixtures.ts'

const TENANTS = ['ten_a', 'ten_b', 'ten_c'] as const
/** Requests at the same time. */
const CONCURRENCY = 64
const PIPELINED = `/* pipelined */ ${insert}`

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
  const write = (tenantId: string, id: string) => database.tenant(tenantId).query(PIPELINED, [tenantId, id, id])
  async function writeUntilEnd(at: number): Promise<void> {
    const tenantId = TENANTS[at % TENANTS.length] as string
    while (!isEnding) {
      const id = `load-${++count}`
      try {
        await write(tenantId, id)
        confirmed.push(id)
        // So that the last write of some pipelines fails.
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
  const fixture = await createFixture({ maxConnections: 8 })
  t.teardown(() => fixture.end())
  const load = startLoad(fixture)
  for (let kills = 0; kills < 20; ) {
    await wait(100)
    const killed = await fixture.asOwner(`select pg_terminate_backend(pid) from pg_stat_activity
      where usename = 'larder_app' and datname = current_database() order by random() limit 1`)
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

for (const [title, mayFail] of [
  ['a pipeline flushes the log before its writes are confirmed', false],
  ['a pipeline whose last write fails flushes the log before its writes are confirmed', true],
] as const)
  test(title, async t => {
    const dataDir = await mkdtemp(join(tmpdir(), 'larder-pipelines-'))
    t.teardown(async () => {
      await rm((await resolveEmbeddedPaths(dataDir, log)).home, { recursive: true, force: true })
      await rm(dataDir, { recursive: true, force: true })
    })
    const { url, stop } = await startEmbedded({ dataDir, log })
    const open = await openMigrated(url)
    const client = new pg.Client(url)
    client.on('error', () => {})
    await client.connect()
    const sql = `${PIPELINED} returning pg_current_wal_insert_lsn() as lsn`
    const unflushed = 'select from unnest($1::pg_lsn[]) lsn where lsn > pg_current_wal_flush_lsn()'
    let late = 0
    for (let round = 0; round < 50; round++) {
      const ids = Array.from({ length: 8 }, (_, at) => (mayFail && at === 7 ? `${round}-0` : `${round}-${at}`))
      const results = await Promise.allSettled(
        ids.map(id => open.database.tenant('ten_a').query<{ lsn: string }>(sql, ['ten_a', id, id])),
      )
      const lsns = results.flatMap(result => (result.status === 'fulfilled' ? [result.value.rows[0]?.lsn] : []))
      t.is(lsns.length, mayFail ? 7 : 8)
      late += (await client.query(unflushed, [lsns])).rows.length
    }
    t.is(late, 0)
    await client.end()
    await open.close()
    await stop()
  })
