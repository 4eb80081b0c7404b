/**
 * Several statements and ONE Sync on a pipelining client. PostgreSQL runs all statements before a Sync as one implicit
 * transaction (unless one is open). An error skips to the Sync and rolls everything back, so no statement
 * runs after the first one, which sets role and tenant, has failed. https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
import { channel } from 'node:diagnostics_channel'
import { SECOND, type Step } from 'larder/kernel'
import pg, { type Client } from 'pg'
import { serialize } from 'pg-protocol'
import { clearDeadline, type Deadline, setDeadline } from './deadlines.ts'
import {
  destroyConnection,
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

/** A statement with its values encoded for the protocol. */
export interface EncodedStatement {
  readonly statement: Statement
  readonly values: readonly EncodedValue[]
}

/** Throws for values that cannot be encoded and for transaction control, before anything is sent. */
export const encodeStatement = ([text, values = []]: Step): EncodedStatement => ({
  statement: cachedStatement(text),
  values: encodeValues(values),
})

export const encodeValues = (values: readonly unknown[]): EncodedValue[] => values.map(value => encodeValue(value))

/** The message of the diagnostics channel `larder.postgres.batch`, published for each batch before it is sent. */
export interface BatchMessage {
  readonly client: Client
  readonly statements: readonly EncodedStatement[]
  readonly completed: Promise<unknown>
}
const batchChannel = channel('larder.postgres.batch')

/** The row shape of each statement prepared on a connection; null for a statement that returns no rows. */
type PreparedStatements = Map<string, PgResult | null>

/** Replaced when a plan is stale. */
let preparedOn = new WeakMap<PgConnection, PreparedStatements>()

/** After DDL, each statement would fail once on each connection. Makes all connections prepare all statements again. */
export function resetPreparedStatements(): void {
  preparedOn = new WeakMap()
}

function preparedStatementsOn(connection: PgConnection): PreparedStatements {
  const names = preparedOn.get(connection) ?? new Map()
  preparedOn.set(connection, names)
  return names
}

const timedOut = new WeakSet<Client>()
/** True for a connection on which a batch timed out. It is closed. */
export const hasTimedOut = (client: Client): boolean => timedOut.has(client)

interface SentStatement {
  /** The name at the time of sending: the statement may be named while the batch is in progress. */
  readonly name: string
  /** Undefined if this batch asks the server to describe the rows. */
  readonly shape: PgResult | null | undefined
}

export class PipelinedBatch extends QueryBase {
  /** Resolves with one result per statement. Rejects once the server has reported its status or the connection is closed. */
  readonly completed: Promise<PgResult[]>
  /** Transaction status after completion; undefined if the connection is closed. */
  status: TransactionStatus | undefined
  readonly #client: Client
  readonly #statements: readonly EncodedStatement[]
  readonly #sent: SentStatement[] = []
  readonly #results: PgResult[] = []
  #current: PgResult | undefined
  #resolve!: (results: PgResult[]) => void
  #reject!: (error: unknown) => void
  /** Undefined until the batch is sent. */
  #deadline: Deadline | undefined
  #parseError: unknown

