/**
 * PostgreSQL without an installation: real binaries from npm, data in the data folder. Web, worker, command line and
 * tests share one server. Each holds a lease, which is a connection: a killed process holds none, the next one finds the
 * server still running, and the last one out stops it.
 */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SECOND } from 'larder/kernel'
import pg from 'pg'
import type { Logger } from 'pino'
import { type Ground, prepareGround } from './paths.ts'
import {
  initialise,
  isServing,
  OWNER,
  readPostmaster,
  type ServerOptions,
  type Start,
  startServer,
  stopServer,
  syncToDisk,
} from './server.ts'

export interface EmbeddedOptions {
  readonly dataDir: string
  readonly log: Logger
  /** False for tests: faster, and lost when the machine crashes. */
  readonly durable?: boolean
  /** 100 by default. */
  readonly maxConnections?: number
  /** Called where the server has to be started, once it is under way: nothing else is done until it answers. */
  readonly meanwhile?: () => void
}

export interface Embedded {
  /** As the owner of the server. */
  readonly url: string
  /** Gives the lease back; stops the server when nobody else holds one. */
  stop(): Promise<void>
}

interface Lease {
  readonly client: pg.Client
  readonly port: number
}

const DATABASE = 'larder'
const LEASE = 'larder lease'
/** Whoever counts leases and whoever takes one do so one after the other. */
const LOCK = 'larder lease'
const START_TIMEOUT = 60 * SECOND
const WAIT = 5
const HEAL_WAIT = 500
/** SQLSTATE: the server is starting, or shutting down. */
const NOT_NOW = new Set(['57P01', '57P02', '57P03'])

/** @throws Error with a sentence that says what to do, where the server cannot run. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, log, durable = true, maxConnections = 100, meanwhile } = options
  const ground = await prepareGround(dataDir, log)
  const server = { durable, maxConnections }
  const fresh = await initialise(ground, server)
  const password = await readPassword(ground)
  let stopped = false
  let lease = await acquire(ground, { ...server, meanwhile }, password)
  const watch = () => {
    lease.client.once('end', () => {
      if (!stopped) void heal()
    })
  }
  const heal = async () => {
    log.warn('the embedded PostgreSQL ended: starting it again')
    while (!stopped)
      try {
        lease = await acquire(ground, server, password)
        if (stopped) await leave(lease, ground)
        else watch()
        return
      } catch (error) {
        log.error({ err: error }, 'the embedded PostgreSQL does not start')
        await pause(HEAL_WAIT)
      }
  }
  watch()
  await createDatabase(lease)
  if (fresh && durable) void syncToDisk(ground).catch(error => log.warn({ err: error }, 'cannot sync the data folder'))
  return {
    url: `postgresql://${OWNER}:${password}@127.0.0.1:${lease.port}/${DATABASE}`,
    async stop() {
      if (stopped) return
      stopped = true
      await leave(lease, ground)
    },
  }
}

async function readPassword({ home }: Ground): Promise<string> {
  try {
    return await readFile(join(home, 'password'), 'utf8')
  } catch (error) {
    throw new Error(`the data in ${home} belongs to another user: start Larder as that one, or as root`, {
      cause: error,
    })
  }
}

/** Finds the server or starts it, until a lease is held. */
async function acquire(
  ground: Ground,
  { meanwhile, ...options }: ServerOptions & Pick<EmbeddedOptions, 'meanwhile'>,
  password: string,
): Promise<Lease> {
  const deadline = Date.now() + START_TIMEOUT
  let start: Start | undefined
  for (;;) {
    const running = await readPostmaster(ground)
    if (running && (await isServing(ground, running))) {
      const lease = await tryLease(running.port, password)
      if (lease) return lease
    } else if (!start) {
      start = await startServer(ground, options)
      meanwhile?.()
    } else if (hasEnded(start)) {
      // Another process may have been faster: then its server is there in the next round.
      const log = await start.log()
      if (!/lock file "postmaster.pid"/.test(log)) throw new Error(`the embedded PostgreSQL does not start:\n${log}`)
      start = undefined
    }
    if (Date.now() > deadline)
      throw new Error(`the embedded PostgreSQL in ${ground.home} does not answer:\n${(await start?.log()) ?? ''}`)
    await pause(WAIT)
  }
}

const hasEnded = ({ process: { exitCode, signalCode, pid } }: Start): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null

async function tryLease(port: number, password: string): Promise<Lease | undefined> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: OWNER,
    password,
    database: 'postgres',
    application_name: LEASE,
    keepAlive: true,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select pg_advisory_lock(hashtext($1))', [LOCK])
    await client.query('select pg_advisory_unlock(hashtext($1))', [LOCK])
    return { client, port }
  } catch (error) {
    await client.end().catch(() => {})
    if (error instanceof pg.DatabaseError && !NOT_NOW.has(error.code ?? ''))
      throw new Error(`the embedded PostgreSQL refuses us: ${error.message}`, { cause: error })
    return undefined
  }
}

async function leave({ client }: Lease, ground: Ground): Promise<void> {
  try {
    // The lock is held until the server is down: whoever wants in meanwhile waits, is cut off, and starts it again.
    if (await isLast(client)) await stopServer(ground)
  } finally {
    await client.end()
  }
}

async function isLast(client: pg.Client): Promise<boolean> {
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [LOCK])
    // No longer a lease, before the lock goes: a connection that has ended is still listed for a moment.
    await client.query(`set application_name = 'larder leaves'`)
    const { rows } = await client.query(
      'select count(*)::int as others from pg_stat_activity where application_name = $1',
      [LEASE],
    )
    return rows[0].others === 0
  } catch (error) {
    // The connection went with the server, which somebody else has stopped: there is nothing left to stop.
    if (error instanceof pg.DatabaseError && !NOT_NOW.has(error.code ?? '')) throw error
    return false
  }
}

async function createDatabase({ client }: Lease): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
  if (rowCount) return
  await client.query(`create database ${DATABASE}`).catch(error => {
    // Another process made it at the same moment: duplicate database, or the unique index beneath it.
    if (error.code !== '42P04' && error.code !== '23505') throw error
  })
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
