/** One open socket: frames go to its session in order, one at a time. */
import type { Logger } from 'pino'
import type { WebSocket } from 'ws'
import type { AnySocket, Caller, RequestFacts, SocketPeer, SocketSession } from '../route.ts'
import { MIB } from '../units.ts'

const MAX_BUFFER = MIB
/** Frames that may wait for their turn before the socket is no longer read. */
const MAX_WAITING = 64
const BINARY_REFUSED = 1003
const BROKEN = 1011

export interface Connection {
  readonly caller: Caller | undefined
  close(code: number, reason?: string): void
  /** Tells the session that the process stops, and lets go where it does not care. */
  drain(): Promise<void>
  terminate(): void
  readonly closed: Promise<void>
}

export interface ConnectionDeps {
  readonly ws: WebSocket
  readonly socket: AnySocket
  readonly caller: Caller | undefined
  readonly request: RequestFacts
  readonly query: Readonly<Record<string, string>>
  readonly log: Logger
  /** The session has vouched for its peer. */
  readonly vouched: () => void
}

export function openConnection({ ws, socket, caller, request, query, log, vouched }: ConnectionDeps): Connection {
  const peer = createPeer(ws, socket, { caller, request, query }, vouched)
  const broken = (error: unknown) => {
    log.error({ err: error, path: socket.path, requestId: request.id }, 'socket failed')
    peer.close(BROKEN, 'internal')
  }
  const session: Promise<SocketSession | undefined> = Promise.resolve()
    .then(() => socket.open(peer))
    .catch(error => void broken(error))
  let waiting = 0
  // Frames that come before the session is open wait for it.
  let turn: Promise<unknown> = session
  const take = async (text: string) => {
    const opened = await session
    await opened?.message(text)
  }
  ws.on('message', (data, isBinary) => {
    if (isBinary) return peer.close(socket.codes?.binary ?? BINARY_REFUSED, 'text frames only')
    if (++waiting >= MAX_WAITING) ws.pause()
    const text = data.toString()
    turn = turn
      .then(() => take(text))
      .catch(broken)
      .finally(() => {
        if (--waiting < MAX_WAITING) ws.resume()
      })
  })
  ws.on('error', error => log.debug({ err: error, path: socket.path }, 'socket error'))
  const closed = new Promise<void>(resolve => {
    ws.once('close', code => {
      const tell = async () => (await session)?.closed(code)
      void turn.then(tell).catch(broken).then(resolve)
    })
  })
  return { caller, closed, close: peer.close, terminate: () => ws.terminate(), drain: () => drain(session, peer) }
}

function createPeer(
  ws: WebSocket,
  { maxBuffer = MAX_BUFFER }: AnySocket,
  facts: Pick<SocketPeer, 'caller' | 'request' | 'query'>,
  vouch: () => void,
): SocketPeer {
  return {
    ...facts,
    vouch,
    get bufferedAmount() {
      return ws.bufferedAmount
    },
    send(text) {
      if (ws.readyState !== ws.OPEN || ws.bufferedAmount + Buffer.byteLength(text) > maxBuffer) return false
      ws.send(text)
      return true
    },
    close(code, reason) {
      ws.resume()
      ws.close(code, reason)
    },
  }
}

const GOING_AWAY = 1001

async function drain(session: Promise<SocketSession | undefined>, peer: SocketPeer): Promise<void> {
  const opened = await session
  if (!opened?.drain) return peer.close(GOING_AWAY, 'draining')
  await opened.drain()
}
