/** The in-memory bus, and the local subscribers that every bus has. */
import type { UntypedBus } from '@larder-dev/larder/kernel/internal'
import type { Logger } from 'pino'

export interface ClosableBus extends UntypedBus {
  /** Tells all subscribers, those of other processes included, that messages may be missing. */
  notifyGap(): void
  close(): Promise<void>
}

interface Subscriber {
  readonly onMessage: (message: unknown) => void
  readonly onGap: (() => void) | undefined
}

export interface Subscribers {
  subscribe: UntypedBus['subscribe']
  deliver(channel: string, message: unknown): void
  /** Calls `onGap` of every subscriber: messages may have been missed. */
  notifyGap(): void
}

/** Errors of a subscriber are logged and do not affect the others. */
export function createSubscribers(log: Logger): Subscribers {
  const channels = new Map<string, Set<Subscriber>>()
  const notifySafely = (channel: string, notify: () => void) => {
    try {
      notify()
    } catch (error) {
      log.error({ err: error, channel }, 'a bus subscriber failed')
    }
  }
  return {
    subscribe(channel, onMessage, onGap) {
      const subscriber = { onMessage, onGap }
      const set = channels.get(channel) ?? new Set()
      channels.set(channel, set.add(subscriber))
      return () => {
        set.delete(subscriber)
        if (set.size === 0 && channels.get(channel) === set) channels.delete(channel)
      }
    },
    deliver(channel, message) {
      for (const { onMessage } of [...(channels.get(channel) ?? [])]) notifySafely(channel, () => onMessage(message))
    },
    notifyGap() {
      for (const [channel, set] of [...channels])
        for (const { onGap } of [...set]) notifySafely(channel, () => onGap?.())
    },
  }
}

/** Serves a single process: delivers a message before `publish` returns. */
export function createMemoryBus(log: Logger): ClosableBus {
  const subscribers = createSubscribers(log)
  return {
    publish: (channel, message) => subscribers.deliver(channel, message),
    subscribe: subscribers.subscribe,
    notifyGap: subscribers.notifyGap,
    async close() {},
  }
}
