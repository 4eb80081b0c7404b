/** Connections as the app role. */
import { createCountedWarnings, MINUTE, SECOND } from '@larder-dev/larder/kernel/internal'
import pg, { type PoolClient } from 'pg'
import type { Logger } from 'pino'
import type { AppAccess } from './app-access.ts'
import { checkForClient, createClientClass, probe } from './app-client.ts'
import { createCircuit } from './circuit.ts'
import { type ConnectOptions, createConnectionPlaces, MAX_BESIDE, type PlaceLimits } from './connection-places.ts'
import { isAway, isWrongPassword, unavailable } from './errors.ts'
import { createPooledConnection, type PooledConnection } from './pooled-connection.ts'
import { watchCommits } from './replicated-commits.ts'
import { connectionSettings, createTransactionSettings, type TransactionSettings } from './server-settings.ts'
import { internalStatement } from './statements.ts'
import { createUnconfirmedCommits } from './unconfirmed-commits.ts'
import { IS_READ_ONLY, ReadOnlyServerError } from './writable.ts'

const IDLE_TIMEOUT_MS = MINUTE
/** Time limits of one statement on the server: a read outside a transaction, and any other. */
const READ_TIMEOUT_MS = 4 * SECOND
const WRITE_TIMEOUT_MS = 14 * SECOND
/** The limit of a read-only pool: the plan of a recipe reads all rows of a table, and no request waits for it. */
const PLAN_TIMEOUT_MS = 30 * MINUTE
/** The client waits longer than the server's timeout: after a timeout of the client, the statement may still commit. */
const RESPONSE_MARGIN_MS = 1 * SECOND

export interface ConnectionPool {
  /** Milliseconds that the server spends on a read outside a transaction. */
  readonly readTimeoutMs: number
  /** Milliseconds that the server spends on any other statement. */
  readonly writeTimeoutMs: number
  /** Milliseconds to wait for the response to a batch of so many statements, each with this timeout. */
  responseTimeoutMs(statementTimeoutMs: number, count?: number): number
  /** Those of transactions on its connections. */
  readonly settings: TransactionSettings
  /**
   * @param tenantId whose share of the connections it counts toward; null for work of the system.
   * @throws Problem `database_unavailable` if the server is unreachable or read-only, or no connection is free in time,
   * and `tenant_busy` if none of the tenant's share is.
   */
  connect(tenantId: string | null, options?: ConnectOptions): Promise<PooledConnection>
  /** @throws Problem `database_unavailable` also if the server of an open connection has become read-only. */
  ready(): Promise<void>
  counts(): ConnectionCounts
  /** See `Postgres`. */
  attribute(error: unknown): void
  /** Call it if the connection was lost before the server confirmed a commit that wrote. */
  reportUnconfirmedCommit(): void
  /** See `Postgres`. */
  onUnconfirmedCommit(listener: () => void): () => void
  end(): Promise<void>
}

/** Connections of this process, and units of work that wait for one. */
export interface ConnectionCounts {
  readonly used: number
  readonly idle: number
  readonly waiting: number
}

export interface PoolOptions extends PlaceLimits {
  readonly access: AppAccess
  readonly log: Logger
  readonly applicationName: string
  /** Behind a pooler, which rejects unknown startup parameters and shares server processes between connections. */
  readonly pooled: boolean
  /** Milliseconds to wait for a connection. */
  readonly checkoutTimeoutMs?: number
  /** See `ConnectionPool`. */
  readonly readTimeoutMs?: number
  readonly writeTimeoutMs?: number
  /** See `OpenOptions`. */
  readonly lateCommitMs?: number
  /** Makes every transaction read-only, except behind a pooler. The server may be read-only. */
  readonly readOnly?: boolean
}

/** What the pool knows about an open connection. */
interface ConnectionState {
  /** The circuit's generation in which it was opened. */
  readonly generation: number
  isVerified: boolean
}

