import { MINUTE, SECOND } from 'larder/kernel'
import pg, { type Pool, type PoolClient } from 'pg'
import type { Logger } from 'pino'
import type { AppAccess } from './app-access.ts'
import { isWrongPassword, unavailable } from './errors.ts'

const IDLE_TIMEOUT_MS = MINUTE
/** Enforced by the server: after a client-side timeout, the statement may still commit. */
export const STATEMENT_TIMEOUT_MS = 15 * SECOND
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15 * SECOND

export interface ConnectionPool {
  /** @throws Problem `unavailable` if the server is unreachable or no connection is free in time. */
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
  readonly readOnly?: boolean
}

/** Connections as the app role, in pipeline mode, opened on demand. */
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
  // Without error listeners, a connection that the server closes would crash the process. Idle connections emit errors on
  // the pool, used ones on themselves; the caller gets the error from its batch.
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

/** Reads the URL for each new connection: a rotation may have changed the password. */
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
