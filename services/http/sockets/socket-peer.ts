/** Sends the frames of one socket. */
import type { Duplex } from 'node:stream'
import { type AnySocket, type Caller, type Credential, MIB, type RequestFacts, type SocketPeer } from 'larder/kernel'
import type { WebSocket } from 'ws'
import { flushLater } from './send-queue.ts'
import {
  appendFrame,
  encodeLongFrame,
  hasRoomFor,
  isLongFrame,
  keepFrames,
  MAX_CHARACTER_BYTES,
  takeFrames,
} from './text-frames.ts'

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
  /** Unsent frames, in two parts each. Mostly there is one, which needs no array. */
  #first: string | undefined
  #firstRest = ''
  #others: string[] | undefined
  #unsentCharacters = 0
  /** At most so many. */
  #unsentBytes = 0

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
    return this.#ws.bufferedAmount + this.#unsentCharacters
  }

  send(text: string, rest = ''): boolean {
    const ws = this.#ws
    if (ws.readyState !== ws.OPEN || !this.#reserve(text, rest)) return false
    this.#unsentCharacters += text.length + rest.length
    if (this.#first === undefined) {
      this.#first = text
      this.#firstRest = rest
      flushLater(this)
    } else {
      this.#others ??= []
      this.#others.push(text, rest)
    }
    return true
  }

  close(code: number, reason?: string): void {
    this.#ws.resume()
    this.#ws.close(code, reason)
  }

  flush(): void {
    const first = this.#first
    if (first === undefined) return
    const others = this.#others
    this.#first = undefined
    this.#others = undefined
    this.#unsentCharacters = 0
    this.#unsentBytes = 0
    if (this.#ws.readyState !== this.#ws.OPEN) return
    this.#encode(first, this.#firstRest)
    this.#firstRest = ''
    if (others)
      for (let at = 0; at < others.length; at += 2) this.#encode(others[at] as string, others[at + 1] as string)
    this.#write()
  }

  #encode(text: string, rest: string): void {
    const characters = text.length + rest.length
    if (!hasRoomFor(characters)) this.#write()
    if (isLongFrame(characters)) this.#stream.write(encodeLongFrame(text + rest))
    else appendFrame(text, rest)
  }

  #write(): void {
    const frames = takeFrames()
    if (frames.length === 0) return
    const stream = this.#stream
    // The memory of all sockets is much larger than the frames that wait for a slow client.
    if (stream.writableLength > 0) stream.write(Buffer.copyBytesFrom(frames))
    else if (!stream.write(frames) || stream.writableLength > 0) keepFrames()
  }

  /** Whether the frame fits into the send buffer. Counts its bytes if it does. */
  #reserve(text: string, rest: string): boolean {
    const left = this.#maxBuffer - this.#ws.bufferedAmount
    // Most frames needn't be measured.
    let size = (text.length + rest.length) * MAX_CHARACTER_BYTES
    if (this.#unsentBytes + size > left) {
      size = Buffer.byteLength(text) + Buffer.byteLength(rest)
      const unsent = [this.#first ?? '', this.#firstRest, ...(this.#others ?? [])]
      this.#unsentBytes = unsent.reduce((bytes, part) => bytes + Buffer.byteLength(part), 0)
      if (this.#unsentBytes + size > left) return false
    }
    this.#unsentBytes += size
    return true
  }
}
