/** Handles the frames that clients send. */
import { type ClientFrame, REALTIME_CLOSE_CODE } from 'larder/kernel'
import { conversationIdOf, dataOf, parseHello } from '../domain/frames.ts'
import type { Admission } from './admission.ts'
import type { SocketConnection } from './types.ts'
import type { Typing } from './typing.ts'

export interface MessageHandlersDeps {
  readonly admission: Admission
  readonly typing: Typing
}
const ALREADY_JOINED = { code: 'greeted', message: 'This connection has already joined. Open another socket.' }
const UNKNOWN_TYPE = { code: 'unknown_type', message: 'Unknown frame type.' }
const NOT_FOUND = { code: 'not_found', message: 'No conversation has this ID.' }

export function createMessageHandlers({ admission, typing }: MessageHandlersDeps) {
  return {
    hello(connection: SocketConnection, frame: ClientFrame): void | Promise<void> {
      const hello = parseHello(dataOf(frame))
      if (typeof hello !== 'string') return admission.join(connection, hello, frame.id)
      const error = { code: 'bad_data', message: hello }
      connection.socket.closeWithError(REALTIME_CLOSE_CODE.bad_frame, error, frame.id)
    },
    message(connection: SocketConnection, frame: ClientFrame): void {
      const { socket } = connection
      if (frame.type !== 'typing') socket.sendError(frame.type === 'hello' ? ALREADY_JOINED : UNKNOWN_TYPE, frame.id)
      else if (!typing(connection, conversationIdOf(frame))) socket.sendError(NOT_FOUND, frame.id)
    },
  }
}
