/**
 * Several statements and ONE Sync on a pipelining client. PostgreSQL runs what stands before a Sync as one implicit
 * transaction (unless one is open): an error skips to the Sync and rolls all of it back, so nothing after a failed
 * first statement can run naked. https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
import type { Step } from 'larder/kernel'
import pg, { type Client } from 'pg'
import { serialize } from 'pg-protocol'
import {
  type EncodedValue,
  encodeValue,
  newResult,
  type PgConnection,
  type PgResult,
  QueryBase,
  resultLike,
  type TransactionStatus,
} from './pg-internals.ts'
import { cachedStatement, type Statement } from './statements.ts'

/** A statement with its values in the form of the wire. */
export interface EncodedStatement {
  readonly statement: Statement
  readonly values: readonly EncodedValue[]
}

/** Throws, before anything is sent, on values that have no form of the wire and on transaction control. */
export const encodeStatement = ([text, values = []]: Step): EncodedStatement => ({
  statement: cachedStatement(text),
  values: values.map(value => encodeValue(value)),
})

/** What a connection knows of a statement that is prepared on it: how its rows are read; null where it has none. */
type PreparedStatements = Map<string, PgResult | null>

/** Replaced as a whole when a plan has gone stale. */
let preparedOn = new WeakMap<PgConnection, PreparedStatements>()

/** After DDL each connection would fail once a statement: let every connection prepare every statement anew. */
export function resetPreparedStatements(): void {
  preparedOn = new WeakMap()
}

function preparedStatementsOn(wire: PgConnection): PreparedStatements {
  const names = preparedOn.get(wire) ?? new Map()
  preparedOn.set(wire, names)
  return names
}

/** A statement on its way. */
interface SentStatement {
  /** Under which it was sent: it may get its name while this is under way. */
  readonly name: string
  /** Undefined where the server was asked for it. */
  readonly shape: PgResult | null | undefined
}

export class PipelinedBatch extends QueryBase {
  /** Resolves with a result a statement; rejects once the server has said how the connection stands, or is gone. */
  readonly completed: Promise<PgResult[]>
  /** Of the connection, after landing; undefined where the connection is gone. */
  status: TransactionStatus | undefined
  readonly #client: Client
  readonly #cargo: readonly EncodedStatement[]
  readonly #sent: SentStatement[] = []
  readonly #results: PgResult[] = []
  #current: PgResult | undefined
  #resolve!: (results: PgResult[]) => void
  #reject!: (error: unknown) => void
  #unreadable: unknown

  constructor(client: Client, cargo: readonly EncodedStatement[]) {
    super('flight')
    this.#client = client
    this.#cargo = cargo
    this.completed = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  /** One buffer for everything, and one system call for all flights of a moment. */
  override submit(wire: PgConnection): null {
    const names = preparedStatementsOn(wire)
    const messages: Buffer[] = []
    for (const packed of this.#cargo) {
      const { statement } = packed
      const { name } = statement
      const shape = name ? names.get(name) : undefined
      if (shape === undefined) messages.push(...prepareMessages(statement))
      messages.push(bindMessage(packed))
      if (shape === undefined) messages.push(DESCRIBE)
      messages.push(EXECUTE)
      this.#sent.push({ name, shape })
    }
    messages.push(SYNC)
    if (wire.stream.writable) writeCorked(wire.stream, Buffer.concat(messages))
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
  #result(): PgResult {
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
  override handleError(error: Error, wire: PgConnection): void {
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

  override handleReadyForQuery(wire: PgConnection): void {
    const names = preparedStatementsOn(wire)
    this.#results.forEach((result, index) => {
      const { name, shape } = this.#sent[index] as SentStatement
      if (name && shape === undefined) names.set(name, result.fields.length > 0 ? resultLike(result) : null)
    })
    this.status = this.#client.getTransactionStatus() ?? undefined
    if (this.#unreadable) this.#reject(this.#unreadable)
    else this.#resolve(this.#results)
  }
}

/** The relay's handlers send their statements side by side: a call of the system for each costs more than making it. */
function writeCorked(stream: PgConnection['stream'], bytes: Buffer): void {
  if (stream.writableCorked === 0) {
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  stream.write(bytes)
}

/** Sends a flight; look at `status` once it has landed. */
export function executeBatch(client: Client, statements: readonly EncodedStatement[]): PipelinedBatch {
  const batch = new PipelinedBatch(client, statements)
  client.query(batch as unknown as { submit(): void })
  return batch
}

const DESCRIBE = serialize.describe({ type: 'P' })
const EXECUTE = serialize.execute()
const SYNC = serialize.sync()
/** Of statements without values, by their names: what is sent all the time is made once. */
const bindMessages = new Map<string, Buffer>()

function bindMessage({ statement: { name }, values }: EncodedStatement): Buffer {
  if (!name || values.length > 0) return serialize.bind({ statement: name, values: values as EncodedValue[] })
  const message = bindMessages.get(name) ?? serialize.bind({ statement: name })
  bindMessages.set(name, message)
  return message
}

/** Close first: whether an earlier flight that failed had come so far as to prepare it, nobody knows. */
function prepareMessages({ name, text }: Statement): Buffer[] {
  const parse = serialize.parse({ name, text })
  return name ? [serialize.close({ type: 'S', name }), parse] : [parse]
}
