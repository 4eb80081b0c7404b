/**
 * The internals of pg that a pipelined batch depends on. pg is pinned to 8.23.1 for this reason, and
 * test/services/postgres/pipelined-batch.test.ts fails if any of them changes.
 */
import type { Writable } from 'node:stream'
import pg from 'pg'
import type { Field } from './statement-result.ts'

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

/** pg's Query: the client forwards each message of the server to the query that it belongs to. */
export interface PgQuery {
  submit(connection: PgConnection): Error | null
  handleRowDescription(message: { fields: readonly Field[] }): void
  handleDataRow(message: { fields: readonly (string | null)[] }): void
  handleCommandComplete(message: { text: string }, connection: PgConnection): void
  handleEmptyQuery(connection: PgConnection): void
  handleError(error: Error, connection: PgConnection): void
  handleReadyForQuery(connection: PgConnection): void
}

/** A pipelining client accepts only instances of pg's Query. This class omits their fields, which cost more than a batch. */
export class QueryBase {}
Object.setPrototypeOf(QueryBase.prototype, pg.Query.prototype)

/** Encodes a JavaScript value for the protocol. Throws if it cannot be encoded, for example if it is circular. */
export const encodeValue: (value: unknown) => EncodedValue = (
  pg as unknown as { utils: { prepareValue(value: unknown): EncodedValue } }
).utils.prepareValue

/** Holds back what is written to the connection, until the returned function is called. */
export function holdWrites(client: pg.PoolClient): () => void {
  const { stream } = (client as unknown as { connection: PgConnection }).connection
  stream.cork()
  return () => stream.uncork()
}

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
