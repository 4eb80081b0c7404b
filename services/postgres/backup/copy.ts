/** COPY in both directions, through pg's interface for query classes. https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-COPY */
import type pg from 'pg'
import type { Connection, Submittable } from 'pg'

/** Bytes of rows in a chunk; more for a row that is longer. */
const CHUNK_BYTES = 4 * 1024 * 1024

interface CopyMessage {
  readonly chunk: Buffer
}

/** Collects whole rows into chunks, and stops reading from the server while `onChunk` works. */
class CopyOut implements Submittable {
  readonly #text: string
  readonly #onChunk: (chunk: Buffer, rows: number) => Promise<void>
  readonly #resolve: () => void
  readonly #reject: (error: unknown) => void
  #buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  #bytes = 0
  #rows = 0
  #failure: unknown
  #writing: Promise<void> = Promise.resolve()
  #pending = 0

  constructor(
    text: string,
    onChunk: (chunk: Buffer, rows: number) => Promise<void>,
    resolve: () => void,
    reject: (error: unknown) => void,
  ) {
    this.#text = text
    this.#onChunk = onChunk
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: Connection): void {
    connection.query(this.#text)
  }

  handleCopyData({ chunk }: CopyMessage, connection: Connection): void {
    if (this.#bytes + chunk.length > this.#buffer.length) {
      this.#flush(connection)
      if (chunk.length > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(chunk.length)
    }
    // Copied, because pg reuses the memory of a message.
    chunk.copy(this.#buffer, this.#bytes)
    this.#bytes += chunk.length
    this.#rows++
  }

  #flush(connection: Connection): void {
    if (this.#rows === 0 || this.#failure !== undefined) return
    const chunk = this.#buffer.subarray(0, this.#bytes)
    const rows = this.#rows
    this.#buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    this.#bytes = 0
    this.#rows = 0
    this.#pending++
    connection.stream.pause()
    this.#writing = this.#writing
      .then(() => this.#onChunk(chunk, rows))
      .catch(error => {
        this.#failure ??= error
      })
      .finally(() => {
        this.#pending--
        if (this.#pending === 0) connection.stream.resume()
      })
  }

  handleCommandComplete(_: unknown, connection: Connection): void {
    this.#flush(connection)
  }

  handleReadyForQuery(): void {
    void this.#writing.then(() => (this.#failure === undefined ? this.#resolve() : this.#reject(this.#failure)))
  }

  handleError(error: Error): void {
    this.#failure ??= error
    // The server is ready for the next query after an error, too; a connection that ended isn't.
    this.#reject(error)
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}

/** Calls `onChunk` with whole rows of COPY's text format, one call after the other, and rejects with its error. */
export const copyOut = (
  client: pg.ClientBase,
  text: string,
  onChunk: (chunk: Buffer, rows: number) => Promise<void>,
): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(new CopyOut(text, onChunk, resolve, reject))
  })

type CopyConnection = Connection & {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

class CopyIn implements Submittable {
  readonly #text: string
  readonly #chunks: AsyncIterable<Buffer>
  readonly #resolve: () => void
  readonly #reject: (error: unknown) => void
  #failure: unknown

  constructor(text: string, chunks: AsyncIterable<Buffer>, resolve: () => void, reject: (error: unknown) => void) {
    this.#text = text
    this.#chunks = chunks
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: Connection): void {
    connection.query(this.#text)
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#send(connection).catch(error => {
      this.#failure ??= error
      connection.sendCopyFail('the backup could not be read')
    })
  }

  async #send(connection: CopyConnection): Promise<void> {
    const { stream } = connection
    for await (const chunk of this.#chunks) {
      if (this.#failure !== undefined) return
      connection.sendCopyFromChunk(chunk)
      if (stream.writableNeedDrain)
        await new Promise<void>(resolve => {
          const go = () => {
            stream.off('drain', go).off('close', go)
            resolve()
          }
          stream.on('drain', go).on('close', go)
        })
      if (stream.destroyed) return
    }
    connection.endCopyFrom()
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    if (this.#failure === undefined) this.#resolve()
    else this.#reject(this.#failure)
  }

  handleError(error: Error): void {
    // That of the archive is the cause.
    this.#failure ??= error
    this.#reject(this.#failure)
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}

/** Sends rows of COPY's text format. A chunk may end within a row. Rejects with the error of `chunks`, or of the server. */
export const copyIn = (client: pg.ClientBase, text: string, chunks: AsyncIterable<Buffer>): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(new CopyIn(text, chunks, resolve, reject))
  })
