/** Cuts connections on which nothing moves, and leaves alone those that wait for us. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { KIB, SECOND } from '../units.ts'

/** Options of `createServer`. Node waits a minute for headers and five for a body, and looks every 30 s: too long. */
export const PATIENCE = {
  headersTimeout: 10 * SECOND,
  requestTimeout: 30 * SECOND,
  connectionsCheckingInterval: 1 * SECOND,
  keepAliveTimeout: 10 * SECOND,
  maxHeaderSize: 16 * KIB,
}
/** Node gives a writer whose queue has moved a second period: a reader that stands still is cut after 10 s. */
const STILL = 5 * SECOND

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
  return (req, res) => void visits.set(req.socket, { req, res, seen: -1 })
}
