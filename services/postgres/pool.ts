/** Connections as the app role. */
import { setTimeout as pause } from 'node:timers/promises'
import { createCountedWarnings, MINUTE, SECOND } from '@larder-dev/larder/kernel/internal'
import pg, { type PoolClient } from 'pg'
import type { Logger } from 'pino'
import type { AppAccess } from './app-access.ts'
import { createCircuit } from './circuit.ts'
import { isWrongPassword, unavailable } from './errors.ts'
import type { BatchOutcome, TransactionStatus } from './pipelined-batch.ts'
import type { RoleNames } from './role-names.ts'
import { runBatch } from './run-batch.ts'
import { type EncodedStatement, internalStatement } from './statements.ts'
import { createTenantShare } from './tenant-share.ts'
import { assertWritable, IS_READ_ONLY, isRejectedWrite, ReadOnlyServerError } from './writable.ts'

/** Connections of one process, excluding the one that listens. */
export const MAX_CONNECTIONS = 16
/**
 * Levels of units beside others, which wait for them. Each level has a connection that the levels above it can't take, so
 * that the units of the deepest level always get one in turn, and then those above them.
 */
export const MAX_BESIDE = 2
const IDLE_TIMEOUT_MS = MINUTE
/** Time limits of one statement on the server: a read outside a transaction, and any other. */
const READ_TIMEOUT_MS = 4 * SECOND
const WRITE_TIMEOUT_MS = 14 * SECOND
/** Of a read-only pool: the plan of a recipe reads all rows of a table, and no request waits for it. */
const PLAN_TIMEOUT_MS = 30 * MINUTE
/** The client waits longer than the server's timeout: after a timeout of the client, the statement may still commit. */
const RESPONSE_MARGIN_MS = 1 * SECOND
const CHECK_CONNECTION = `set client_connection_check_interval = '1s'`
/** Units of work of one tenant that wait for one of its connections. */
const MAX_WAITING_PER_TENANT = 1000
/** Longer than any statement: a unit gets its turn when others of its tenant have failed to get a lock. */
const TENANT_WAIT_MS = 15 * SECOND
/**
 * The cost of a page in sequence. With the default of 4, PostgreSQL reads and sorts all rows of a tenant for a list of 20
 * while a new table has no statistics, and keeps the plan until autovacuum analyzes the table. See
 * docs/decisions/0002-one-round-trip.md.
 */
export const RANDOM_PAGE_COST = 1
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15 * SECOND
/** Holds the places of levels, which have no tenant. */
const EVERYBODY = ''
const PROBE_TIMEOUT_MS = 1 * SECOND
const SETTING_PARAMETERS = ['options', 'statement_timeout', 'idle_in_transaction_session_timeout'] as const

/** Where the settings of statements come from. Poolers reject startup parameters, so that each transaction sets them. */
export type SettingsSource = 'session' | 'transaction'

/** A connection that is in use by one unit of work. */
export interface PooledConnection {
  /** State of the transaction after the latest batch; undefined if the connection is closed. */
  readonly status: TransactionStatus | undefined
  /** Runs one batch; the previous one must have ended. Never rejects. */
  run(statements: readonly EncodedStatement[], timeoutMs: number): Promise<BatchOutcome>
  /** Returns the connection to the pool, which closes it unless it is idle and its server has accepted all writes. */
  release(): void
}

