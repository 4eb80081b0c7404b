import type { Client } from 'pg'
import { clearDeadline, setDeadline } from './deadlines.ts'
import { destroyConnection } from './pg-internals.ts'

/** Limits a client's attempt to connect, like pg's `connectionTimeoutMillis`, but allows for pauses of this process. */
export function limitConnecting(client: Client, timeoutMs: number): void {
  const deadline = setDeadline(timeoutMs, () => destroyConnection(client, new Error('timeout: cannot connect')))
  const clear = () => clearDeadline(deadline)
  client.once('connect', clear)
  client.once('end', clear)
}
