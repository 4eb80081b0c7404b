/**
 * Sends short reads of one turn of the event loop in a pipeline: on one connection, with one system call. Each of them
 * remains a transaction of its own. On connections of their own, system calls and wakeups of server processes
 * take a third of the CPU time of a request. Decision: docs/decisions/0049-pipelined-reads.md.
 */
import type { PoolClient } from 'pg'
import { holdWrites } from './pg-internals.ts'
import type { ConnectionPool } from './pool.ts'

/**
 * A read waits for those before it in its pipeline. This process takes longer for the response of a request than the
 * server for a short read, so that the reads of a pipeline are hardly later than on connections of their own.
 */
const MAX_READS = 8

/** The place of one read in a pipeline. */
export interface PipelinePlace {
  readonly client: PoolClient
  /** Whether the server has answered all reads before this one, and so has started this one. */
  isStarted(): boolean
  /** Call it once the read has ended. @param isAnswered whether the server has reported its status. */
  leave(isAnswered: boolean): void
}

class ReadPipeline {
  readonly #client: PoolClient
  readonly #pool: ConnectionPool
  /** Undefined once its reads are sent. */
  #releaseWrites: (() => void) | undefined
  #joined = 0
  #answered = 0
  #ended = 0

  constructor(client: PoolClient, pool: ConnectionPool) {
    this.#client = client
    this.#pool = pool
    this.#releaseWrites = holdWrites(client)
  }

  /** False once a read has ended: the connection may be back in the pool. */
  get isOpen(): boolean {
    return this.#releaseWrites !== undefined && this.#joined < MAX_READS && this.#ended === 0
  }

  sendAll(): void {
    this.#releaseWrites?.()
    this.#releaseWrites = undefined
  }

  join(): PipelinePlace {
    const before = this.#joined++
    return {
      client: this.#client,
      isStarted: () => this.#answered >= before,
      leave: isAnswered => {
        if (isAnswered) this.#answered++
        if (++this.#ended === this.#joined) this.#pool.release(this.#client)
      },
    }
  }
}

/** Returns a function that returns a place for a read, which must be sent at once; undefined if no connection is free. */
export function createReadPipelines(pool: ConnectionPool): () => PipelinePlace | undefined {
  let current: ReadPipeline | undefined
  return () => {
    if (current?.isOpen) return current.join()
    current?.sendAll()
    const client = pool.tryCheckout()
    if (!client) return undefined
    const pipeline = new ReadPipeline(client, pool)
    current = pipeline
    // Runs after all sockets that have data were read.
    setImmediate(() => pipeline.sendAll())
    return pipeline.join()
  }
}
