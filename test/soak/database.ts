/** A PostgreSQL server for one test, which can be stopped and restarted at the same address. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { resolveEmbeddedPaths } from '../../services/postgres/embedded/paths.ts'
import {
  initializeCluster,
  OWNER,
  readPostmaster,
  startServer,
  stopServer,
} from '../../services/postgres/embedded/server.ts'
import type { Test } from '../reliability/processes.ts'

const OPTIONS = { durable: true, maxConnections: 100 }
const NAME = 'larder'

export interface DatabaseServer {
  readonly url: string
  stop(): Promise<void>
  /** Resolves when the server accepts connections. */
  start(): Promise<void>
}

export async function startDatabaseServer(t: Test): Promise<DatabaseServer> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-soak-'))
  const paths = await resolveEmbeddedPaths(folder, pino({ level: 'silent' }))
  await initializeCluster(paths, OPTIONS)
  const password = await readFile(join(paths.home, 'password'), 'utf8')
  let port = 0
  const address = (name: string) => `postgresql://${OWNER}:${password}@127.0.0.1:${port}/${name}`
  const stop = () => stopServer(paths)
  const start = async () => {
    const { keepLog } = await startServer(paths, OPTIONS)
    while (!(await succeeds(address('postgres'), 'select 1'))) {
      port = (await readPostmaster(paths))?.port ?? 0
      await pause(20)
    }
    await keepLog()
  }
  await start()
  await succeeds(address('postgres'), `create database ${NAME}`)
  t.teardown(async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  })
  return { url: address(NAME), stop, start }
}

/** Returns false if the server is unreachable. */
async function succeeds(url: string, sql: string): Promise<boolean> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(sql)
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
