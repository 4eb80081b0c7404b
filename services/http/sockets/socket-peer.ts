/** Sends the frames of one socket. */
import type { Duplex } from 'node:stream'
import { type AnySocket, type Caller, type Credential, MIB, type RequestFacts, type SocketPeer } from 'larder/kernel'
import type { WebSocket } from 'ws'
import { encodeTextFrame } from './text-frames.ts'

const MAX_BUFFERED_BYTES = MIB

export interface SocketPeerDeps
  extends Pick<SocketPeer, 'caller' | 'credential' | 'request' | 'query' | 'markAuthenticated'> {
  readonly ws: WebSocket
  /** The underlying connection. */
  readonly stream: Duplex
  readonly socket: AnySocket
}

/** A class: objects with spread members or accessors would each have their own shape, which makes every call slow. */
export class WebSocketPeer implements SocketPeer {
  readonly caller: Caller | undefined
  readonly credential: Credential | undefined
  readonly request: RequestFacts
  readonly query: Readonly<Record<string, string>>
  readonly markAuthenticated: () => void
  readonly #ws: WebSocket
  readonly #stream: Duplex
  readonly #maxBuffer: number
  #isCorked = false
  /** Whether frames of earlier turns of the event loop haven't been sent. */
  #isSlow = false

  constructor({ ws, stream, socket, caller, credential, request, query, markAuthenticated }: SocketPeerDeps) {
    this.caller = caller
    this.credential = credential
    this.request = request
    this.query = query
    this.markAuthenticated = markAuthenticated
    this.#ws = ws
    this.#stream = stream
    this.#maxBuffer = socket.maxBuffer ?? MAX_BUFFERED_BYTES
  }

  get bufferedAmount(): number {
    return this.#ws.bufferedAmount
  }

  send(text: string, rest = ''): boolean {
    const ws = this.#ws
    if (ws.readyState !== ws.OPEN || !fits(text, rest, this.#maxBuffer - ws.bufferedAmount)) return false
    this.#cork()
    this.#stream.write(encodeTextFrame(text, rest, this.#isSlow))
    return true
  }

  close(code: number, reason?: string): void {
    this.#ws.resume()
    this.#ws.close(code, reason)
  }

  /** Frames sent in one turn of the event loop go out in one system call, which costs more than everything else. */
  #cork(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    this.#isSlow = this.#stream.writableLength > 0
    this.#stream.cork()
    if (corkedPeers.push(this) === 1) process.nextTick(WebSocketPeer.#uncorkAll)
  }

  static #uncorkAll(): void {
    for (const peer of corkedPeers) {
      peer.#isCorked = false
      peer.#stream.uncork()
    }
    corkedPeers.length = 0
  }
}

/** With unsent frames of this turn of the event loop. */
const corkedPeers: WebSocketPeer[] = []

/** A character has at most three bytes, so most frames needn't be measured. */
const fits = (text: string, rest: string, bytes: number): boolean =>
  (text.length + rest.length) * 3 <= bytes || Buffer.byteLength(text) + Buffer.byteLength(rest) <= bytes
