/**
 * Detects a server that rejects writes. After a failover, a proxy may lead to the old primary, now a standby, until its
 * next check.
 */
import pg from 'pg'
import type { Connection } from './ports.ts'

/** SQLSTATE `read_only_sql_transaction`. */
const READ_ONLY_TRANSACTION = '25006'

export const IS_READ_ONLY = `select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as "isReadOnly"`

export class ReadOnlyServerError extends Error {
  constructor() {
    super('the server is read-only: it is a standby, or `default_transaction_read_only` is on')
  }
}

/** @throws ReadOnlyServerError */
export async function assertWritable(connection: Connection): Promise<void> {
  const { rows } = await connection.query(IS_READ_ONLY)
  const [found] = rows as readonly { readonly isReadOnly: boolean }[]
  if (found?.isReadOnly) throw new ReadOnlyServerError()
}

/** True for the error of a write to a server that is read-only. */
export const isRejectedWrite = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === READ_ONLY_TRANSACTION
