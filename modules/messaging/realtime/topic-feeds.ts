/** Feeds of the topics: subscriptions follow conversations, and resume from the database. */
import type { Deps, TopicSubscription } from '@larder-dev/larder/kernel'
import type { TopicFeed } from '@larder-dev/larder/kernel/internal'
import { conversationNotFound } from '../services/conversation-queries.ts'
import type { ReadStateService } from '../services/read-state-service.ts'
import type { Followed } from './history.ts'
import type { Replay } from './replay.ts'
import type { Rooms } from './rooms.ts'
import { CATCHING_UP, type Connection, type FeedPosition, type FrameSink, type Member } from './types.ts'
import type { Typing } from './typing.ts'

interface ConversationPosition {
  readonly seq: number
  readonly version: number
}

const PATTERN = /^(\d{1,10})\.(\d{1,10})$/
const MAX_INTEGER = 2_147_483_647

const formatPosition = ({ seq, version }: ConversationPosition): string => `${seq}.${version}`

/** Undefined for a text that isn't a position. */
function parsePosition(text: string | undefined): ConversationPosition | undefined {
  const [, seq, version] = PATTERN.exec(text ?? '') ?? []
  if (seq === undefined || version === undefined) return undefined
  const position = { seq: Number(seq), version: Number(version) }
  return position.seq <= MAX_INTEGER && position.version <= MAX_INTEGER ? position : undefined
}

/**
 * A position above the newest message is of a database that was restored since. From there, the replay would read no message
 * that is posted before it ends.
 */
const earlier = (wanted: ConversationPosition, newest: ConversationPosition): ConversationPosition => ({
  seq: Math.min(wanted.seq, newest.seq),
  version: Math.min(wanted.version, newest.version),
})

export interface TopicFeedsDeps extends Deps<'log'> {
  readonly rooms: Rooms
  readonly replay: Replay
  readonly readStates: ReadStateService
  readonly typing: Typing
}
type Subscription = TopicSubscription<unknown>

export interface TopicFeeds {
  conversation(subscription: TopicSubscription<{ conversationId: string }>): Promise<TopicFeed<unknown>>
  conversations(subscription: Subscription): Promise<TopicFeed<TypingInput>>
}
export interface TypingInput {
  readonly conversationId: string
}

export function createTopicFeeds({ rooms, replay, readStates, typing, log }: TopicFeedsDeps): TopicFeeds {
  async function catchUp(
    connection: Connection,
    subscription: Subscription,
    behind: readonly Followed[],
    { after, areNew }: { after?: FeedPosition; areNew?: boolean } = {},
  ): Promise<void> {
    const member = memberOf(subscription)
    try {
      for (const { id, lastSeq: seq, version } of behind)
        await replay.catchUp(connection, member, id, after ?? { seq, version }, areNew)
    } catch (error) {
      log.warn({ err: error }, 'failed to replay missed changes to a subscription')
      subscription.end('internal')
    }
  }

  async function sendTotals(subscription: Subscription): Promise<void> {
    const { tenantId, userId } = memberOf(subscription)
    subscription.send(JSON.stringify({ type: 'unread', data: await readStates.totals(tenantId, userId) }))
  }

  return {
    async conversation(subscription) {
      const { conversationId } = subscription.params
      const connection = createConnection(createSink(subscription, formatPosition, () => subscription.end('left')))
      const wanted = parsePosition(subscription.after)
      const followed = await rooms.joinOne(connection, memberOf(subscription), conversationId, wanted !== undefined)
      if (!followed) throw conversationNotFound()
      const newest = { seq: followed.lastSeq, version: followed.version }
      const after = wanted && earlier(wanted, newest)
      const isBehind = connection.versions.get(conversationId) === CATCHING_UP
      if (isBehind) void catchUp(connection, subscription, [followed], after && { after })
      const position = after ?? newest
      return {
        resumed: after !== undefined,
        position: formatPosition(position),
        receive: () => typing(connection, conversationId),
        close: () => rooms.leave(connection),
      }
    },

    async conversations(subscription) {
      // Positions of single conversations don't reveal which changes of other conversations the client has received.
      const connection = createConnection(createSink(subscription, () => undefined))
      const member = memberOf(subscription)
      const close = () => rooms.leave(connection)
      try {
        const behind = await rooms.join(connection, member, () => false)
        // Read after the join, so that no message is missing from both.
        await sendTotals(subscription)
        void catchUp(connection, subscription, behind)
      } catch (error) {
        close()
        throw error
      }
      return {
        resumed: false,
        refresh: async () => {
          const missed = await rooms.join(connection, memberOf(subscription), () => true)
          await catchUp(connection, subscription, missed, { areNew: true })
          await sendTotals(subscription)
        },
        receive: ({ conversationId }) => typing(connection, conversationId),
        close,
      }
    },
  }
}

/** The topics admit members only. */
function memberOf({ subscriber: { member } }: Subscription): Member {
  if (!member) throw conversationNotFound()
  return member
}

const createConnection = (sink: FrameSink): Connection => ({
  sink,
  versions: new Map(),
  lastTyping: { conversationId: '', at: 0 },
})

function createSink(
  subscription: Subscription,
  format: (position: FeedPosition) => string | undefined,
  left?: () => void,
): FrameSink {
  return {
    get closed() {
      return subscription.closed
    },
    get member() {
      return subscription.subscriber.member
    },
    send: (frame, position) => subscription.send(frame, position && format(position)),
    sendPaced: (frame, position) => subscription.sendPaced(frame, position && format(position)),
    ...(left && { left }),
  }
}
