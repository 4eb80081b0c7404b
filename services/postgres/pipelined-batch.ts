/**
 * Several statements with one Sync, in one round trip, through pg's interface for query classes, which pg-cursor uses too.
 * PostgreSQL runs all statements before a Sync as one implicit transaction, unless one is open. An error skips to the
 * Sync and rolls all of them back. https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
import pg, { type Client, type Connection, type Submittable } from 'pg'
import { type Field, type RowShape, rowShapeOf, StatementResult } from './statement-result.ts'
import type { EncodedStatement } from './statements.ts'

/** `I` idle, `T` in a transaction, `E` in one that failed. */
export type TransactionStatus = 'I' | 'T' | 'E'

export interface BatchOutcome {
  /** The error of the first statement that failed, or of the connection; undefined if all statements succeeded. */
  readonly error?: Error
  /** One for each statement, up to the one that failed. */
  readonly results: readonly StatementResult[]
  /** State of the transaction as the server reported it; undefined if the connection is closed. */
  readonly status: TransactionStatus | undefined
}

export interface BatchOptions {
  readonly client: Client
  readonly statements: readonly EncodedStatement[]
  /** False behind a pooler in transaction mode, which may send each batch to another server process. */
  readonly usesNames: boolean
  /** Called once, after the server has reported its status or the connection has been closed. */
  onEnd(outcome: BatchOutcome): void
}

/** The row shape of each statement prepared on a connection; null for a statement that returns no rows. */
type PreparedStatements = Map<string, RowShape | null>

/** Replaced when a plan is stale. */
let preparedOn = new WeakMap<Connection, PreparedStatements>()

/** After DDL, each statement would fail once on each connection. Makes all connections prepare all statements again. */
export function resetPreparedStatements(): void {
  preparedOn = new WeakMap()
}

function preparedStatementsOn(connection: Connection): PreparedStatements {
  const known = preparedOn.get(connection)
  if (known) return known
  const names: PreparedStatements = new Map()
  preparedOn.set(connection, names)
  return names
}

export class PipelinedBatch implements Submittable {
  readonly #options: BatchOptions
  /** The names at the time of sending: a statement may be named while the batch is in progress. */
  readonly #names: string[] = []
  /** Undefined for statements whose rows the server describes in this batch. */
  readonly #shapes: (RowShape | null | undefined)[] = []
  readonly #results: StatementResult[] = []
  #current: StatementResult | undefined
  #parseError: Error | undefined

  constructor(options: BatchOptions) {
    this.#options = options
  }

  /** Sends everything in one system call. */
  submit(connection: Connection): void {
    const { statements, usesNames } = this.#options
    const prepared = preparedStatementsOn(connection)
    connection.stream.cork()
    for (const { statement, values } of statements) {
      const name = usesNames ? statement.name : ''
      const shape = name ? prepared.get(name) : undefined
      // An earlier batch that failed may or may not have prepared it.
      if (name && shape === undefined) connection.close({ type: 'S', name }, true)
      if (shape === undefined) connection.parse({ name, text: statement.text, types: [] }, true)
      connection.bind({ statement: name, values }, true)
      if (shape === undefined) connection.describe({ type: 'P' }, true)
      connection.execute(null, true)
      this.#names.push(name)
      this.#shapes.push(shape)
    }
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#current = new StatementResult(rowShapeOf(fields))
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#parseError) return
    try {
      this.#result().addRow(fields)
    } catch (error) {
      this.#parseError = error as Error
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

  /** pg does not tell a query that failed about ReadyForQuery, so this waits for the client to be idle or closed. */
  handleError(error: Error, connection: Connection): void {
    const prepared = preparedOn.get(connection)
    for (const name of this.#names) prepared?.delete(name)
    // An error that is not from the server means that the connection is closed.
    if (!(error instanceof pg.DatabaseError)) {
      this.#end(error, undefined)
      return
    }
    const { client } = this.#options
    const idle = () => end(this.#status())
    const closed = () => end(undefined)
    const end = (status: TransactionStatus | undefined) => {
      client.off('drain', idle)
      client.off('end', closed)
      this.#end(error, status)
    }
    client.on('drain', idle)
    client.on('end', closed)
  }

  handleReadyForQuery(connection: Connection): void {
    const prepared = preparedStatementsOn(connection)
    for (const [index, { shape }] of this.#results.entries()) {
      const name = this.#names[index]
      if (name && this.#shapes[index] === undefined) prepared.set(name, shape ?? null)
    }
    this.#end(this.#parseError, this.#status())
  }

  #status = (): TransactionStatus | undefined => this.#options.client.getTransactionStatus() ?? undefined

  #end(error: Error | undefined, status: TransactionStatus | undefined): void {
    this.#options.onEnd({ results: this.#results, status, ...(error && { error }) })
  }
}
