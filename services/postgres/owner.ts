/** A connection of one's own as the owner of the schema, past any pooler: for migrations and locks. */
import pg from 'pg'
import type { Logger } from 'pino'

const CONNECT_TIMEOUT_MS = 10_000

/** Connects, runs, disconnects. Session locks that `work` took are gone after it. */
export async function withOwner<T>(url: string, log: Logger, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'larder owner',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  })
  client.on('error', error => log.warn({ err: error }, 'the connection of the database owner ended'))
  try {
    await client.connect()
  } catch (error) {
    throw new Error(`cannot connect to ${place(url)}: ${reason(error)}`, { cause: error })
  }
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** `PostgreSQL at host:port/name`, without a password. */
function place(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = decodeURIComponent(hostname) || searchParams.get('host') || 'localhost'
  return `PostgreSQL at ${host}:${port || 5432}${pathname}`
}

function reason(error: unknown): string {
  // With several addresses to a name, each failing, the message is empty and the reasons are inside.
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ')
  return error instanceof Error ? error.message : String(error)
}
