/** Starts and stops a server so that no request in flight is lost. */

import type { Server } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { SECOND } from 'larder/kernel'

/** The whole of a drain; what is still open then is cut. */
const DRAIN_TIMEOUT_MS = 9 * SECOND
/** A kept-alive connection may be sending its next request just now: it is told to close with that answer. */
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
    // The close of http.Server cuts idle connections at once, and a request that is on its way with them.
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
    server.closeIdleConnections()
    const idle = setInterval(() => server.closeIdleConnections(), 100)
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

/** Until `done`, or for so many milliseconds. */
async function pause(ms: number, done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([over, done]).finally(() => clearTimeout(timer))
}
