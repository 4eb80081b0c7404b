/** Cuts connections on which nothing moves, and leaves alone those that wait for us. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { KIB, SECOND } from 'larder/kernel'

/**
 * Options of `createServer`. Node waits a minute for headers and five for a body, and looks every 30 s: too long. Bodies
 * have 10 s (body.ts), or what their route says (`bePatient`): `requestTimeout` ends what drips on after its answer.
 */
export const PATIENCE = {
  headersTimeout: 10 * SECOND,
  requestTimeout: 13 * SECOND,
  connectionsCheckingInterval: 1 * SECOND,
  keepAliveTimeout: 10 * SECOND,
  maxHeaderSize: 16 * KIB,
}
/**
 * Node gives a writer whose queue has moved another period. A reader that stands still is cut after two; the kernel takes
 * some more of what waits after 7 s, and so the last go after 14.
 */
const STILL = 3.5 * SECOND

interface Visit {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** Bytes that had been read at the last look; -1 before the first. */
  seen: number
}

/** What to do with a connection that has been still: the handler works (wait), the sender stalls once (look again). */
export function judge(
  visit: { readonly answering: boolean; readonly arrived: boolean; readonly moved: boolean } | undefined,
): 'wait' | 'look' | 'cut' {
  if (!visit || visit.answering) return 'cut'
  if (visit.arrived) return 'wait'
  return visit.moved ? 'look' : 'cut'
}

/** Returns what each request must be told to. */
export function watchStillness(server: Server): (req: IncomingMessage, res: ServerResponse) => void {
  const visits = new WeakMap<Socket, Visit>()
  server.setTimeout(STILL, socket => {
    const visit = visits.get(socket)
    const state = visit && {
      answering: visit.res.headersSent,
      arrived: visit.req.complete,
      moved: visit.seen !== socket.bytesRead,
    }
    if (judge(state) === 'cut') return socket.destroy()
    if (visit) visit.seen = socket.bytesRead
    return socket.setTimeout(STILL)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && patient.get(socket)?.complete === false) return
    const visit = visits.get(socket as Socket)
    const underWay = visit?.res.headersSent && !visit.res.writableFinished
    if (socket.writable && !underWay) socket.write(REFUSALS[error.code ?? ''] ?? BAD_REQUEST)
    socket.destroy(error)
  })
  return (req, res) => void visits.set(req.socket, { req, res, seen: -1 })
}

const refusal = (status: string): string => `HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`
const BAD_REQUEST = refusal('400 Bad Request')
/** As Node itself answers where nobody listens for these errors. */
const REFUSALS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: refusal('431 Request Header Fields Too Large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refusal('413 Payload Too Large'),
  ERR_HTTP_REQUEST_TIMEOUT: refusal('408 Request Timeout'),
}

const patient = new WeakMap<Duplex, IncomingMessage>()

/** Of a body that still comes when its request is answered already. */
const REST = 10 * SECOND

/** The body of this request may take so many milliseconds instead of `requestTimeout`: a large file on a slow line. */
export function bePatient({ req, res }: Pick<Visit, 'req' | 'res'>, milliseconds: number): void {
  patient.set(req.socket, req)
  const cut = () => req.complete || req.socket.destroy()
  let timer = setTimeout(cut, milliseconds)
  res.once('finish', () => {
    clearTimeout(timer)
    if (!req.complete) timer = setTimeout(cut, REST)
  })
  req.once('close', () => clearTimeout(timer))
}
