import type { Logger } from 'pino'
import type { OpenDatabase } from '../database/open.ts'
import type { Settings } from '../settings.ts'
import { type ClosableBus, createMemoryBus } from './memory.ts'
import { createPostgresBus } from './postgres.ts'

export type { ClosableBus } from './memory.ts'

interface BusOptions {
  readonly backend: Settings['bus']
  readonly db: OpenDatabase
  readonly log: Logger
}

/** The bus that BUS names. */
export async function createBus({ backend, db, log }: BusOptions): Promise<ClosableBus> {
  return backend === 'memory' ? createMemoryBus(log) : createPostgresBus(db, log)
}
