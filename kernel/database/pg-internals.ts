/**
 * What of pg's insides a flight stands on, in one place. pg is pinned to 8.23.1 for it, and
 * test/kernel/database/flight.test.ts fails when any of it changes.
 */
import pg from 'pg'

/** `I` idle, `T` in a transaction, `E` in one that failed. */
export type TransactionStatus = 'I' | 'T' | 'E'

/** A value as it goes over the wire: text, bytes, or null. */
export type WireValue = string | Buffer | null

/** pg's Connection: each call puts one message of the extended protocol on the socket. */
export interface Wire {
  readonly stream: { readonly destroyed: boolean; cork(): void; uncork(): void }
  parse(message: { name: string; text: string; types: number[] }): void
  bind(message: { portal: string; statement: string; values: readonly WireValue[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: { portal: string; rows: number }): void
  close(message: { type: 'S'; name: string }): void
  sync(): void
  on(event: 'readyForQuery' | 'end', listener: (message?: { status: TransactionStatus }) => void): void
  off(event: 'readyForQuery' | 'end', listener: (message?: { status: TransactionStatus }) => void): void
}

/** pg's Result: it knows how to read the rows of its statement. */
export interface WireResult {
  readonly rows: Record<string, unknown>[]
  rowCount: number | null
  /** `SELECT`, `INSERT`, `COMMIT`, `ROLLBACK`, …; null for an empty statement. */
  readonly command: string | null
  addFields(fields: unknown): void
  parseRow(fields: unknown): Record<string, unknown>
  addRow(row: Record<string, unknown>): void
  addCommandComplete(message: { text: string }): void
}

/** pg's Query: the client hands each message of the server to the query that it belongs to. */
export interface WireQuery {
  submit(wire: Wire): Error | null
  handleRowDescription(message: { fields: unknown }): void
  handleDataRow(message: { fields: unknown }): void
  handleCommandComplete(message: { text: string }, wire: Wire): void
  handleEmptyQuery(wire: Wire): void
  handleError(error: Error, wire: Wire): void
  handleReadyForQuery(wire: Wire): void
}

/** A pipelining client takes subclasses of its own Query alone. */
export const QueryBase = pg.Query as unknown as new (config: { text: string }) => WireQuery

export const newResult = (): WireResult => new (pg.Result as unknown as new () => WireResult)()

/** Turns a JavaScript value into what goes over the wire. Throws on what has no such form, e.g. a circle. */
export const wireValue: (value: unknown) => WireValue = (
  pg as unknown as { utils: { prepareValue(value: unknown): WireValue } }
).utils.prepareValue
