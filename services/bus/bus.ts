import type { Deps, Settings, SystemDatabase, UntypedBus } from '@larder-dev/larder/kernel/internal'
import type { Logger } from 'pino'
import { type ClosableBus, createMemoryBus } from './memory.ts'
import { createPostgresBus } from './postgres.ts'
import { createRedisBus } from './redis.ts'

export type { ClosableBus } from './memory.ts'

interface BusOptions {
  readonly settings: Pick<Settings, 'bus' | 'redisUrl'>
  readonly db: Deps<'postgres'>['postgres']
  readonly systemDatabase: SystemDatabase
  /** Identifies this installation among those that share a Redis server. */
  readonly installation: string
  readonly log: Logger
  /** Milliseconds between two signs of life. */
  readonly signIntervalMs?: number
}

/** Creates the bus that the setting BUS selects. */
export async function createBus({
  settings,
  db,
  systemDatabase,
  installation,
  ...options
}: BusOptions): Promise<ClosableBus> {
  if (settings.bus === 'memory') return createMemoryBus(options.log)
  return settings.bus === 'redis'
    ? createRedisBus({ url: settings.redisUrl as string, installation, ...options })
    : createPostgresBus({ db, systemDatabase, ...options })
}

/** The bus of a process: `open` connects it, in processes that may connect. */
export interface Transport {
  readonly bus: UntypedBus
  open(): Promise<void>
  close(): Promise<void>
}

type TransportDeps = Deps<'settings' | 'postgres' | 'systemDatabase' | 'operator' | 'log' | 'process'>

export function createTransport(deps: TransportDeps): Transport {
  const { settings, postgres, systemDatabase, operator, log, process } = deps
  let bus: ClosableBus | undefined
  let stopWatching = () => {}
  return {
    get bus() {
      bus ??= createMemoryBus(log)
      return bus
    },
    async open() {
      if (!process.connected) return
      const opened = await createBus({ settings, db: postgres, systemDatabase, installation: operator.tenantId, log })
      bus = opened
      // What the commit changed may be visible, and its messages were never published.
      stopWatching = postgres.onUnconfirmedCommit(opened.notifyGap)
    },
    async close() {
      stopWatching()
      await bus?.close()
    },
  }
}
