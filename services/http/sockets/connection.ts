/** One open socket. Its session receives frames in order, one at a time. */

import { AsyncResource } from 'node:async_hooks'
import type {
  AnySocket,
  Caller,
  Credential,
  RequestFacts,
  SocketPeer,
  SocketSession,
} from '@larder-dev/larder/kernel/internal'
import type { Logger } from 'pino'
import type { RawData, WebSocket } from 'ws'
import { createSerialQueue } from './serial-queue.ts'
import { WebSocketPeer } from './socket-peer.ts'

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
  readonly socket: AnySocket
  readonly caller: Caller | undefined
  readonly credential: Credential | undefined
  readonly request: RequestFacts
  readonly query: Readonly<Record<string, string>>
  readonly say: SocketPeer['say']
  readonly log: Logger
  /** Called when the session has authenticated its peer. */
  readonly onAuthenticated: () => void
}

export function openConnection(deps: ConnectionDeps): Connection {
  const { ws, socket, caller, credential, request, query, say, log, onAuthenticated } = deps
  const markAuthenticated = onAuthenticated
  const peer = new WebSocketPeer({ ws, socket, caller, credential, request, query, say, markAuthenticated })
  const fail = (error: unknown) => {
    log.error({ err: error, path: socket.path, requestId: request.id }, 'socket failed')
    peer.close(INTERNAL_ERROR, 'internal')
  }
  const session: Promise<SocketSession | undefined> = Promise.resolve()
    .then(() => socket.open(peer))
    .catch(error => void fail(error))
  const queue = createSerialQueue({ pause: () => ws.pause(), resume: () => ws.resume(), fail })
  void session.then(queue.start)
  const receive = (data: RawData, isBinary: boolean) => {
    if (isBinary) peer.close(socket.codes?.binary ?? UNSUPPORTED_DATA, 'text frames only')
    else queue.push(data.toString())
  }
  // Without it, frames would have the async context of the connection instead of that of the upgrade request.
  ws.on('message', AsyncResource.bind(receive))
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
    close: (code, reason) => peer.close(code, reason),
    terminate: () => ws.terminate(),
    drain: () => drain(session, peer),
  }
}

const GOING_AWAY = 1001

async function drain(session: Promise<SocketSession | undefined>, peer: SocketPeer): Promise<void> {
  const opened = await session
  if (!opened?.drain) return peer.close(GOING_AWAY, 'draining')
  await opened.drain()
}
