/** Sends the frames of one socket. */
import {
  type AnySocket,
  type Caller,
  type Credential,
  MIB,
  type RequestFacts,
  type SocketPeer,
} from '@larder-dev/larder/kernel/internal'
import type { WebSocket } from 'ws'

/** Upper bound, in bytes, of the unsent frames. */
const MAX_BUFFERED_BYTES = MIB
const TEXT = { binary: false }

export interface SocketPeerDeps
  extends Pick<SocketPeer, 'caller' | 'credential' | 'request' | 'query' | 'say' | 'markAuthenticated'> {
  readonly ws: WebSocket
  readonly socket: AnySocket
}

export class WebSocketPeer implements SocketPeer {
  readonly caller: Caller | undefined
  readonly credential: Credential | undefined
  readonly request: RequestFacts
  readonly query: Readonly<Record<string, string>>
  readonly say: SocketPeer['say']
  readonly markAuthenticated: () => void
  readonly #ws: WebSocket
  readonly #maxBuffer: number

  constructor({ ws, socket, caller, credential, request, query, say, markAuthenticated }: SocketPeerDeps) {
    this.caller = caller
    this.credential = credential
    this.request = request
    this.query = query
    this.say = say
    this.markAuthenticated = markAuthenticated
    this.#ws = ws
    this.#maxBuffer = socket.maxBuffer ?? MAX_BUFFERED_BYTES
  }

  get bufferedAmount(): number {
    return this.#ws.bufferedAmount
  }

  send(frame: string | Buffer): boolean {
    const ws = this.#ws
    if (ws.readyState !== ws.OPEN || ws.bufferedAmount + Buffer.byteLength(frame) > this.#maxBuffer) return false
    ws.send(frame, TEXT)
    return true
  }

  close(code: number, reason?: string): void {
    this.#ws.resume()
    this.#ws.close(code, reason)
  }
}
