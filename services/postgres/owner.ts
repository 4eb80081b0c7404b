/** A dedicated connection as the owner of the schema, bypassing any pooler, for migrations and locks. */
import pg from 'pg'
import type { Logger } from 'pino'
import { operatorErrors } from './operator-errors.ts'
import { assertWritable, ReadOnlyServerError } from './writable.ts'

const CONNECT_TIMEOUT_MS = 10_000

/** A start uses the connection several times in a row: checks the server, migrates, and takes a lock. */
const IDLE_TIMEOUT_MS = 1_000

export interface OwnerConnection {
  /** Runs `work` on a connection of its own, and releases the session locks that `work` takes. */
  run<T>(work: (client: pg.Client) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface OwnerOptions {
  readonly url: string
  readonly log: Logger
  /** The server may be read-only. */
  readonly readOnly?: boolean | undefined
}

/** Connects on first use, and keeps a connection that is idle for a second. */
export function createOwnerConnection(options: OwnerOptions): OwnerConnection {
  let idle: pg.Client | undefined
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  function takeIdle(): pg.Client | undefined {
    const client = idle
    idle = undefined
    return client
  }

  async function closeIdle(): Promise<void> {
    await takeIdle()?.end()
  }

  /** Resets the session, which releases its locks. A session that can't be reset, such as a lost one, is closed. */
  async function release(client: pg.Client): Promise<void> {
    const isReset = await client.query('discard all').then(
      () => true,
      () => false,
    )
    if (!isReset || isClosed || idle) return client.end()
    idle = client
    clearTimeout(timer)
    timer = setTimeout(closeIdle, IDLE_TIMEOUT_MS).unref()
  }

  async function open(): Promise<pg.Client> {
    const client = await connect(options)
    client.once('end', () => {
      if (idle === client) idle = undefined
    })
    return client
  }

  return {
    async run(work) {
      const client = takeIdle() ?? (await open())
      try {
        const result = await work(client)
        await release(client)
        return result
      } catch (error) {
        await client.end()
        throw error
      }
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await closeIdle()
    },
  }
}

/** @throws OperatorError `database_unreachable` or `database_read_only` */
async function connect({ url, log, readOnly = false }: OwnerOptions): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'larder owner',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  })
  // Whoever uses it gets the error from its statement.
  client.on('error', error => log.debug({ err: error }, 'the database connection of the owner ended'))
  try {
    await client.connect()
    if (!readOnly) await assertWritable(client)
    return client
  } catch (error) {
    await client.end()
    if (error instanceof ReadOnlyServerError)
      throw operatorErrors.database_read_only({ server: describeServer(url) }, { cause: error })
    throw operatorErrors.database_unreachable(
      { server: describeServer(url), reason: errorText(error) },
      { cause: error },
    )
  }
}

/** `PostgreSQL at host:port/name`, without a password. */
export function describeServer(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = decodeURIComponent(hostname) || searchParams.get('host') || 'localhost'
  return `PostgreSQL at ${host}:${port || 5432}${pathname}`
}

function errorText(error: unknown): string {
  // If a host name has several addresses and all fail, the message is empty and `errors` has the reasons.
  if (error instanceof AggregateError) return error.errors.map(errorText).join('; ')
  return error instanceof Error ? error.message : String(error)
}
