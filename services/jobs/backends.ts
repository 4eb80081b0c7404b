/** The storage back end of Agenda: PostgreSQL, MongoDB or Redis. Each driver is loaded only if it is selected. */

import { SECOND, type Settings } from '@larder-dev/larder/kernel'
import { defineOperatorErrors, OperatorError } from '@larder-dev/larder/kernel/internal'
import type { AgendaBackend } from 'agenda'
import type { Postgres } from './postgres.ts'

/** Errors of the job queue that the operator has to resolve. */
const operatorErrors = defineOperatorErrors({
  jobs_backend_timeout: [
    '{backend} did not respond within {seconds} s.',
    'Check JOBS_BACKEND and that its server is running. Recurring jobs start once it responds.',
  ],
  jobs_redis_disconnected: [
    'The connection to Redis ended, so recurring jobs may be missing.',
    'They are registered again once Redis is available.',
  ],
})

export interface BackendOptions {
  readonly backend: Settings['jobsBackend']
  readonly db: Pick<Postgres, 'directUrl' | 'systemRole' | 'assertWritable' | 'attribute'>
  readonly settings: Pick<Settings, 'redisUrl' | 'mongodbUrl'>
  readonly onError: (error: unknown) => void
}
export interface Backend {
  /** Already connected. */
  readonly agenda: AgendaBackend
  close(): Promise<void>
}

/** Shorter than the drivers' own timeouts, because the start of a worker waits for the first attempt. */
const CONNECT_TIMEOUT_MS = 3 * SECOND
const QUERY_TIMEOUT_MS = 5 * SECOND

/** Codes of the operating system, and of a PostgreSQL that starts, stops or is a standby. */
const DISCONNECTED_CODE = /^(E[A-Z]+|57P0[123]|08...|25006)$/
const DISCONNECTED_NAME = /^(MaxRetriesPerRequest|Mongo(Network|ServerSelection|NotConnected|TopologyClosed))/
const DISCONNECTED_MESSAGE = /connection (is closed|terminated)|timeout|server is read-only/i

/** Whether a driver reports that it can't reach its server. */
export function isDisconnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, name, message } = error as Error & { readonly code?: unknown }
  if (OperatorError.is(error)) return true
  return DISCONNECTED_CODE.test(String(code)) || DISCONNECTED_NAME.test(name) || DISCONNECTED_MESSAGE.test(message)
}

/** Rejects if the back end is unreachable, and leaves no connection open. */
export function openBackend(options: BackendOptions): Promise<Backend> {
  if (options.backend === 'mongodb') return openMongo(options)
  return options.backend === 'redis' ? openRedis(options) : openPostgres(options)
}

async function openPostgres({ db, onError }: BackendOptions): Promise<Backend> {
  const [{ PostgresBackend }, { default: pg }] = await Promise.all([import('@agendajs/postgres-backend'), import('pg')])
  const pool = new pg.Pool({
    connectionString: db.directUrl,
    max: 2,
    application_name: 'larder scheduler',
    // A server that vanished without closing its connections must not stop the schedule.
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    // Schedules belong to no tenant.
    options: `-c role=${db.systemRole}`,
    onConnect: client => db.assertWritable(client),
  })
  // Without error listeners, a connection that the server closes would crash the process.
  pool.on('error', onError)
  pool.on('connect', client => client.on('error', onError))
  const close = () => pool.end()
  // A migration creates the table: several processes would race for the back end's own schema change.
  const agenda = new PostgresBackend({
    pool,
    tableName: 'larder_agenda',
    ensureSchema: false,
    disableNotifications: true,
  })
  return connectWithTimeout(agenda, close)
}

async function openMongo({ settings }: BackendOptions): Promise<Backend> {
  const [{ MongoBackend }, { MongoClient }] = await Promise.all([import('@agendajs/mongo-backend'), import('mongodb')])
  const client = new MongoClient(settings.mongodbUrl as string, { serverSelectionTimeoutMS: 5000 })
  const agenda = new MongoBackend({ mongo: client.db(), collection: 'larder_agenda' })
  return connectWithTimeout(agenda, () => client.close())
}

async function openRedis({ settings, onError }: BackendOptions): Promise<Backend> {
  const { RedisBackend, RedisJobRepository } = await import('@agendajs/redis-backend')
  const agenda = new RedisBackend({ connectionString: settings.redisUrl as string, keyPrefix: 'larder:agenda:' })
  if (agenda.repository instanceof RedisJobRepository) {
    const client = agenda.repository.getRedis()
    client.on('error', onError)
    // Redis may have lost its data after a restart.
    client.on('close', () => onError(operatorErrors.jobs_redis_disconnected()))
  }
  return connectWithTimeout(agenda, () => agenda.disconnect())
}

async function connectWithTimeout(agenda: AgendaBackend, close: () => Promise<void>): Promise<Backend> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    const error = operatorErrors.jobs_backend_timeout({ backend: agenda.name, seconds: CONNECT_TIMEOUT_MS / SECOND })
    timer = setTimeout(() => reject(error), CONNECT_TIMEOUT_MS)
  })
  try {
    await Promise.race([agenda.connect(), timeout])
    return { agenda, close }
  } catch (error) {
    await close()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
