/** Closes stalled connections, except those that wait for a handler. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { KIB, SECOND } from '@larder-dev/larder/kernel'

/**
 * Options of `createServer`. Node's defaults (60 s for headers, 5 min for a body, checked every 30 s) are too long. Bodies
 * have 10 s (body.ts) or the time of their route (`extendBodyTimeout`); `requestTimeout` ends bodies after the response.
 */
export const SERVER_TIMEOUTS = {
  headersTimeout: 10 * SECOND,
  requestTimeout: 13 * SECOND,
  connectionsCheckingInterval: 1 * SECOND,
  keepAliveTimeout: 10 * SECOND,
  maxHeaderSize: 16 * KIB,
}
/**
 * Node grants another period when the write queue has moved, so a stalled reader is cut after two. The operating system
 * accepts more data after 7 s, so the last ones are cut after 14 s.
 */
const IDLE_TIMEOUT_MS = 3.5 * SECOND

interface ActiveRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** Bytes read at the last check; -1 before the first. */
  seen: number
}

/** What to do with an idle connection: wait for the handler, check again, or cut it. */
export function idleAction(
  active: { readonly answering: boolean; readonly arrived: boolean; readonly moved: boolean } | undefined,
): 'wait' | 'look' | 'cut' {
  if (!active || active.answering) return 'cut'
  if (active.arrived) return 'wait'
  return active.moved ? 'look' : 'cut'
}

/** Whether the response has ended, or has data that the client doesn't read. A stream that waits for its next data has none. */
const awaitsClient = (res: ServerResponse, socket: Socket): boolean =>
  res.headersSent && (res.writableEnded || res.writableLength > 0 || socket.writableLength > 0)

/** Returns a function that must be called for each request. */
export function enforceIdleTimeout(server: Server): (req: IncomingMessage, res: ServerResponse) => void {
  const activeRequests = new WeakMap<Socket, ActiveRequest>()
  function checkIdle(socket: Socket): void {
    const active = activeRequests.get(socket)
    const state = active && {
      answering: awaitsClient(active.res, socket),
      arrived: active.req.complete,
      moved: active.seen !== socket.bytesRead,
    }
    if (idleAction(state) === 'cut') return void socket.destroy()
    if (active) active.seen = socket.bytesRead
    socket.setTimeout(IDLE_TIMEOUT_MS)
  }
  // Timers run before sockets are read: after a pause of this process, a request may have arrived that hasn't been read, or
  // the response that the client waited for may be sent in the same turn. Both restart the timer.
  server.setTimeout(IDLE_TIMEOUT_MS, socket => {
    const { bytesRead, bytesWritten } = socket
    setImmediate(() => {
      if (socket.bytesRead === bytesRead && socket.bytesWritten === bytesWritten) checkIdle(socket)
    })
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && extended.get(socket)?.complete === false) return
    const active = activeRequests.get(socket as Socket)
    const responding = active?.res.headersSent && !active.res.writableFinished
    if (socket.writable && !responding) socket.write(REFUSALS[error.code ?? ''] ?? BAD_REQUEST)
    socket.destroy(error)
  })
  return (req, res) => void activeRequests.set(req.socket, { req, res, seen: -1 })
}

const refusal = (status: string): string => `HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`
const BAD_REQUEST = refusal('400 Bad Request')
/** The responses that Node sends without a listener for these errors. */
const REFUSALS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: refusal('431 Request Header Fields Too Large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refusal('413 Payload Too Large'),
  ERR_HTTP_REQUEST_TIMEOUT: refusal('408 Request Timeout'),
}

const extended = new WeakMap<Duplex, IncomingMessage>()

/** The limit for the rest of a body after the response. */
const REMAINING_BODY_TIMEOUT_MS = 10 * SECOND

/** Gives the body of this request its own timeout in milliseconds instead of `requestTimeout`, for large uploads. */
export function extendBodyTimeout({ req, res }: Pick<ActiveRequest, 'req' | 'res'>, milliseconds: number): void {
  extended.set(req.socket, req)
  const cut = () => req.complete || req.socket.destroy()
  let timer = setTimeout(cut, milliseconds)
  res.once('finish', () => {
    clearTimeout(timer)
    if (!req.complete) timer = setTimeout(cut, REMAINING_BODY_TIMEOUT_MS)
  })
  req.once('close', () => clearTimeout(timer))
}
