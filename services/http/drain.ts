/** Starts a server, and stops it without losing requests in progress. */

import type { Server } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { SECOND } from 'larder/kernel'

/** Connections still open after this are cut. */
const DRAIN_TIMEOUT_MS = 9 * SECOND
/** A kept-alive connection may be sending its next request: that response carries `connection: close`. */
const KEEP_ALIVE_GRACE_MS = 1 * SECOND

export interface ServerLifecycle {
  listen(port: number, host: string): Promise<{ port: number }>
  draining(): boolean
  drain(also: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

export function createServerLifecycle(server: Server): ServerLifecycle {
  let stopping: Promise<void> | undefined
  let gone: Promise<void> | undefined
  const stopAccepting = () => {
    // `http.Server.close` cuts idle connections at once, which loses a request that is arriving.
    gone ??= new Promise(resolve => {
      if (!server.listening) return resolve()
      NetServer.prototype.close.call(server, () => resolve())
    })
    return gone
  }
  async function drain(also: () => Promise<void>): Promise<void> {
    const accepted = stopAccepting()
    const others = also()
    await pause(KEEP_ALIVE_GRACE_MS, accepted)
    // Timers run before sockets are read: a request may have arrived that nobody has read.
    const closeIdle = () => setImmediate(() => server.closeIdleConnections())
    closeIdle()
    const idle = setInterval(closeIdle, 100)
    await pause(DRAIN_TIMEOUT_MS - KEEP_ALIVE_GRACE_MS, Promise.all([accepted, others]))
    clearInterval(idle)
    server.closeAllConnections()
    await accepted
  }
  return {
    draining: () => stopping !== undefined,
    drain(also) {
      stopping ??= Promise.resolve().then(() => drain(also))
      return stopping
    },
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          resolve({ port: (server.address() as AddressInfo).port })
        })
      }),
    async close() {
      server.closeAllConnections()
      await Promise.all([stopAccepting(), stopping])
      server.close()
    },
  }
}

/** Waits for `done`, for at most this many milliseconds. */
async function pause(ms: number, done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([over, done]).finally(() => clearTimeout(timer))
}
