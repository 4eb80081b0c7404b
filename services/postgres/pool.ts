import { MINUTE, SECOND } from 'larder/kernel'
import pg, { type Pool, type PoolClient } from 'pg'
import type { Logger } from 'pino'
import type { AppAccess } from './app-access.ts'
import { isWrongPassword, unavailable } from './errors.ts'

const IDLE_TIMEOUT_MS = MINUTE
/** The server's own clocks: a client-side timeout may give up on a row that was committed. */
export const STATEMENT_TIMEOUT_MS = 15 * SECOND
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15 * SECOND

export interface ConnectionPool {
  /** @throws Problem `unavailable` when there is no server, or no free connection in time. */
  checkout(): Promise<PoolClient>
  /** Takes back a connection; one that is not idle is closed. */
  release(client: PoolClient): void
  end(): Promise<void>
}

export interface PoolOptions {
  readonly access: AppAccess
  readonly log: Logger
  /** Connections at most. */
  readonly maxConnections: number
  readonly applicationName: string
  /** Behind a pooler, which refuses unknown startup parameters. */
  readonly pooled: boolean
  /** Milliseconds to wait for a connection. */
  readonly checkoutTimeoutMs?: number
  readonly readOnly?: boolean
}

/** Connections as the app role, in pipeline mode. They are opened when first needed. */
export function createPool(options: PoolOptions): ConnectionPool {
  const { access, log, maxConnections, applicationName, pooled, checkoutTimeoutMs = 5 * SECOND, readOnly } = options
  const pool = new pg.Pool({
    Client: createClientClass(access) as never,
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
  // Without a listener, a connection that the server ends takes the process with it: idle ones report to the pool,
  // those in use to themselves, and whoever uses one learns it from the flight.
  pool.on('error', error => log.warn({ err: error }, 'a database connection ended'))
  pool.on('connect', client =>
    client.on('error', error => log.debug({ err: error }, 'a database connection in use ended')),
  )
  return {
    checkout: () => checkout(pool, access, access.passwordCount),
    release: client => client.release(client.getTransactionStatus() !== 'I'),
    end: () => pool.end(),
  }
}

/** Reads the address anew for each connection: a rotation may have changed the password. */
function createClientClass(access: AppAccess): typeof pg.Client {
  return class AppClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: access.url() })
    }
  }
}

async function checkout(pool: Pool, access: AppAccess, tries: number): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    if (isWrongPassword(error) && tries > 1) {
      access.nextPassword()
      return checkout(pool, access, tries - 1)
    }
    throw unavailable(error)
  }
}
