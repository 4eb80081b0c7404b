/** Clients that connect as the app role, and the probe of a server that may be unavailable. */
import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from '@larder-dev/larder/kernel/internal'
import pg from 'pg'
import type { AppAccess } from './app-access.ts'
import { isAway } from './errors.ts'
import { withConnectionSettings } from './server-settings.ts'
import { assertWritable } from './writable.ts'

const CHECK_CONNECTION = `set client_connection_check_interval = '1s'`
const CHECK_TIMEOUT_MS = 1 * SECOND
const PROBE_TIMEOUT_MS = 1 * SECOND
const PROBE: pg.ClientConfig = {
  application_name: 'larder probe',
  connectionTimeoutMillis: PROBE_TIMEOUT_MS,
  query_timeout: PROBE_TIMEOUT_MS,
}

/** Reads the URL for each new connection: a rotation may have changed the password. */
export function createClientClass(access: AppAccess): typeof pg.Client {
  return class AppClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(withConnectionSettings(access.url(), config))
    }
  }
}

/**
 * Lets the server end a statement whose client has given up. Servers before 14 and on Windows can't check. A server that
 * doesn't respond is left to the timeout of the first batch.
 */
export async function checkForClient(client: pg.ClientBase): Promise<void> {
  const response = client.query(CHECK_CONNECTION).catch(() => undefined)
  await Promise.race([response, pause(CHECK_TIMEOUT_MS, undefined, { ref: false })])
}

/**
 * Rejects if the server does not respond, starts or stops, or is read-only. Any other response will do, also an error. It
 * then ends the connection within a transaction, so that a pooler closes its connection to a server that is a standby by
 * now, instead of handing it to the next client.
 */
export async function probe(AppClient: typeof pg.Client, readOnly: boolean): Promise<void> {
  const client = new AppClient(PROBE)
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('begin')
    if (!readOnly) await assertWritable(client)
    await client.query('rollback')
  } catch (error) {
    if (isAway(error)) throw error
  } finally {
    // The server may not respond to this either.
    void client.end()
  }
}