export interface ConnectionPool {
  /** Milliseconds that the server spends on a read outside a transaction. */
  readonly readTimeoutMs: number
  /** Milliseconds that the server spends on any other statement. */
  readonly writeTimeoutMs: number
  /** Milliseconds to wait for the response to a batch of so many statements, each with this timeout. */
  responseTimeoutMs(statementTimeoutMs: number, count?: number): number
  readonly settingsSource: SettingsSource
  /** Those that the units run as. */
  readonly roles: RoleNames
  /**
   * @param tenantId whose share of the connections it counts toward; null for work of the system.
   * @param options.scans whether it also counts toward the tenant's share of scans.
   * @param options.beside the level of a unit beside others. It doesn't count toward shares: those who wait for it do.
   * @throws Problem `database_unavailable` if the server is unreachable or read-only, or no connection is free in time,
   * and `tenant_busy` if none of the tenant's share is.
   */
  connect(tenantId: string | null, options?: ConnectOptions): Promise<PooledConnection>
  /** @throws Problem `database_unavailable` also if the server of an open connection has become read-only. */
  ready(): Promise<void>
  counts(): ConnectionCounts
  end(): Promise<void>
}

export interface ConnectOptions {
  readonly scans?: boolean
  readonly beside?: number
}

/** Connections of this process, and units of work that wait for one. */
export interface ConnectionCounts {
  readonly used: number
  readonly idle: number
  readonly waiting: number
}

