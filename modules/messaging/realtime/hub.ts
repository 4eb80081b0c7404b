/** The subscriptions of this process to conversations. */
import type { Deps } from '@larder-dev/larder/kernel'
import type { ChangeFeed } from '../services/change-feed.ts'
import type { ReadStateService } from '../services/read-state-service.ts'
import { createHistory } from './history.ts'
import { createReplay, type Replay } from './replay.ts'
import { createRooms } from './rooms.ts'
import { createSweep } from './sweep.ts'
import { createTopicFeeds, type TopicFeeds } from './topic-feeds.ts'
import type { Member } from './types.ts'
import { createTyping } from './typing.ts'

export interface Hub {
  readonly feeds: TopicFeeds
  participates(member: Member, conversationId: string): Promise<boolean>
  stop(): void
}
type HubDeps = Deps<'database' | 'clock' | 'log'> & {
  readonly changeFeed: ChangeFeed
  readonly readStates: ReadStateService
}

export function createHub({ database, clock, log, changeFeed, readStates }: HubDeps): Hub {
  const history = createHistory(database)
  const rooms = createRooms({ history, log, catchUp: (...change) => replay.catchUp(...change) })
  const replay: Replay = createReplay({ history, rooms })
  const sweep = createSweep({ rooms, history, log })
  const feeds = createTopicFeeds({ rooms, replay, readStates, typing: createTyping({ clock }, changeFeed), log })

  let stops: (() => void)[] = []
  /** Runs on the first subscription. A process without any does not listen. */
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

  return {
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
