/** Where Agenda keeps its clock: PostgreSQL, MongoDB or Redis, each loaded only where it is chosen. */

import type { AgendaBackend } from 'agenda'
import { SECOND, type Settings } from 'larder/kernel'
import { SYSTEM_ROLE } from '../postgres/app-access.ts'
import type { OpenDatabase } from '../postgres/open.ts'

export interface BackendOptions {
  readonly backend: Settings['jobsBackend']
  readonly db: Pick<OpenDatabase, 'directUrl'>
  readonly settings: Pick<Settings, 'redisUrl' | 'mongodbUrl'>
  readonly onError: (error: unknown) => void
}
export interface Backend {
  /** Connected. */
  readonly agenda: AgendaBackend
  close(): Promise<void>
}

/** Shorter than the drivers' own patience: whoever starts a worker waits for the first try. */
const CONNECT_TIMEOUT = 3 * SECOND

/** Rejects where it cannot be reached; then nothing of it is left open. */
export function openBackend(options: BackendOptions): Promise<Backend> {
  if (options.backend === 'mongodb') return openMongo(options)
  return options.backend === 'redis' ? openRedis(options) : openPostgres(options)
}

async function openPostgres({ db, onError }: BackendOptions): Promise<Backend> {
  const [{ PostgresBackend }, { default: pg }] = await Promise.all([import('@agendajs/postgres-backend'), import('pg')])
  const pool = new pg.Pool({
    connectionString: db.directUrl,
    max: 2,
    application_name: 'larder clock',
    // The clock belongs to no tenant.
    options: `-c role=${SYSTEM_ROLE}`,
  })
  // Without a listener a connection that the server ends takes the process with it, idle or in use.
  pool.on('error', onError)
  pool.on('connect', client => client.on('error', onError))
  const close = () => pool.end()
  // Its own schema change would race between processes: the table stands in a migration.
  const agenda = new PostgresBackend({
    pool,
    tableName: 'larder_agenda',
    ensureSchema: false,
    disableNotifications: true,
  })
  return connected(agenda, close)
}

async function openMongo({ settings }: BackendOptions): Promise<Backend> {
  const [{ MongoBackend }, { MongoClient }] = await Promise.all([import('@agendajs/mongo-backend'), import('mongodb')])
  const client = new MongoClient(settings.mongodbUrl as string, { serverSelectionTimeoutMS: 5000 })
  const agenda = new MongoBackend({ mongo: client.db(), collection: 'larder_agenda' })
  return connected(agenda, () => client.close())
}

async function openRedis({ settings, onError }: BackendOptions): Promise<Backend> {
  const { RedisBackend, RedisJobRepository } = await import('@agendajs/redis-backend')
  const agenda = new RedisBackend({ connectionString: settings.redisUrl as string, keyPrefix: 'larder:agenda:' })
  if (agenda.repository instanceof RedisJobRepository) {
    const client = agenda.repository.getRedis()
    client.on('error', onError)
    // It may come back without what it knew.
    client.on('close', () => onError(new Error('the connection to Redis ended')))
  }
  return connected(agenda, () => agenda.disconnect())
}

async function connected(agenda: AgendaBackend, close: () => Promise<void>): Promise<Backend> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${agenda.name} does not answer`)), CONNECT_TIMEOUT)
  })
  try {
    await Promise.race([agenda.connect(), late])
    return { agenda, close }
  } catch (error) {
    await close()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
