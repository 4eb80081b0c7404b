/**
 * Several statements and ONE Sync on a pipelining client. PostgreSQL runs what stands before a Sync as one implicit
 * transaction (unless one is open): an error skips to the Sync and rolls all of it back, so nothing after a failed
 * first statement can run naked. https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
import type { Step } from 'larder/kernel'
import pg, { type Client } from 'pg'
import { serialize } from 'pg-protocol'
import {
  newResult,
  QueryBase,
  resultLike,
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

/** What a connection knows of a statement that is prepared on it: how its rows are read; null where it has none. */
type Prepared = Map<string, WireResult | null>

/** Replaced as a whole when a plan has gone stale. */
let preparedOn = new WeakMap<Wire, Prepared>()

/** After DDL each connection would fail once a statement: let every connection prepare every statement anew. */
export function forgetPrepared(): void {
  preparedOn = new WeakMap()
}

function namesOn(wire: Wire): Prepared {
  const names = preparedOn.get(wire) ?? new Map()
  preparedOn.set(wire, names)
  return names
}

/** A statement on its way. */
interface Sent {
  /** Under which it was sent: it may get its name while this is under way. */
  readonly name: string
  /** Undefined where the server was asked for it. */
  readonly shape: WireResult | null | undefined
}

export class Flight extends QueryBase {
  /** Resolves with a result a statement; rejects once the server has said how the connection stands, or is gone. */
  readonly landed: Promise<WireResult[]>
  /** Of the connection, after landing; undefined where the connection is gone. */
  status: TransactionStatus | undefined
  readonly #client: Client
  readonly #cargo: readonly Packed[]
  readonly #sent: Sent[] = []
  readonly #results: WireResult[] = []
  #current: WireResult | undefined
  #resolve!: (results: WireResult[]) => void
  #reject!: (error: unknown) => void
  #unreadable: unknown

  constructor(client: Client, cargo: readonly Packed[]) {
    super('flight')
    this.#client = client
    this.#cargo = cargo
    this.landed = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  /** One buffer for everything, and one system call for all flights of a moment. */
  override submit(wire: Wire): null {
    const names = namesOn(wire)
    const messages: Buffer[] = []
    for (const packed of this.#cargo) {
      const { statement } = packed
      const { name } = statement
      const shape = name ? names.get(name) : undefined
      if (shape === undefined) messages.push(...preparing(statement))
      messages.push(bound(packed))
      if (shape === undefined) messages.push(DESCRIBE)
      messages.push(EXECUTE)
      this.#sent.push({ name, shape })
    }
    messages.push(SYNC)
    if (wire.stream.writable) writeTogether(wire.stream, Buffer.concat(messages))
    return null
  }

  override handleRowDescription({ fields }: { fields: unknown }): void {
    this.#current = newResult()
    this.#current.addFields(fields)
  }

  override handleDataRow({ fields }: { fields: unknown }): void {
    if (this.#unreadable) return
    try {
      const result = this.#result()
      result.addRow(result.parseRow(fields))
    } catch (error) {
      this.#unreadable = error
    }
  }

  override handleCommandComplete(message: { text: string }): void {
    this.#result().addCommandComplete(message)
    this.#endStatement()
  }

  override handleEmptyQuery(): void {
    this.#endStatement()
  }

  /** Of the statement that the server speaks of. */
  #result(): WireResult {
    const shape = this.#sent[this.#results.length]?.shape
    this.#current ??= shape ? resultLike(shape) : newResult()
    return this.#current
  }

  #endStatement(): void {
    const result = this.#result()
    result.rowCount ??= 0
    this.#results.push(result)
    this.#current = undefined
  }

  /** The client hands the ready message to nobody after an error: this waits for it, or for the end. */
  override handleError(error: Error, wire: Wire): void {
    const names = preparedOn.get(wire)
    for (const { name } of this.#sent) names?.delete(name)
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
    this.#results.forEach((result, index) => {
      const { name, shape } = this.#sent[index] as Sent
      if (name && shape === undefined) names.set(name, result.fields.length > 0 ? resultLike(result) : null)
    })
    this.status = this.#client.getTransactionStatus() ?? undefined
    if (this.#unreadable) this.#reject(this.#unreadable)
    else this.#resolve(this.#results)
  }
}

/** The relay's handlers send their statements side by side: a call of the system for each costs more than making it. */
function writeTogether(stream: Wire['stream'], bytes: Buffer): void {
  if (stream.writableCorked === 0) {
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  stream.write(bytes)
}

/** Sends a flight; look at `status` once it has landed. */
export function send(client: Client, cargo: readonly Packed[]): Flight {
  const flight = new Flight(client, cargo)
  client.query(flight as unknown as { submit(): void })
  return flight
}

const DESCRIBE = serialize.describe({ type: 'P' })
const EXECUTE = serialize.execute()
const SYNC = serialize.sync()
/** Of statements without values, by their names: what is sent all the time is made once. */
const bare = new Map<string, Buffer>()

function bound({ statement: { name }, values }: Packed): Buffer {
  if (!name || values.length > 0) return serialize.bind({ statement: name, values: values as WireValue[] })
  const message = bare.get(name) ?? serialize.bind({ statement: name })
  bare.set(name, message)
  return message
}

/** Close first: whether an earlier flight that failed had come so far as to prepare it, nobody knows. */
function preparing({ name, text }: Statement): Buffer[] {
  const parse = serialize.parse({ name, text })
  return name ? [serialize.close({ type: 'S', name }), parse] : [parse]
}
