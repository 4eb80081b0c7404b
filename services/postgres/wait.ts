/** Waits at the start for a server that is away or read-only, for example because it is starting or failing over. */
import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from '@larder-dev/larder/kernel'
import pg from 'pg'
import type { Logger } from 'pino'
import type { OwnerConnection } from './owner.ts'

const RETRY_INTERVAL_MS = SECOND

export interface WaitOptions {
  readonly log: Logger
  readonly waitMs?: number
  readonly signal?: AbortSignal
}

/** @throws OperatorError of the connection after `waitMs`, or at once if the server refuses the login. */
export async function waitForServer(owner: OwnerConnection, options: WaitOptions): Promise<void> {
  const { log, waitMs = 0, signal } = options
  const deadline = Date.now() + waitMs
  for (let waiting = false; ; waiting = true)
    try {
      signal?.throwIfAborted()
      return await owner.run(async client => void (await client.query('select 1')))
    } catch (error) {
      if (signal?.aborted || !mayComeBack(error) || Date.now() >= deadline) throw error
      if (!waiting) log.warn({ err: error }, `the database is unavailable; waiting up to ${waitMs / SECOND} s for it`)
      await pause(RETRY_INTERVAL_MS, undefined, signal && { signal })
    }
}

/** Classes 53 and 57 of SQLSTATE: too many connections, or the server is starting or stopping. */
function mayComeBack(error: unknown): boolean {
  const { cause } = error as { cause?: unknown }
  return !(cause instanceof pg.DatabaseError) || /^(53|57)/.test(cause.code ?? '')
}