export interface PoolOptions {
  readonly access: AppAccess
  readonly log: Logger
  /** Besides those of units beside others. */
  readonly maxConnections: number
  /** Connections that one tenant holds at a time; a third of all by default. */
  readonly tenantConnections?: number
  /** Scans of one tenant that run at a time; 1 by default. */
  readonly tenantScans?: number
  /** Units of work of one tenant that wait for one of its connections; 1,000 by default. */
  readonly maxWaitingPerTenant?: number
  /** Milliseconds that they wait. */
  readonly tenantWaitMs?: number
  readonly applicationName: string
  /** Behind a pooler, which rejects unknown startup parameters and shares server processes between connections. */
  readonly pooled: boolean
  /** Milliseconds to wait for a connection. */
  readonly checkoutTimeoutMs?: number
  /** See `ConnectionPool`. */
  readonly readTimeoutMs?: number
  readonly writeTimeoutMs?: number
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
  const circuit = createCircuit({ probe: () => probe(new AppClient(PROBE), readOnly), log })
  const states = new WeakMap<PoolClient, ConnectionState>()
  const waiting = {
    maxWaiting: options.maxWaitingPerTenant ?? MAX_WAITING_PER_TENANT,
    timeoutMs: options.tenantWaitMs ?? TENANT_WAIT_MS,
  }
  const tenantConnections = options.tenantConnections ?? Math.max(1, Math.floor(maxConnections / 3))
  const connectionShare = createTenantShare({ limit: tenantConnections, ...waiting })
  // A scan that waits for its turn holds no connection, and doesn't fill the queue of the others.
  const scanShare = createTenantShare({ limit: options.tenantScans ?? 1, ...waiting })
  const levels = Array.from({ length: MAX_BESIDE }, (_, level) =>
    createTenantShare({
      limit: maxConnections + level,
      maxWaiting: Number.POSITIVE_INFINITY,
      timeoutMs: checkoutTimeoutMs,
      busy() {
        circuit.suspect()
        return unavailable(new Error('timeout: no database connection is free'))
      },
    }),
  )
  const pool = new pg.Pool({
    Client: AppClient,
    max: maxConnections + MAX_BESIDE,
    min: Math.min(2, maxConnections),
    keepAlive: true,
    application_name: applicationName,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    connectionTimeoutMillis: checkoutTimeoutMs,
    onConnect: client => (pooled ? undefined : checkForClient(client)),
    ...(!pooled && {
      options: `-c random_page_cost=${RANDOM_PAGE_COST}${readOnly ? ' -c default_transaction_read_only=on' : ''}`,
      statement_timeout: writeTimeoutMs,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    }),
  })
  // Without error listeners, a connection that the server closes would crash the process. Idle connections emit errors on
  // the pool, used ones on themselves; the caller gets the error from its batch.
  const ended = createCountedWarnings({
    log,
    first: 'a database connection ended',
    more: 'database connections ended',
  })
  pool.on('error', error => ended('connection_ended', { reason: error.message }))
  pool.on('connect', client => {
    states.set(client, { generation: circuit.generation, isVerified: readOnly })
    client.on('error', error => log.debug({ err: error }, 'a database connection in use ended'))
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
      if (error instanceof Error && /timeout/.test(error.message)) circuit.suspect()
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
    if (isRejected) circuit.suspect()
    const failure = isRejected ? new ReadOnlyServerError() : error
    if (failure) client.release(true)
    if (failure) throw unavailable(failure)
  }

  function pooledConnection(client: PoolClient, onRelease: () => void = () => {}): PooledConnection {
    let status: TransactionStatus | undefined = 'I'
    let hasRejectedWrite = false
    return {
      get status() {
        return status
      },
      async run(statements, timeoutMs) {
        const outcome = await runBatch({
          ...{ client, statements, timeoutMs, usesNames: !pooled },
          onTimeout: () => circuit.suspect(),
        })
        status = outcome.status
        if (!readOnly && isRejectedWrite(outcome.error)) {
          hasRejectedWrite = true
          circuit.suspect()
        }
        return outcome
      },
      release() {
        client.release(hasRejectedWrite || status !== 'I')
        onRelease()
      },
    }
  }

  async function takeConnection(onRelease?: () => void): Promise<PooledConnection> {
    const client = await takeClient()
    const connection = pooledConnection(client, onRelease)
    const state = states.get(client)
    if (!state?.isVerified) await verify(client, connection)
    if (state) state.isVerified = true
    return connection
  }

  return {
    settingsSource: pooled ? 'transaction' : 'session',
    get roles() {
      return access.roles
    },
    readTimeoutMs,
    writeTimeoutMs,
    responseTimeoutMs,
    async connect(tenantId, { scans = false, beside = 0 } = {}) {
      circuit.assertClosed()
      const ofTenant = beside > 0 ? [] : scans ? [scanShare, connectionShare] : [connectionShare]
      const wanted = [
        ...(tenantId === null ? [] : ofTenant.map(share => ({ share, holder: tenantId }))),
        ...levels.slice(beside).map(share => ({ share, holder: EVERYBODY })),
      ]
      const taken: (typeof wanted)[number][] = []
      const giveBack = () => {
        for (const { share, holder } of taken) share.giveBack(holder)
      }
      try {
        for (const place of wanted) {
          const turn = place.share.take(place.holder)
          if (turn) await turn
          taken.push(place)
        }
        return await takeConnection(giveBack)
      } catch (error) {
        giveBack()
        throw error
      }
    },
    async ready() {
      const client = await takeClient()
      const connection = pooledConnection(client)
      await verify(client, connection)
      connection.release()
    },
    counts: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting:
        pool.waitingCount + [connectionShare, scanShare, ...levels].reduce((sum, share) => sum + share.waiting(), 0),
    }),
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
      super(withSettings(access.url(), config))
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

/**
 * Lets the server end a statement whose client has given up. Servers before 14 and on Windows can't check. A server that
 * doesn't respond is left to the timeout of the first batch.
 */
const checkForClient = async (client: pg.ClientBase): Promise<void> => {
  const response = client.query(CHECK_CONNECTION).catch(() => undefined)
  await Promise.race([response, pause(RESPONSE_MARGIN_MS, undefined, { ref: false })])
}

const PROBE: pg.ClientConfig = {
  application_name: 'larder probe',
  connectionTimeoutMillis: PROBE_TIMEOUT_MS,
  query_timeout: PROBE_TIMEOUT_MS,
}

/** Rejects if the server does not respond, or is read-only. Any other response will do, also an error. */
async function probe(client: pg.Client, readOnly: boolean): Promise<void> {
  client.on('error', () => {})
  try {
    await client.connect()
    await (readOnly ? client.query('select 1') : assertWritable(client))
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
  } finally {
    // The server may not respond to this either.
    void client.end()
  }
}
