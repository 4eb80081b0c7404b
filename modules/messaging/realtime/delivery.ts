/** Sends frames to a connection and closes it. */
import { CLOSE_CODE } from '../domain/close-codes.ts'
import { connectionFrame } from '../domain/frames.ts'
import type { Connection } from './types.ts'

/** Closes the connection of a slow consumer, which receives the missed changes when it reconnects. */
export function send(connection: Connection, text: string): void {
  if (!connection.closed && !connection.socket.send(text))
    connection.socket.close(CLOSE_CODE.slow_consumer, 'slow consumer')
}

export const sendConnectionFrame = (connection: Connection, type: string, data: object, id?: string): void =>
  send(connection, connectionFrame(type, data, id))

export interface FrameError {
  readonly code: string
  readonly message: string
}

/** Sends an error frame and closes the connection. */
export function closeWithError(
  connection: Connection,
  close: keyof typeof CLOSE_CODE,
  error: FrameError,
  id?: string,
): void {
  connection.socket.send(connectionFrame('error', error, id))
  connection.socket.close(CLOSE_CODE[close], error.code)
}

export interface Closing {
  readonly action: 'reconnect' | 'stop'
  readonly reason: string
  readonly retryAfterMs?: number
}
export function closeWithNotice(connection: Connection, close: keyof typeof CLOSE_CODE, closing: Closing): void {
  connection.socket.send(connectionFrame('closing', { retryAfterMs: null, ...closing }))
  connection.socket.close(CLOSE_CODE[close], closing.reason)
}
