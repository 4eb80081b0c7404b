/**
 * Several statements and ONE Sync on a pipelining client. PostgreSQL runs what stands before a Sync as one implicit
 * transaction (unless one is open): an error skips to the Sync and rolls all of it back, so nothing after a failed
 * first statement can run naked. https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
import pg, { type Client } from 'pg'
import type { Step } from '../ports.ts'
import {
  newResult,
  QueryBase,
  type TransactionStatus,
  type Wire,
  type WireResult,
  type WireValue,
  wireValue,
} from './pg-internals.ts'
import { type Statement, statement } from './statements.ts'

/** A statement with its values in the form of the wire. */
export interface Packed {
  readonly statement: Statement
  readonly values: readonly WireValue[]
}

/** Throws, before anything is sent, on values that have no form of the wire and on transaction control. */
export const pack = ([text, values = []]: Step): Packed => ({
  statement: statement(text),
  values: values.map(value => wireValue(value)),
})

/** Names that are prepared on a connection. Replaced as a whole when a plan has gone stale. */
let preparedOn = new WeakMap<Wire, Set<string>>()

/** After DDL each connection would fail once a statement: let every connection prepare every statement anew. */
export function forgetPrepared(): void {
  preparedOn = new WeakMap()
}

function namesOn(wire: Wire): Set<string> {
  const names = preparedOn.get(wire) ?? new Set()
  preparedOn.set(wire, names)
  return names
}

export class Flight extends QueryBase {
  /** Resolves with a result a statement; rejects once the server has said how the connection stands, or is gone. */
  readonly landed: Promise<WireResult[]>
  /** Of the connection, after landing; undefined where the connection is gone. */
  status: TransactionStatus | undefined
  readonly #client: Client
  readonly #cargo: readonly Packed[]
  /** Under which they were sent: a statement may get its name while this is under way. */
  readonly #names: string[] = []
  readonly #results: WireResult[] = []
  #current = newResult()
  #resolve!: (results: WireResult[]) => void
  #reject!: (error: unknown) => void
  #unreadable: unknown

  constructor(client: Client, cargo: readonly Packed[]) {
    super({ text: 'flight' })
    this.#client = client
    this.#cargo = cargo
    this.landed = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  override submit(wire: Wire): null {
    const names = namesOn(wire)
    wire.stream.cork()
    for (const { statement, values } of this.#cargo) {
      const { name } = statement
      if (!name || !names.has(name)) prepare(wire, statement)
      if (name) this.#names.push(name)
      wire.bind({ portal: '', statement: name, values })
      wire.describe({ type: 'P', name: '' })
      wire.execute({ portal: '', rows: 0 })
    }
    wire.sync()
    wire.stream.uncork()
    return null
  }

  override handleRowDescription({ fields }: { fields: unknown }): void {
    this.#current.addFields(fields)
  }

  override handleDataRow({ fields }: { fields: unknown }): void {
    if (this.#unreadable) return
    try {
      this.#current.addRow(this.#current.parseRow(fields))
    } catch (error) {
      this.#unreadable = error
    }
  }

  override handleCommandComplete(message: { text: string }): void {
    this.#current.addCommandComplete(message)
    this.#endStatement()
  }

  override handleEmptyQuery(): void {
    this.#endStatement()
  }

  #endStatement(): void {
    this.#current.rowCount ??= 0
    this.#results.push(this.#current)
    this.#current = newResult()
  }

  /** The client hands the ready message to nobody after an error: this waits for it, or for the end. */
  override handleError(error: Error, wire: Wire): void {
    const names = preparedOn.get(wire)
    for (const name of this.#names) names?.delete(name)
    // What is no word of the server is the end of the connection: no ready message will come.
    if (!(error instanceof pg.DatabaseError) || wire.stream.destroyed) {
      this.#reject(error)
      return
    }
    const land = (message?: { status: TransactionStatus }) => {
      wire.off('readyForQuery', land)
      wire.off('end', land)
      this.status = message?.status
      this.#reject(error)
    }
    wire.on('readyForQuery', land)
    wire.on('end', land)
  }

  override handleReadyForQuery(wire: Wire): void {
    const names = namesOn(wire)
    for (const name of this.#names) names.add(name)
    this.status = this.#client.getTransactionStatus() ?? undefined
    if (this.#unreadable) this.#reject(this.#unreadable)
    else this.#resolve(this.#results)
  }
}

/** Sends a flight; look at `status` once it has landed. */
export function send(client: Client, cargo: readonly Packed[]): Flight {
  const flight = new Flight(client, cargo)
  client.query(flight as unknown as { submit(): void })
  return flight
}

/** Close first: whether an earlier flight that failed had come so far as to prepare it, nobody knows. */
function prepare(wire: Wire, { name, text }: Statement): void {
  if (name) wire.close({ type: 'S', name })
  wire.parse({ name, text, types: [] })
}
