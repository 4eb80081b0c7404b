import { MINUTE, SECOND } from 'larder/kernel'
import pg, { type PoolClient } from 'pg'
import type { Logger } from 'pino'
import type { AppAccess } from './app-access.ts'
import { type CheckoutQueue, createCheckoutQueue } from './checkout-queue.ts'
import { type Circuit, createCircuit } from './circuit.ts'
import { limitConnecting } from './connect-timeout.ts'
import { clearDeadline, setDeadline } from './deadlines.ts'
import { isWrongPassword, unavailable } from './errors.ts'
import { destroyConnection, isUsable } from './pg-internals.ts'
import { hasTimedOut } from './pipelined-batch.ts'

const IDLE_TIMEOUT_MS = MINUTE
const READ_TIMEOUT_MS = 5 * SECOND
/** The client waits longer than the server's timeout: after a timeout of the client, the statement may still commit. */
export const STATEMENT_TIMEOUT_MS = 14 * SECOND
const WRITE_TIMEOUT_MS = 15 * SECOND
/**
 * The cost of a page in sequence. With the default of 4, PostgreSQL reads and sorts all rows of a tenant for a list of 20
 * while a new table has no statistics, and keeps the plan until autovacuum analyzes the table. See
 * docs/decisions/0002-one-round-trip.md.
 */
export const RANDOM_PAGE_COST = 1
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15 * SECOND
const PROBE_TIMEOUT_MS = 1 * SECOND
const SETTING_PARAMETERS = ['options', 'statement_timeout', 'idle_in_transaction_session_timeout'] as const

/** Where the settings of statements come from. Poolers reject startup parameters, so that each transaction sets them. */
export type SettingsSource = 'session' | 'transaction'

export interface ConnectionPool {
  /** Milliseconds to wait for a read outside a transaction. */
  readonly readTimeoutMs: number
  /** Milliseconds to wait for any other statement. */
  readonly writeTimeoutMs: number
  readonly settingsSource: SettingsSource
  /** A connection that is free at once. Throws like `checkout`. */
  tryCheckout(): PoolClient | undefined
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
  const AppClient = createClientClass(access, checkoutTimeoutMs)
  const circuit = createCircuit({ probe: () => probe(new AppClient({ application_name: 'larder probe' })), log })
  /** The circuit's generation in which a connection was opened. */
  const generations = new WeakMap<PoolClient, number>()
  const pool = new pg.Pool({
    Client: AppClient as never,
    max: maxConnections,
    min: Math.min(2, maxConnections),
    pipeline: true,
    keepAlive: true,
    application_name: applicationName,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    ...(!pooled && {
      options: `-c random_page_cost=${RANDOM_PAGE_COST}${readOnly ? ' -c default_transaction_read_only=on' : ''}`,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    }),
  })
  // Without error listeners, a connection that the server closes would crash the process. Idle connections emit errors on
  // the pool, used ones on themselves; the caller gets the error from its batch.
  const idleEnded = (error: unknown) => log.warn({ err: error }, 'a database connection ended')
  pool.on('error', idleEnded)
  const queue = createCheckoutQueue(pool, checkoutTimeoutMs)
  pool.on('connect', client => {
    generations.set(client, circuit.generation)
    client.on('error', error => {
      if (queue.discardFree(client)) idleEnded(error)
      else log.debug({ err: error }, 'a database connection in use ended')
    })
  })
  function tryCheckout(): PoolClient | undefined {
    circuit.assertClosed()
    for (;;) {
      const client = queue.take()
      if (!client || isCurrent(client)) return client
      queue.discard(client)
    }
  }
  const isCurrent = (client: PoolClient) => generations.get(client) === circuit.generation
  return {
    settingsSource: pooled ? 'transaction' : 'session',
    tryCheckout,
    readTimeoutMs: options.readTimeoutMs ?? READ_TIMEOUT_MS,
    writeTimeoutMs: options.writeTimeoutMs ?? WRITE_TIMEOUT_MS,
    async checkout() {
      for (;;) {
        const client = tryCheckout() ?? (await checkout(queue, access, circuit, access.passwordCount))
        if (isCurrent(client)) return client
        queue.discard(client)
      }
    },
    release(client) {
      const timedOut = hasTimedOut(client)
      if (timedOut) circuit.suspect()
      if (timedOut || client.getTransactionStatus() !== 'I' || !isUsable(client)) queue.discard(client)
      else queue.put(client)
    },
    async end() {
      circuit.stop()
      queue.stop()
      await pool.end()
    },
  }
}

/** Reads the URL for each new connection: a rotation may have changed the password. */
function createClientClass(access: AppAccess, connectTimeoutMs: number): typeof pg.Client {
  return class AppClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(withSettings(access.url(), config))
      limitConnecting(this, connectTimeoutMs)
    }
  }
}

/** Parameters of a URL would override the settings: of `options`, both apply, the kernel's last. */
function withSettings(url: string, config: pg.ClientConfig = {}): pg.ClientConfig {
  const { options, statement_timeout: timeout } = config
  if (options === undefined || timeout === undefined) return { ...config, connectionString: url }
  const changed = new URL(url)
  const { searchParams } = changed
  const all = [searchParams.get('options'), options].filter(Boolean).join(' ')
  for (const name of SETTING_PARAMETERS) searchParams.delete(name)
  return { ...config, options: all, connectionString: changed.href }
}

/** Rejects if the server does not respond. Any response will do, also an error. */
async function probe(client: pg.Client): Promise<void> {
  client.on('error', () => {})
  const deadline = setDeadline(PROBE_TIMEOUT_MS, () => destroyConnection(client, new Error('timeout of the probe')))
  try {
    await client.connect()
    await client.query('select 1')
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
  } finally {
    clearDeadline(deadline)
    destroyConnection(client)
  }
}

async function checkout(queue: CheckoutQueue, access: AppAccess, circuit: Circuit, tries: number): Promise<PoolClient> {
  try {
    return await queue.wait()
  } catch (error) {
    if (isWrongPassword(error) && tries > 1) {
      access.nextPassword()
      return checkout(queue, access, circuit, tries - 1)
    }
    if (error instanceof Error && /timeout/.test(error.message)) circuit.suspect()
    throw unavailable(error)
  }
}
