import { MINUTE, SECOND } from 'larder/kernel'
import pg, { type Pool, type PoolClient } from 'pg'
import type { Logger } from 'pino'
import type { AppAccess } from './app-access.ts'
import { isWrongPassword, unavailable } from './errors.ts'

const IDLE_TIMEOUT = MINUTE
/** The server's own clocks: a client-side timeout may give up on a row that was committed. */
export const STATEMENT_TIMEOUT = 15 * SECOND
const IDLE_IN_TRANSACTION_TIMEOUT = 15 * SECOND

export interface LeasePool {
  /** @throws Problem `unavailable` when there is no server, or no free connection in time. */
  lease(): Promise<PoolClient>
  /** Takes back a connection; one that is not idle is closed. */
  release(client: PoolClient): void
  end(): Promise<void>
}

export interface PoolOptions {
  readonly access: AppAccess
  readonly log: Logger
  /** Connections at most. */
  readonly max: number
  readonly applicationName: string
  /** Behind a pooler, which refuses unknown startup parameters. */
  readonly pooled: boolean
  /** Milliseconds to wait for a connection. */
  readonly checkoutTimeout?: number
  readonly readOnly?: boolean
}

/** Connections as the app role, in pipeline mode. They are opened when first needed. */
export function createPool(options: PoolOptions): LeasePool {
  const { access, log, max, applicationName, pooled, checkoutTimeout = 5 * SECOND, readOnly } = options
  const pool = new pg.Pool({
    Client: clientOf(access) as never,
    max,
    min: Math.min(2, max),
    pipeline: true,
    keepAlive: true,
    application_name: applicationName,
    connectionTimeoutMillis: checkoutTimeout,
    idleTimeoutMillis: IDLE_TIMEOUT,
    ...(!pooled && {
      ...(readOnly && { options: '-c default_transaction_read_only=on' }),
      statement_timeout: STATEMENT_TIMEOUT,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT,
    }),
  })
  // Without a listener, a connection that the server ends takes the process with it: idle ones report to the pool,
  // those in use to themselves, and whoever uses one learns it from the flight.
  pool.on('error', error => log.warn({ err: error }, 'a database connection ended'))
  pool.on('connect', client =>
    client.on('error', error => log.debug({ err: error }, 'a database connection in use ended')),
  )
  return {
    lease: () => lease(pool, access, access.size),
    release: client => client.release(client.getTransactionStatus() !== 'I'),
    end: () => pool.end(),
  }
}

/** Reads the address anew for each connection: a rotation may have changed the password. */
function clientOf(access: AppAccess): typeof pg.Client {
  return class AppClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: access.url() })
    }
  }
}

async function lease(pool: Pool, access: AppAccess, tries: number): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    if (isWrongPassword(error) && tries > 1) {
      access.next()
      return lease(pool, access, tries - 1)
    }
    throw unavailable(error)
  }
}
