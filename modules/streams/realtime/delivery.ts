/** Sending: to one socket, to one place, and the goodbye. */
import { KIB } from 'larder/kernel'
import { CLOSE } from '../domain/close-codes.ts'
import { numbered, plain, tailOf } from '../domain/frames.ts'
import { push } from '../domain/replay-buffer.ts'
import type { Link, Place } from './types.ts'

/** Outside the numbered line: what a resume need not replay. */
export function say(link: Link, type: string, data: unknown, more: { id?: string } = {}): void {
  if (!link.peer.send(plain(tailOf(type, data, more)))) link.peer.close(CLOSE.slow_consumer, 'slow consumer')
}

/** Numbered and kept, whether or not its socket is there. */
export function deliver(place: Place, tail: string) {
  const seq = push(place.line, tail)
  const { link, line } = place
  if (!link) return
  if (!link.peer.send(numbered(seq, tail))) return link.peer.close(CLOSE.slow_consumer, 'slow consumer')
  if (link.pinged === 0 && (line.kept.length >= MANY || line.bytes >= MANY_BYTES)) ping(link, Date.now())
}

/** Kept this many frames that may have arrived long ago, a place asks whether they did. */
const MANY = 64
const MANY_BYTES = 64 * KIB

/** Its pong says that everything up to here has arrived. */
export function ping(link: Link, t: number): void {
  link.pinged = t
  link.pingedSeq = link.place?.line.seq ?? 0
  say(link, 'ping', { t })
}

export interface Refusal {
  readonly code: string
  readonly message: string
  /** The same may pass later. */
  readonly retryable?: boolean
}
const errorData = ({ code, message, retryable = false }: Refusal) => ({ code, message, retryable })

/** Answers one frame; the socket stays open. */
export function refuse(place: Place, refusal: Refusal, id: string | undefined): void {
  deliver(place, tailOf('error', errorData(refusal), id === undefined ? {} : { id }))
}

export function acknowledge(place: Place, id: string | undefined): void {
  if (id !== undefined) deliver(place, tailOf('ack', {}, { id }))
}

/** One error frame, then the end. */
export function fail(link: Link, code: keyof typeof CLOSE, refusal: Refusal, id?: string): void {
  link.peer.send(plain(tailOf('error', errorData(refusal), id === undefined ? {} : { id })))
  link.peer.close(CLOSE[code], refusal.code)
}

export interface Goodbye {
  readonly action: 'resume' | 'reconnect' | 'stop'
  readonly reason: string
  /** Milliseconds. */
  readonly retry_after_ms?: number
}
export function dismiss(link: Link, code: keyof typeof CLOSE, goodbye: Goodbye): void {
  link.peer.send(plain(tailOf('closing', { retry_after_ms: null, ...goodbye })))
  link.peer.close(CLOSE[code], goodbye.reason)
}
