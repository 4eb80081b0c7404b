/**
 * Detects a server that rejects writes. After a failover, a proxy may lead to the old primary, now a standby, until its
 * next check.
 */
import pg, { type ClientBase } from 'pg'

/** SQLSTATE `read_only_sql_transaction`. */
const READ_ONLY_TRANSACTION = '25006'

export const IS_READ_ONLY = `select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as "isReadOnly"`

export class ReadOnlyServerError extends Error {
  constructor() {
    super('the server is read-only: it is a standby, or `default_transaction_read_only` is on')
  }
}

/** @throws ReadOnlyServerError */
export async function assertWritable(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ isReadOnly: boolean }>(IS_READ_ONLY)
  if (rows[0]?.isReadOnly) throw new ReadOnlyServerError()
}

/** True for the error of a write to a server that is read-only. */
export const isRejectedWrite = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === READ_ONLY_TRANSACTION
