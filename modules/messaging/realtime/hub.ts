/** Assembles the realtime socket of this process. */
import type { Deps, RealtimeSocket } from 'larder/kernel'
import type { MessagingRealtime } from '../ports.ts'
import { createAdmission } from './admission.ts'
import { createHistory } from './history.ts'
import { FRAME_RATE, MAX_BUFFER_BYTES, MAX_FRAME_BYTES } from './limits.ts'
import { createMessageHandlers } from './message-handlers.ts'
import { createReplay, type Replay } from './replay.ts'
import { createRooms } from './rooms.ts'
import { createSweep } from './sweep.ts'
import { createTopicFeeds } from './topic-feeds.ts'
import type { SocketConnection } from './types.ts'
import { createTyping } from './typing.ts'

type HubDeps = Deps<'database' | 'clock' | 'log' | 'messaging' | 'realtime'>

export function createHub({ database, clock, log, messaging, realtime }: HubDeps): MessagingRealtime {
  const { changeFeed, readStates } = messaging
  const history = createHistory(database)
  const rooms = createRooms({ history, log, catchUp: (...change) => replay.catchUp(...change) })
  const replay: Replay = createReplay({ history, rooms })
  const admission = createAdmission({ rooms, replay, readStates, log })
  const sweep = createSweep({ rooms, history, log })
  const typing = createTyping({ clock }, changeFeed)
  const feeds = createTopicFeeds({ rooms, replay, readStates, typing, log })

  let stops: (() => void)[] = []
  /** Runs on the first socket or subscription. A process without any does not listen. */
  function start(): void {
    if (stops.length > 0) return
    stops = [
      changeFeed.listen(
        change => (change.kind === 'change' ? rooms.handleChange(change) : rooms.sendTransient(change)),
        sweep.now,
      ),
      sweep.start(),
    ]
  }

  const { endpoint } = realtime.createServer<SocketConnection>({
    ...{ maxFrameBytes: MAX_FRAME_BYTES, maxBufferBytes: MAX_BUFFER_BYTES, frameRate: FRAME_RATE },
    permission: 'messaging.conversation.read',
    open(socket) {
      start()
      return createConnection(socket)
    },
    ...createMessageHandlers({ admission, typing }),
    verified: admission.refresh,
    closed: rooms.leave,
  })

  return {
    endpoint,
    participates: async (member, conversationId) => (await history.followed(member, conversationId)).length > 0,
    feeds: {
      conversation(subscription) {
        start()
        return feeds.conversation(subscription)
      },
      conversations(subscription) {
        start()
        return feeds.conversations(subscription)
      },
    },
    stop() {
      for (const stop of stops) stop()
      changeFeed.stop()
    },
  }
}

const createConnection = (socket: RealtimeSocket): SocketConnection => ({
  socket,
  versions: new Map(),
  lastTyping: { conversationId: '', at: 0 },
})
