/** Handles the frames that clients send. */
import { type ClientFrame, type Deps, REALTIME_CLOSE_CODE, SECOND } from 'larder/kernel'
import { conversationFrame, conversationIdOf, dataOf, parseHello } from '../domain/frames.ts'
import type { ChangeFeed } from '../services/change-feed.ts'
import type { Admission } from './admission.ts'
import type { Connection } from './types.ts'

export interface MessageHandlersDeps extends Deps<'clock'> {
  readonly admission: Admission
  readonly changeFeed: ChangeFeed
}
/** Minimum interval of typing frames in one conversation. */
const TYPING_INTERVAL_MS = SECOND
const ALREADY_JOINED = { code: 'greeted', message: 'This connection has already joined. Open another socket.' }
const UNKNOWN_TYPE = { code: 'unknown_type', message: 'Unknown frame type.' }

export function createMessageHandlers({ admission, changeFeed, clock }: MessageHandlersDeps) {
  function handleTyping(connection: Connection, frame: ClientFrame): void {
    const { socket, lastTyping } = connection
    const conversationId = conversationIdOf(frame)
    if (!socket.member || conversationId === undefined || !connection.versions.has(conversationId))
      return void socket.sendError({ code: 'not_found', message: 'No conversation has this ID.' }, frame.id)
    const now = clock.now()
    if (lastTyping.conversationId === conversationId && now - lastTyping.at < TYPING_INTERVAL_MS) return
    connection.lastTyping = { conversationId, at: now }
    const { tenantId, userId } = socket.member
    const text = conversationFrame('typing', { conversationId }, { userId })
    changeFeed.publish({ kind: 'transient', tenantId, conversationId, frame: text, except: userId })
  }

  return {
    hello(connection: Connection, frame: ClientFrame): void | Promise<void> {
      const hello = parseHello(dataOf(frame))
      if (typeof hello !== 'string') return admission.join(connection, hello, frame.id)
      const error = { code: 'bad_data', message: hello }
      connection.socket.closeWithError(REALTIME_CLOSE_CODE.bad_frame, error, frame.id)
    },
    message(connection: Connection, frame: ClientFrame): void {
      if (frame.type === 'typing') handleTyping(connection, frame)
      else connection.socket.sendError(frame.type === 'hello' ? ALREADY_JOINED : UNKNOWN_TYPE, frame.id)
    },
  }
}
