/** The bus of one process, and what every bus does for the listeners of its own. */
import type { UntypedBus } from 'larder/kernel'
import type { Logger } from 'pino'

export interface ClosableBus extends UntypedBus {
  close(): Promise<void>
}

interface Subscriber {
  readonly onMessage: (message: unknown) => void
  readonly onGap: (() => void) | undefined
}

export interface Subscribers {
  subscribe: UntypedBus['subscribe']
  deliver(channel: string, message: unknown): void
  /** Messages may have been missed. */
  gap(): void
}

/** A subscriber that throws is logged, and the others are told all the same. */
export function createSubscribers(log: Logger): Subscribers {
  const channels = new Map<string, Set<Subscriber>>()
  const told = (channel: string, tell: () => void) => {
    try {
      tell()
    } catch (error) {
      log.error({ err: error, channel }, 'a subscriber of the bus threw')
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
      for (const { onMessage } of [...(channels.get(channel) ?? [])]) told(channel, () => onMessage(message))
    },
    gap() {
      for (const [channel, set] of [...channels]) for (const { onGap } of [...set]) told(channel, () => onGap?.())
    },
  }
}

/** For one process alone: a message is there before `publish` returns. */
export function createMemoryBus(log: Logger): ClosableBus {
  const subscribers = createSubscribers(log)
  return {
    publish: (channel, message) => subscribers.deliver(channel, message),
    subscribe: subscribers.subscribe,
    async close() {},
  }
}
