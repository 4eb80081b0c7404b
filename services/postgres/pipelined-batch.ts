/**
 * Several statements and ONE Sync on a pipelining client. PostgreSQL runs all statements before a Sync as one implicit
 * transaction (unless one is open). An error skips to the Sync and rolls everything back, so no statement
 * runs after the first one, which sets role and tenant, has failed. https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
import { SECOND } from 'larder/kernel'
import pg, { type Client } from 'pg'
import { clearDeadline, type Deadline, setDeadline } from './deadlines.ts'
import { bindMessage, DESCRIBE, type EncodedStatement, EXECUTE, prepareMessages, SYNC } from './encoded-statement.ts'
import {
  destroyConnection,
  type PgConnection,
  type PgQuery,
  QueryBase,
  type TransactionStatus,
} from './pg-internals.ts'
import { type Field, type RowShape, rowShapeOf, StatementResult } from './statement-result.ts'

/** The row shape of each statement prepared on a connection; null for a statement that returns no rows. */
type PreparedStatements = Map<string, RowShape | null>

/** Replaced when a plan is stale. */
let preparedOn = new WeakMap<PgConnection, PreparedStatements>()

/** After DDL, each statement would fail once on each connection. Makes all connections prepare all statements again. */
export function resetPreparedStatements(): void {
  preparedOn = new WeakMap()
}

function preparedStatementsOn(connection: PgConnection): PreparedStatements {
  const known = preparedOn.get(connection)
  if (known) return known
  const names: PreparedStatements = new Map()
  preparedOn.set(connection, names)
  return names
}

const timedOut = new WeakSet<Client>()
/** True for a connection on which a batch timed out. It is closed. */
export const hasTimedOut = (client: Client): boolean => timedOut.has(client)

/** One of them is called once. */
export interface BatchHandler {
  /** @param status of the transaction. */
  completed(results: StatementResult[], status: TransactionStatus | undefined): void
  /** The server has reported its status, or the connection is closed: then the status is undefined. */
  failed(error: unknown, status: TransactionStatus | undefined): void
}

export class PipelinedBatch extends QueryBase implements PgQuery {
  readonly #client: Client
  readonly #statements: readonly EncodedStatement[]
  readonly #handler: BatchHandler
  /** Whether no other batch is sent on the connection meanwhile. */
  readonly #isAlone: boolean
  /** The names at the time of sending: a statement may be named while the batch is in progress. */
  readonly #names: string[] = []
  /** Undefined for statements whose rows the server describes in this batch. */
  readonly #shapes: (RowShape | null | undefined)[] = []
  #describes = false
  readonly #results: StatementResult[] = []
  #current: StatementResult | undefined
  /** Undefined until the batch is sent. */
  #deadline: Deadline | undefined
  #parseError: unknown
  #hasEnded = false

  constructor(client: Client, statements: readonly EncodedStatement[], handler: BatchHandler, isAlone: boolean) {
    super()
    this.#client = client
    this.#statements = statements
    this.#handler = handler
    this.#isAlone = isAlone
  }

  setTimeLimit(timeoutMs: number): void {
    this.#deadline = setDeadline(timeoutMs, () => this.#expire(timeoutMs))
  }

  #expire(timeoutMs: number): void {
    timedOut.add(this.#client)
    destroyConnection(this.#client)
    this.#fail(new Error(`the database did not respond within ${timeoutMs / SECOND} s`), undefined)
  }

  /** One buffer per batch. */
  submit(connection: PgConnection): null {
    const prepared = preparedStatementsOn(connection)
    const messages: Buffer[] = []
    for (const encoded of this.#statements) {
      const { statement, message } = encoded
      const { name } = statement
      const shape = name ? prepared.get(name) : undefined
      if (shape === undefined) messages.push(...prepareMessages(statement))
      messages.push(message ?? bindMessage(encoded))
      if (shape === undefined) messages.push(DESCRIBE)
      messages.push(EXECUTE)
      this.#describes ||= shape === undefined
      this.#names.push(name)
      this.#shapes.push(shape)
    }
    messages.push(SYNC)
    const { stream } = connection
    const bytes = Buffer.concat(messages)
    if (!stream.writable) return null
    if (this.#isAlone) stream.write(bytes)
    else writeCorked(stream, bytes)
    return null
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#current = new StatementResult(rowShapeOf(fields))
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#parseError) return
    try {
      this.#result().addRow(fields)
    } catch (error) {
      this.#parseError = error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const result = this.#result()
    result.complete(text)
    this.#endStatement(result)
  }

  handleEmptyQuery(): void {
    this.#endStatement(this.#result())
  }

  /** The result of the statement that the server is responding to. */
  #result(): StatementResult {
    this.#current ??= new StatementResult(this.#shapes[this.#results.length] ?? undefined)
    return this.#current
  }

  #endStatement(result: StatementResult): void {
    result.rowCount ??= 0
    this.#results.push(result)
    this.#current = undefined
  }

  /** After an error, the client does not forward ReadyForQuery, so this waits for it or for the end of the connection. */
  handleError(error: Error, connection: PgConnection): void {
    const names = preparedOn.get(connection)
    for (const name of this.#names) names?.delete(name)
    // Any error that is not from the server means that the connection is closed: no ReadyForQuery will follow.
    if (!(error instanceof pg.DatabaseError) || connection.stream.destroyed) {
      this.#fail(error, undefined)
      return
    }
    const complete = (message?: { status: TransactionStatus }) => {
      connection.off('readyForQuery', complete)
      connection.off('end', complete)
      this.#fail(error, message?.status)
    }
    connection.on('readyForQuery', complete)
    connection.on('end', complete)
  }

  handleReadyForQuery(connection: PgConnection): void {
    if (this.#describes) this.#rememberShapes(connection)
    const status = this.#client.getTransactionStatus() ?? undefined
    if (this.#parseError) this.#fail(this.#parseError, status)
    else if (this.#end()) this.#handler.completed(this.#results, status)
  }

  #rememberShapes(connection: PgConnection): void {
    const names = preparedStatementsOn(connection)
    for (const [index, { shape }] of this.#results.entries()) {
      const name = this.#names[index]
      if (name && this.#shapes[index] === undefined) names.set(name, shape ?? null)
    }
  }

  #fail(error: unknown, status: TransactionStatus | undefined): void {
    if (this.#end()) this.#handler.failed(error, status)
  }

  /** Returns false if it has ended before. */
  #end(): boolean {
    if (this.#hasEnded) return false
    this.#hasEnded = true
    if (this.#deadline) clearDeadline(this.#deadline)
    return true
  }
}

/**
 * One system call for all batches of the same tick. Concurrent handlers of the relay send many batches at once; one write
 * per batch would dominate their cost.
 */
function writeCorked(stream: PgConnection['stream'], bytes: Buffer): void {
  if (stream.writableCorked === 0) {
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  stream.write(bytes)
}