  constructor(client: Client, statements: readonly EncodedStatement[]) {
    super('batch')
    this.#client = client
    this.#statements = statements
    this.completed = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  setTimeLimit(timeoutMs: number): void {
    this.#deadline = setDeadline(timeoutMs, () => this.#expire(timeoutMs))
  }

  #expire(timeoutMs: number): void {
    timedOut.add(this.#client)
    destroyConnection(this.#client)
    this.#reject(new Error(`the database did not respond within ${timeoutMs / SECOND} s`))
  }

  /** One buffer per batch, and one system call for all batches of the same tick. */
  override submit(connection: PgConnection): null {
    const names = preparedStatementsOn(connection)
    const messages: Buffer[] = []
    for (const encoded of this.#statements) {
      const { statement } = encoded
      const { name } = statement
      const shape = name ? names.get(name) : undefined
      if (shape === undefined) messages.push(...prepareMessages(statement))
      messages.push(bindMessage(encoded))
      if (shape === undefined) messages.push(DESCRIBE)
      messages.push(EXECUTE)
      this.#sent.push({ name, shape })
    }
    messages.push(SYNC)
    if (connection.stream.writable) writeCorked(connection.stream, Buffer.concat(messages))
    return null
  }

  override handleRowDescription({ fields }: { fields: unknown }): void {
    this.#current = newResult()
    this.#current.addFields(fields)
  }

  override handleDataRow({ fields }: { fields: unknown }): void {
    if (this.#parseError) return
    try {
      const result = this.#result()
      result.addRow(result.parseRow(fields))
    } catch (error) {
      this.#parseError = error
    }
  }

  override handleCommandComplete(message: { text: string }): void {
    this.#result().addCommandComplete(message)
    this.#endStatement()
  }

  override handleEmptyQuery(): void {
    this.#endStatement()
  }

  /** The result of the statement that the server is responding to. */
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

  /** After an error, the client does not forward ReadyForQuery, so this waits for it or for the end of the connection. */
  override handleError(error: Error, connection: PgConnection): void {
    const names = preparedOn.get(connection)
    for (const { name } of this.#sent) names?.delete(name)
    // Any error that is not from the server means that the connection is closed: no ReadyForQuery will follow.
    if (!(error instanceof pg.DatabaseError) || connection.stream.destroyed) {
      this.#fail(error)
      return
    }
    const complete = (message?: { status: TransactionStatus }) => {
      connection.off('readyForQuery', complete)
      connection.off('end', complete)
      this.status = message?.status
      this.#fail(error)
    }
    connection.on('readyForQuery', complete)
    connection.on('end', complete)
  }

  override handleReadyForQuery(connection: PgConnection): void {
    const names = preparedStatementsOn(connection)
    this.#results.forEach((result, index) => {
      const { name, shape } = this.#sent[index] as SentStatement
      if (name && shape === undefined) names.set(name, result.fields.length > 0 ? resultLike(result) : null)
    })
    this.status = this.#client.getTransactionStatus() ?? undefined
    if (this.#parseError) this.#fail(this.#parseError)
    else {
      if (this.#deadline) clearDeadline(this.#deadline)
      this.#resolve(this.#results)
    }
  }

  #fail(error: unknown): void {
    if (this.#deadline) clearDeadline(this.#deadline)
    this.#reject(error)
  }
}

/** Concurrent handlers of the relay send many batches at once; one write per batch would dominate their cost. */
function writeCorked(stream: PgConnection['stream'], bytes: Buffer): void {
  if (stream.writableCorked === 0) {
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  stream.write(bytes)
}

/**
 * Sends a batch. Check `status` once `completed` has settled. Closes the connection if the response takes longer than
 * `timeoutMs`.
 */
export function executeBatch(
  client: Client,
  statements: readonly EncodedStatement[],
  timeoutMs: number,
): PipelinedBatch {
  const batch = new PipelinedBatch(client, statements)
  if (batchChannel.hasSubscribers)
    batchChannel.publish({ client, statements, completed: batch.completed } satisfies BatchMessage)
  client.query(batch as unknown as { submit(): void })
  batch.setTimeLimit(timeoutMs)
  return batch
}

const DESCRIBE = serialize.describe({ type: 'P' })
const EXECUTE = serialize.execute()
const SYNC = serialize.sync()
/** Bind messages of statements without values, by statement name. */
const bindMessages = new Map<string, Buffer>()

function bindMessage({ statement: { name }, values }: EncodedStatement): Buffer {
  if (!name || values.length > 0) return serialize.bind({ statement: name, values: values as EncodedValue[] })
  const message = bindMessages.get(name) ?? serialize.bind({ statement: name })
  bindMessages.set(name, message)
  return message
}

/** Closes the statement first: an earlier batch that failed may or may not have prepared it. */
function prepareMessages({ name, text }: Statement): Buffer[] {
  const parse = serialize.parse({ name, text })
  return name ? [serialize.close({ type: 'S', name }), parse] : [parse]
}