/** Opens connections on demand. */
export function createPool(options: PoolOptions): ConnectionPool {
  const { access, log, maxConnections, applicationName, pooled, checkoutTimeoutMs = 5 * SECOND } = options
  const {
    readOnly = false,
    readTimeoutMs = readOnly ? PLAN_TIMEOUT_MS : READ_TIMEOUT_MS,
    writeTimeoutMs = readOnly ? PLAN_TIMEOUT_MS : WRITE_TIMEOUT_MS,
  } = options
  const AppClient = createClientClass(access)
  const circuit = createCircuit({ probe: () => probe(AppClient, readOnly), log })
  const states = new WeakMap<PoolClient, ConnectionState>()
  const places = createConnectionPlaces({
    ...options,
    checkoutTimeoutMs,
    exhausted: () => unavailable(circuit.suspect(new Error('timeout: no database connection is free'))),
  })
  const pool = new pg.Pool({
    Client: AppClient,
    max: maxConnections + MAX_BESIDE,
    min: Math.min(2, maxConnections),
    keepAlive: true,
    application_name: applicationName,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    connectionTimeoutMillis: checkoutTimeoutMs,
    onConnect: client => (pooled ? undefined : checkForClient(client)),
    ...(!pooled && connectionSettings({ writeTimeoutMs, readOnly })),
  })
  // Without error listeners, a connection that the server closes would crash the process. Idle connections emit errors on
  // the pool, used ones on themselves; the caller gets the error from its batch.
  const ended = createCountedWarnings({
    log,
    first: 'a database connection ended',
    more: 'database connections ended',
  })
  pool.on('error', error => ended('connection_ended', { err: unavailable(circuit.lost(error)) }))
  pool.on('connect', client => {
    states.set(client, { generation: circuit.generation, isVerified: readOnly })
    client.on('error', error => log.debug({ err: error }, 'a database connection in use ended'))
    watchCommits(client)
  })

  /** The only place that takes a connection from the pool. It may be dead. */
  async function checkOut(tries = access.passwordCount): Promise<PoolClient> {
    circuit.assertClosed()
    try {
      return await pool.connect()
    } catch (error) {
      if (isWrongPassword(error) && tries > 1) {
        access.nextPassword()
        return checkOut(tries - 1)
      }
      if (error instanceof Error && /timeout/.test(error.message)) circuit.suspect(error)
      else if (isAway(error)) circuit.lost(error)
      throw unavailable(error)
    }
  }

  const responseTimeoutMs: ConnectionPool['responseTimeoutMs'] = (statementTimeoutMs, count = 1) =>
    Math.min(count * statementTimeoutMs, writeTimeoutMs) + RESPONSE_MARGIN_MS

  /** A connection whose server has responded since the circuit was last open. */
  async function takeClient(): Promise<PoolClient> {
    for (;;) {
      const client = await checkOut()
      if (states.get(client)?.generation === circuit.generation) return client
      client.release(true)
    }
  }

  /** Closes the connection if it throws. */
  async function verify(client: PoolClient, connection: PooledConnection): Promise<void> {
    const { error, results } = await connection.run([internalStatement(IS_READ_ONLY)], responseTimeoutMs(readTimeoutMs))
    const isRejected = !readOnly && results[0]?.rows[0]?.isReadOnly === true
    const failure = isRejected ? circuit.suspect(new ReadOnlyServerError()) : error
    if (failure) client.release(true)
    if (failure) throw unavailable(failure)
  }

  const connectionOf = (client: PoolClient, onRelease?: () => void): PooledConnection =>
    createPooledConnection({
      client,
      readOnly,
      usesNames: !pooled,
      circuit,
      ...(onRelease && { onRelease }),
    })

  async function takeConnection(onRelease: () => void): Promise<PooledConnection> {
    const client = await takeClient()
    const connection = connectionOf(client, onRelease)
    const state = states.get(client)
    if (!state?.isVerified) await verify(client, connection)
    if (state) state.isVerified = true
    return connection
  }

  async function ready(): Promise<void> {
    const client = await takeClient()
    const connection = connectionOf(client)
    await verify(client, connection)
    connection.release()
  }
  const unconfirmed = createUnconfirmedCommits({ ready, lateCommitMs: options.lateCommitMs })

  return {
    settings: createTransactionSettings({ pooled, access }),
    readTimeoutMs,
    writeTimeoutMs,
    responseTimeoutMs,
    async connect(tenantId, connectOptions) {
      circuit.assertClosed()
      const giveBack = await places.take(tenantId, connectOptions)
      try {
        return await takeConnection(giveBack)
      } catch (error) {
        giveBack()
        throw error
      }
    },
    ready,
    counts: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount + places.waiting(),
    }),
    attribute: error => void circuit.lost(error),
    reportUnconfirmedCommit: unconfirmed.report,
    onUnconfirmedCommit: unconfirmed.subscribe,
    async end() {
      unconfirmed.close()
      circuit.stop()
      await pool.end()
    },
  }
}
