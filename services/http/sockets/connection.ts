/** One open socket. Its session receives frames in order, one at a time. */

import type { Duplex } from 'node:stream'
import {
  type AnySocket,
  type Caller,
  type Credential,
  MIB,
  type RequestFacts,
  type SocketPeer,
  type SocketSession,
} from 'larder/kernel'
import type { Logger } from 'pino'
import type { WebSocket } from 'ws'
import { createSerialQueue } from './serial-queue.ts'

const MAX_BUFFERED_BYTES = MIB
const UNSUPPORTED_DATA = 1003
const INTERNAL_ERROR = 1011

export interface Connection {
  readonly caller: Caller | undefined
  readonly closeOnRevocation: boolean
  close(code: number, reason?: string): void
  /** Notifies the session that the process is stopping; closes the socket if the session doesn't handle that. */
  drain(): Promise<void>
  terminate(): void
  readonly closed: Promise<void>
}

export interface ConnectionDeps {
  readonly ws: WebSocket
  /** The underlying connection. */
  readonly stream: Duplex
  readonly socket: AnySocket
  readonly caller: Caller | undefined
  readonly credential: Credential | undefined
  readonly request: RequestFacts
  readonly query: Readonly<Record<string, string>>
  readonly log: Logger
  /** Called when the session has authenticated its peer. */
  readonly onAuthenticated: () => void
}

export function openConnection(deps: ConnectionDeps): Connection {
  const { ws, stream, socket, caller, credential, request, query, log, onAuthenticated } = deps
  const peer = createPeer(ws, createBatch(stream), socket, {
    caller,
    credential,
    request,
    query,
    markAuthenticated: onAuthenticated,
  })
  const fail = (error: unknown) => {
    log.error({ err: error, path: socket.path, requestId: request.id }, 'socket failed')
    peer.close(INTERNAL_ERROR, 'internal')
  }
  const session: Promise<SocketSession | undefined> = Promise.resolve()
    .then(() => socket.open(peer))
    .catch(error => void fail(error))
  const queue = createSerialQueue({ pause: () => ws.pause(), resume: () => ws.resume(), fail })
  void session.then(queue.start)
  ws.on('message', (data, isBinary) => {
    if (isBinary) peer.close(socket.codes?.binary ?? UNSUPPORTED_DATA, 'text frames only')
    else queue.push(data.toString())
  })
  ws.on('error', error => log.debug({ err: error, path: socket.path }, 'socket error'))
  const closed = new Promise<void>(resolve => {
    ws.once('close', code => {
      const notify = async () => (await session)?.closed(code)
      void session.then(queue.idle).then(notify).catch(fail).then(resolve)
    })
  })
  return {
    caller,
    closeOnRevocation: socket.closeOnRevocation ?? true,
    closed,
    close: peer.close,
    terminate: () => ws.terminate(),
    drain: () => drain(session, peer),
  }
}

function createPeer(
  ws: WebSocket,
  batch: () => void,
  { maxBuffer = MAX_BUFFERED_BYTES }: AnySocket,
  facts: Pick<SocketPeer, 'caller' | 'credential' | 'request' | 'query' | 'markAuthenticated'>,
): SocketPeer {
  return {
    ...facts,
    get bufferedAmount() {
      return ws.bufferedAmount
    },
    send(text) {
      if (ws.readyState !== ws.OPEN || !fits(text, maxBuffer - ws.bufferedAmount)) return false
      batch()
      ws.send(text)
      return true
    },
    close(code, reason) {
      ws.resume()
      ws.close(code, reason)
    },
  }
}

/** Frames sent in one turn of the event loop go out in one system call, which costs more than everything else. */
function createBatch(stream: Duplex): () => void {
  let open = false
  const send = () => {
    open = false
    stream.uncork()
  }
  return () => {
    if (open) return
    open = true
    stream.cork()
    process.nextTick(send)
  }
}

/** A character has at most three bytes, so most frames needn't be measured. */
const fits = (text: string, bytes: number): boolean => text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes

const GOING_AWAY = 1001

async function drain(session: Promise<SocketSession | undefined>, peer: SocketPeer): Promise<void> {
  const opened = await session
  if (!opened?.drain) return peer.close(GOING_AWAY, 'draining')
  await opened.drain()
}
