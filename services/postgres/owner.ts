/** A dedicated connection as the owner of the schema, bypassing any pooler, for migrations and locks. */
import pg from 'pg'
import type { Logger } from 'pino'
import { operatorErrors } from './operator-errors.ts'

const CONNECT_TIMEOUT_MS = 10_000

/** Connects, runs `work` and disconnects, which releases the session locks of `work`. */
export async function withOwnerConnection<T>(
  url: string,
  log: Logger,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'larder owner',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  })
  client.on('error', error => log.warn({ err: error }, 'the database connection of the owner ended'))
  try {
    await client.connect()
  } catch (error) {
    throw operatorErrors.database_unreachable(
      { server: describeServer(url), reason: errorText(error) },
      { cause: error },
    )
  }
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** `PostgreSQL at host:port/name`, without a password. */
function describeServer(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = decodeURIComponent(hostname) || searchParams.get('host') || 'localhost'
  return `PostgreSQL at ${host}:${port || 5432}${pathname}`
}

function errorText(error: unknown): string {
  // If a host name has several addresses and all fail, the message is empty and `errors` has the reasons.
  if (error instanceof AggregateError) return error.errors.map(errorText).join('; ')
  return error instanceof Error ? error.message : String(error)
}
