/**
 * PostgreSQL without an installation: binaries from npm, data in the data folder. Web, worker, command line and tests
 * share one server. Each process holds a lease, which is a connection, so the lease of a killed process ends with it.
 * The process that releases the last lease stops the server.
 */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SECOND } from '@larder-dev/larder/kernel'
import pg from 'pg'
import type { Logger } from 'pino'
import { operatorErrors } from '../operator-errors.ts'
import { type EmbeddedPaths, resolveEmbeddedPaths } from './paths.ts'
import { recoverFromFailedStart } from './recovery.ts'
import {
  initializeCluster,
  isServing,
  OWNER,
  readPostmaster,
  type ServerOptions,
  type StartingServer,
  startServer,
  stopServer,
  syncToDisk,
} from './server.ts'

export interface EmbeddedOptions {
  readonly dataDir: string
  readonly log: Logger
  /** False in tests: faster, but a crash of the machine loses the data. */
  readonly durable?: boolean
  /** 100 by default. */
  readonly maxConnections?: number
}

export interface Embedded {
  /** Connects as the owner of the server. */
  readonly url: string
  /** Folder of the data. */
  readonly home: string
  /** Releases the lease; stops the server if it was the last one. */
  stop(): Promise<void>
}

interface Lease {
  readonly client: pg.Client
  readonly port: number
}

const DATABASE = 'larder'
const LEASE_APPLICATION_NAME = 'larder lease'
/** Serializes counting and taking leases. */
const LEASE_LOCK = 'larder lease'
const START_TIMEOUT_MS = 60 * SECOND
const POLL_INTERVAL_MS = 5
const RESTART_DELAY_MS = 500
/** The server is starting or shutting down. */
const SERVER_UNAVAILABLE_SQLSTATES = new Set(['57P01', '57P02', '57P03'])

/** @throws OperatorError if the server cannot run. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, log, durable = true, maxConnections = 100 } = options
  const paths = await resolveEmbeddedPaths(dataDir, log)
  const server = { durable, maxConnections }
  const fresh = await initializeCluster(paths, server)
  const password = await readPassword(paths)
  let stopped = false
  let lease = await acquireLease(paths, server, password)
  let restarted: Promise<void> = Promise.resolve()
  const watch = () => {
    lease.client.once('end', () => {
      if (!stopped) restarted = restart()
    })
  }
  const restart = async () => {
    log.warn('the embedded PostgreSQL exited; restarting it')
    while (!stopped)
      try {
        lease = await acquireLease(paths, server, password)
        watch()
        return
      } catch (error) {
        log.error({ err: error }, 'the embedded PostgreSQL does not start')
        await pause(RESTART_DELAY_MS)
      }
  }
  watch()
  await createDatabase(lease)
  const synced =
    fresh && durable
      ? syncToDisk(paths).catch(error => log.warn({ err: error }, 'cannot sync the data folder'))
      : Promise.resolve()
  return {
    home: paths.home,
    url: `postgresql://${OWNER}:${password}@127.0.0.1:${lease.port}/${DATABASE}`,
    async stop() {
      if (stopped) return
      stopped = true
      // A lease that is being taken again would outlive the stop.
      await Promise.all([synced, restarted])
      await releaseLease(lease, paths)
    },
  }
}

async function readPassword({ home }: EmbeddedPaths): Promise<string> {
  try {
    return await readFile(join(home, 'password'), 'utf8')
  } catch (error) {
    throw operatorErrors.embedded_data_inaccessible({ folder: home }, { cause: error })
  }
}

/** Finds the server or starts it, and takes a lease. */
async function acquireLease(paths: EmbeddedPaths, options: ServerOptions, password: string): Promise<Lease> {
  const deadline = Date.now() + START_TIMEOUT_MS
  let start: StartingServer | undefined
  for (;;) {
    const running = await readPostmaster(paths)
    if (running && (await isServing(paths, running))) {
      const lease = await tryLease(running.port, password)
      if (lease) {
        if (start) await settle(start, paths)
        return lease
      }
    } else if (!start) {
      start = await startServer(paths, options)
    } else if (hasExited(start)) {
      const log = await start.log()
      if (!(await recoverFromFailedStart(paths, log))) {
        await start.keepLog()
        throw operatorErrors.embedded_start_failed({ log })
      }
      await start.removeLog()
      start = undefined
    }
    if (Date.now() > deadline) {
      start?.process.kill('SIGQUIT')
      const log = await start?.log()
      await start?.keepLog()
      throw operatorErrors.embedded_start_timeout({ folder: paths.home, log: log ?? '' })
    }
    await pause(POLL_INTERVAL_MS)
  }
}

/**
 * Keeps the log of the server that this process started, or ends that server if another one serves the data: on a
 * machine without free cores, it may not have looked for the other one yet, and would start after the last lease is
 * released.
 */
async function settle(start: StartingServer, paths: EmbeddedPaths): Promise<void> {
  const serving = await readPostmaster(paths)
  if (!serving || serving.pid === start.process.pid) return start.keepLog()
  start.process.kill('SIGQUIT')
  await start.removeLog()
}

const hasExited = ({ process: { exitCode, signalCode, pid } }: StartingServer): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null

async function tryLease(port: number, password: string): Promise<Lease | undefined> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: OWNER,
    password,
    database: 'postgres',
    application_name: LEASE_APPLICATION_NAME,
    keepAlive: true,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select pg_advisory_lock(hashtext($1))', [LEASE_LOCK])
    await client.query('select pg_advisory_unlock(hashtext($1))', [LEASE_LOCK])
    return { client, port }
  } catch (error) {
    await client.end().catch(() => {})
    if (error instanceof pg.DatabaseError && !SERVER_UNAVAILABLE_SQLSTATES.has(error.code ?? ''))
      throw operatorErrors.embedded_connection_refused({ reason: error.message }, { cause: error })
    return undefined
  }
}

async function releaseLease({ client }: Lease, paths: EmbeddedPaths): Promise<void> {
  try {
    // Holds the lock until the server is down: a process that wants a lease meanwhile waits, is disconnected and restarts it.
    if (await isLast(client)) await stopServer(paths)
  } finally {
    await client.end()
  }
}

async function isLast(client: pg.Client): Promise<boolean> {
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [LEASE_LOCK])
    // Stops counting as a lease before the lock is released: a closed connection remains listed for a moment.
    await client.query(`set application_name = 'larder released'`)
    const { rows } = await client.query(
      'select count(*)::int as others from pg_stat_activity where application_name = $1',
      [LEASE_APPLICATION_NAME],
    )
    return rows[0].others === 0
  } catch (error) {
    // Another process has stopped the server, which closed this connection.
    if (error instanceof pg.DatabaseError && !SERVER_UNAVAILABLE_SQLSTATES.has(error.code ?? '')) throw error
    return false
  }
}

async function createDatabase({ client }: Lease): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
  if (rowCount) return
  await client.query(`create database ${DATABASE}`).catch(error => {
    // Another process created it at the same time: duplicate_database or unique_violation.
    if (error.code !== '42P04' && error.code !== '23505') throw error
  })
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
