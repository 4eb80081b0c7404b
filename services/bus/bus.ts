import type { Settings } from 'larder/kernel'
import type { Logger } from 'pino'
import type { OpenDatabase } from '../postgres/open.ts'
import { type ClosableBus, createMemoryBus } from './memory.ts'
import { createPostgresBus } from './postgres.ts'
import { createRedisBus } from './redis.ts'

export type { ClosableBus } from './memory.ts'

interface BusOptions {
  readonly settings: Pick<Settings, 'bus' | 'redisUrl'>
  readonly db: OpenDatabase
  /** Identifies this installation among those that share a Redis server. */
  readonly scope: string
  readonly log: Logger
}

/** Creates the bus that the setting BUS selects. */
export async function createBus({ settings, db, scope, log }: BusOptions): Promise<ClosableBus> {
  if (settings.bus === 'memory') return createMemoryBus(log)
  return settings.bus === 'redis'
    ? createRedisBus({ url: settings.redisUrl as string, scope, log })
    : createPostgresBus(db, log)
}
