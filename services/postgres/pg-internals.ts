/**
 * The internals of pg that a pipelined batch depends on. pg is pinned to 8.23.1 for this reason, and
 * test/services/postgres/pipelined-batch.test.ts fails if any of them changes.
 */
import type { Writable } from 'node:stream'
import pg from 'pg'
import { columnParsers } from './timestamps.ts'

/** `I` idle, `T` in a transaction, `E` in one that failed. */
export type TransactionStatus = 'I' | 'T' | 'E'

/** A value encoded for the protocol: text, bytes, or null. */
export type EncodedValue = string | Buffer | null

/** pg's Connection: emits the server's messages as events and sends through its stream. */
export interface PgConnection {
  readonly stream: Pick<Writable, 'destroyed' | 'writable' | 'writableCorked' | 'cork' | 'uncork'> & {
    write(bytes: Buffer): boolean
  }
  on(event: 'readyForQuery' | 'end', listener: (message?: { status: TransactionStatus }) => void): void
  off(event: 'readyForQuery' | 'end', listener: (message?: { status: TransactionStatus }) => void): void
}

/** pg's Result: parses the rows of its statement. */
export interface PgResult {
  readonly rows: Record<string, unknown>[]
  rowCount: number | null
  /** `SELECT`, `INSERT`, `COMMIT`, `ROLLBACK`, …; null for an empty statement. */
  readonly command: string | null
  readonly fields: readonly unknown[]
  addFields(fields: unknown): void
  parseRow(fields: unknown): Record<string, unknown>
  addRow(row: Record<string, unknown>): void
  addCommandComplete(message: { text: string }): void
}

/** pg's Query: the client forwards each message of the server to the query that it belongs to. */
export interface PgQuery {
  submit(connection: PgConnection): Error | null
  handleRowDescription(message: { fields: unknown }): void
  handleDataRow(message: { fields: unknown }): void
  handleCommandComplete(message: { text: string }, connection: PgConnection): void
  handleEmptyQuery(connection: PgConnection): void
  handleError(error: Error, connection: PgConnection): void
  handleReadyForQuery(connection: PgConnection): void
}

/** A pipelining client only accepts subclasses of its own Query. */
export const QueryBase = pg.Query as unknown as new (text: string) => PgQuery

export const newResult = (): PgResult =>
  new (pg.Result as unknown as new (rowMode: undefined, types: object) => PgResult)(undefined, columnParsers)

interface ResultParsers {
  fields: unknown
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}
/** An empty result that parses rows like another one. */
export function resultLike(like: PgResult): PgResult {
  const result = newResult()
  const { fields, _parsers, _prebuiltEmptyResultObject } = like as unknown as ResultParsers
  Object.assign(result, { fields, _parsers, _prebuiltEmptyResultObject })
  return result
}

/** Encodes a JavaScript value for the protocol. Throws if it cannot be encoded, for example if it is circular. */
export const encodeValue: (value: unknown) => EncodedValue = (
  pg as unknown as { utils: { prepareValue(value: unknown): EncodedValue } }
).utils.prepareValue

/** Closes the connection without waiting for a response, as `end` would. The client reports the error, if there is one. */
export function destroyConnection(client: pg.Client, error?: Error): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(error?: Error): void } } }
  connection.stream.destroy(error)
}

/** False once the connection has ended. */
export const isUsable = (client: pg.Client | pg.PoolClient): boolean => {
  const { _queryable, _ending } = client as unknown as { readonly _queryable: boolean; readonly _ending: boolean }
  return _queryable && !_ending
}
