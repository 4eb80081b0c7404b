/** Stores due expiries and ends. Concurrent sweepers process each session once. */
import type { Deps } from '@larder-dev/larder/kernel'
import { sessionTable } from '../records.ts'
import { toSession } from './session-records.ts'
import { createChangePublisher } from './session-transitions.ts'

const BATCH = 500
/** The due ids are an array, so that PostgreSQL selects and locks them once, whatever plan it chooses. */
const EXPIRE = `update sessions_sessions set status = 'expired', sequence = sequence + 1
  where id = any (array(select id from sessions_sessions where status = 'created' and expires_at <= $1
    order by expires_at limit ${BATCH} for update skip locked)) and status = 'created' returning ${sessionTable.columns()}`
const END = `update sessions_sessions
  set status = 'ended', ended_at = ends_at, end_reason = 'max_duration', sequence = sequence + 1
  where id = any (array(select id from sessions_sessions where status = 'accepted' and ends_at <= $1
    order by ends_at limit ${BATCH} for update skip locked)) and status = 'accepted' returning ${sessionTable.columns()}`

export function createSweeper(deps: Deps<'database' | 'systemDatabase' | 'events' | 'clock' | 'bus'>) {
  const { systemDatabase, clock } = deps
  const changes = createChangePublisher(deps)
  const sweepOnce = (statement: string, change: 'expired' | 'ended'): Promise<number> =>
    systemDatabase.acrossTenants('due sessions of every tenant expire or end').transaction(async unit => {
      const now = clock.now()
      const stored = await sessionTable.query(unit, statement, [new Date(now)])
      const sessions = stored.map(session => toSession(session, now))
      await changes.statusChanged(unit, sessions, change)
      return sessions.length
    })

  return async (signal?: AbortSignal): Promise<void> => {
    for (const [statement, change] of [
      [EXPIRE, 'expired'],
      [END, 'ended'],
    ] as const)
      while (!signal?.aborted && (await sweepOnce(statement, change)) === BATCH);
  }
}
