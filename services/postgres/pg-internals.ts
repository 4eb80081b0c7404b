/**
 * What of pg's insides a flight stands on, in one place. pg is pinned to 8.23.1 for it, and
 * test/kernel/database/flight.test.ts fails when any of it changes.
 */
import type { Writable } from 'node:stream'
import pg from 'pg'

/** `I` idle, `T` in a transaction, `E` in one that failed. */
export type TransactionStatus = 'I' | 'T' | 'E'

/** A value as it goes over the wire: text, bytes, or null. */
export type WireValue = string | Buffer | null

/** pg's Connection: what it reads comes as messages, what it sends goes through its stream. */
export interface Wire {
  readonly stream: Pick<Writable, 'destroyed' | 'writable' | 'writableCorked' | 'cork' | 'uncork'> & {
    write(bytes: Buffer): boolean
  }
  on(event: 'readyForQuery' | 'end', listener: (message?: { status: TransactionStatus }) => void): void
  off(event: 'readyForQuery' | 'end', listener: (message?: { status: TransactionStatus }) => void): void
}

/** pg's Result: it knows how to read the rows of its statement. */
export interface WireResult {
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
export const QueryBase = pg.Query as unknown as new (text: string) => WireQuery

export const newResult = (): WireResult => new (pg.Result as unknown as new () => WireResult)()

interface Shaped {
  fields: unknown
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}
/** An empty result that reads rows as another one does. */
export function resultLike(like: WireResult): WireResult {
  const result = newResult()
  const { fields, _parsers, _prebuiltEmptyResultObject } = like as unknown as Shaped
  Object.assign(result, { fields, _parsers, _prebuiltEmptyResultObject })
  return result
}

/** Turns a JavaScript value into what goes over the wire. Throws on what has no such form, e.g. a circle. */
export const wireValue: (value: unknown) => WireValue = (
  pg as unknown as { utils: { prepareValue(value: unknown): WireValue } }
).utils.prepareValue
