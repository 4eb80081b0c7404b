/** Starts a server, and stops it without losing requests that were sent before. */

import type { Server } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { SECOND } from '@larder-dev/larder/kernel'

/** Connections still open after this are cut. */
const DRAIN_TIMEOUT_MS = 9 * SECOND
/**
 * A kept-alive connection may be sending its next request: that response carries `connection: close`. After the shutdown
 * delay and this, a proxy has closed those that it doesn't use. It couldn't repeat a write that it sends at the moment when
 * this server closes the connection.
 */
const KEEP_ALIVE_GRACE_MS = 1 * SECOND
/**
 * The longest queue of connections that wait to be accepted. With Node's default, 511, some of a thousand that arrive at
 * once are reset. Linux lowers it to `net.core.somaxconn`.
 */
const MAX_WAITING = 4096

export interface ServerLifecycle {
  listen(port: number, host: string): Promise<{ port: number }>
  /** From the call of `drain` on. */
  stopping(): boolean
  /** From the end of the shutdown delay on: responses close their connection, and sockets are refused. */
  draining(): boolean
  drain(also: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** `shutdownDelayMs`: how long a draining server still accepts connections, and then keeps idle ones. */
export function createServerLifecycle(server: Server, shutdownDelayMs: number): ServerLifecycle {
  /** Owns the port: `http.Server.close` cuts idle connections at once, which loses a request that is arriving. */
  const listener = createServer()
  const connections = trackConnections(server)
  let stopping: Promise<void> | undefined
  let draining = false

  async function drain(also: () => Promise<void>): Promise<void> {
    if (listener.listening) {
      await pause(shutdownDelayMs)
      await connections.acceptWaiting()
      listener.close()
    }
    draining = true
    const others = also()
    const graceMs = Math.min(KEEP_ALIVE_GRACE_MS + shutdownDelayMs, DRAIN_TIMEOUT_MS)
    await within(graceMs, connections.ended())
    // Timers run before sockets are read: a request may have arrived that hasn't been read.
    const closeIdle = () => setImmediate(() => server.closeIdleConnections())
    closeIdle()
    const idle = setInterval(closeIdle, 100)
    await within(DRAIN_TIMEOUT_MS - graceMs, Promise.all([connections.ended(), others]))
    clearInterval(idle)
    server.closeAllConnections()
  }
  return {
    stopping: () => stopping !== undefined,
    draining: () => draining,
    drain(also) {
      stopping ??= Promise.resolve().then(() => drain(also))
      return stopping
    },
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        listener.once('error', reject)
        listener.listen(port, host, MAX_WAITING, () => {
          listener.off('error', reject)
          server.listen(listener, MAX_WAITING, () => resolve({ port: (listener.address() as AddressInfo).port }))
        })
      }),
    async close() {
      listener.close()
      server.closeAllConnections()
      await Promise.all([connections.ended(), stopping])
      server.close()
    },
  }
}

interface Connections {
  /** Accepts the connections that wait in the queue of the operating system, which closing the port would reset. */
  acceptWaiting(): Promise<void>
  /** Resolves when no connection is open, also none that was upgraded. */
  ended(): Promise<void>
}

function trackConnections(server: Server): Connections {
  const open = new Set<Socket>()
  const waiting: (() => void)[] = []
  let accepted = 0
  server.on('connection', (socket: Socket) => {
    // An ignored upgrade announces its connection again.
    if (open.has(socket)) return
    accepted++
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      if (open.size === 0) for (const resolve of waiting.splice(0)) resolve()
    })
  })
  return {
    async acceptWaiting() {
      const last = accepted + MAX_WAITING
      for (let before = -1; before !== accepted && accepted < last; ) {
        before = accepted
        // The event loop accepts one connection per turn, and the first turn may end before it accepts.
        await nextTurn()
        await nextTurn()
      }
    },
    ended: () => (open.size === 0 ? Promise.resolve() : new Promise(resolve => waiting.push(resolve))),
  }
}

/** Waits for `done`, for at most this many milliseconds. */
async function within(ms: number, done: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  const timeout = pause(ms, undefined, { signal: over.signal }).catch(() => {})
  await Promise.race([timeout, done]).finally(() => over.abort())
}
