import { MINUTE, SECOND } from 'larder/kernel'
import pg, { type Pool, type PoolClient } from 'pg'
import type { Logger } from 'pino'
import type { AppAccess } from './app-access.ts'
import { type Circuit, createCircuit } from './circuit.ts'
import { isWrongPassword, unavailable } from './errors.ts'
import { destroyConnection } from './pg-internals.ts'
import { hasTimedOut } from './pipelined-batch.ts'

const IDLE_TIMEOUT_MS = MINUTE
const READ_TIMEOUT_MS = 5 * SECOND
/** The client waits longer than the server's timeout: after a timeout of the client, the statement may still commit. */
export const STATEMENT_TIMEOUT_MS = 14 * SECOND
const WRITE_TIMEOUT_MS = 15 * SECOND
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15 * SECOND
const PROBE_TIMEOUT_MS = 1 * SECOND

export interface ConnectionPool {
  /** Milliseconds to wait for a read outside a transaction. */
  readonly readTimeoutMs: number
  /** Milliseconds to wait for any other statement. */
  readonly writeTimeoutMs: number
  /** @throws Problem `database_unavailable` if the server is unreachable or no connection is free in time. */
  checkout(): Promise<PoolClient>
  /** Returns a connection to the pool; closes it if it is not idle. */
  release(client: PoolClient): void
  end(): Promise<void>
}

export interface PoolOptions {
  readonly access: AppAccess
  readonly log: Logger
  readonly maxConnections: number
  readonly applicationName: string
  /** Behind a pooler, which rejects unknown startup parameters. */
  readonly pooled: boolean
  /** Milliseconds to wait for a connection. */
  readonly checkoutTimeoutMs?: number
  readonly readTimeoutMs?: number
  readonly writeTimeoutMs?: number
  readonly readOnly?: boolean
}

/** Connections as the app role, in pipeline mode, opened on demand. */
export function createPool(options: PoolOptions): ConnectionPool {
  const { access, log, maxConnections, applicationName, pooled, checkoutTimeoutMs = 5 * SECOND, readOnly } = options
  const AppClient = createClientClass(access)
  const circuit = createCircuit({ probe: () => probe(new AppClient(PROBE_CONFIG)), log })
  /** The circuit's generation in which a connection was opened. */
  const generations = new WeakMap<PoolClient, number>()
  const pool = new pg.Pool({
    Client: AppClient as never,
    max: maxConnections,
    min: Math.min(2, maxConnections),
    pipeline: true,
    keepAlive: true,
    application_name: applicationName,
    connectionTimeoutMillis: checkoutTimeoutMs,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    ...(!pooled && {
      ...(readOnly && { options: '-c default_transaction_read_only=on' }),
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    }),
  })
  // Without error listeners, a connection that the server closes would crash the process. Idle connections emit errors on
  // the pool, used ones on themselves; the caller gets the error from its batch.
  pool.on('error', error => log.warn({ err: error }, 'a database connection ended'))
  pool.on('connect', client => {
    generations.set(client, circuit.generation)
    client.on('error', error => log.debug({ err: error }, 'a database connection in use ended'))
  })
  return {
    readTimeoutMs: options.readTimeoutMs ?? READ_TIMEOUT_MS,
    writeTimeoutMs: options.writeTimeoutMs ?? WRITE_TIMEOUT_MS,
    async checkout() {
      for (;;) {
        circuit.assertClosed()
        const client = await checkout(pool, access, circuit, access.passwordCount)
        if (generations.get(client) === circuit.generation) return client
        client.release(true)
      }
    },
    release(client) {
      const timedOut = hasTimedOut(client)
      if (timedOut) circuit.suspect()
      client.release(timedOut || client.getTransactionStatus() !== 'I')
    },
    async end() {
      circuit.stop()
      await pool.end()
    },
  }
}

/** Reads the URL for each new connection: a rotation may have changed the password. */
function createClientClass(access: AppAccess): typeof pg.Client {
  return class AppClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: access.url() })
    }
  }
}

const PROBE_CONFIG = {
  application_name: 'larder probe',
  connectionTimeoutMillis: PROBE_TIMEOUT_MS,
  query_timeout: PROBE_TIMEOUT_MS,
}

/** Rejects if the server does not respond. Any response will do, also an error. */
async function probe(client: pg.Client): Promise<void> {
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
  } finally {
    destroyConnection(client)
  }
}

async function checkout(pool: Pool, access: AppAccess, circuit: Circuit, tries: number): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    if (isWrongPassword(error) && tries > 1) {
      access.nextPassword()
      return checkout(pool, access, circuit, tries - 1)
    }
    if (error instanceof Error && /timeout/.test(error.message)) circuit.suspect()
    throw unavailable(error)
  }
}
