/** Sending to one socket, and the goodbye. */
import { CLOSE } from '../domain/close-codes.ts'
import { plainFrame } from '../domain/frames.ts'
import type { Link } from './types.ts'

/** A peer that does not read is let go: it comes back and is told what it missed. */
export function send(link: Link, text: string): void {
  if (!link.gone && !link.peer.send(text)) link.peer.close(CLOSE.slow_consumer, 'slow consumer')
}

export const say = (link: Link, type: string, data: object, id?: string): void => send(link, plainFrame(type, data, id))

export interface Refusal {
  readonly code: string
  readonly message: string
}

/** One error frame, then the end. */
export function fail(link: Link, close: keyof typeof CLOSE, refusal: Refusal, id?: string): void {
  link.peer.send(plainFrame('error', refusal, id))
  link.peer.close(CLOSE[close], refusal.code)
}

export interface Goodbye {
  readonly action: 'reconnect' | 'stop'
  readonly reason: string
  readonly retryAfterMs?: number
}
export function dismiss(link: Link, close: keyof typeof CLOSE, goodbye: Goodbye): void {
  link.peer.send(plainFrame('closing', { retryAfterMs: null, ...goodbye }))
  link.peer.close(CLOSE[close], goodbye.reason)
}
