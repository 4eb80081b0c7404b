/** Writes down what the clock has ended: each session once, however many workers sweep. */
import type { Deps } from 'larder/kernel'
import { COLUMNS, type Row, toSession } from './session-records.ts'
import { createTeller } from './session-transitions.ts'

const BATCH = 500
/** What is due is an array, and so looked for and locked once, whatever the planner knows of the table. */
const EXPIRE = `update sessions_sessions set status = 'expired', sequence = sequence + 1
  where id = any (array(select id from sessions_sessions where status = 'created' and expires_at <= $1
    order by expires_at limit ${BATCH} for update skip locked)) and status = 'created' returning ${COLUMNS}`
const FINISH = `update sessions_sessions
  set status = 'ended', ended_at = ends_at, end_reason = 'max_duration', sequence = sequence + 1
  where id = any (array(select id from sessions_sessions where status = 'accepted' and ends_at <= $1
    order by ends_at limit ${BATCH} for update skip locked)) and status = 'accepted' returning ${COLUMNS}`

export function createSweeper(deps: Deps<'database' | 'events' | 'clock' | 'bus'>) {
  const { database, clock } = deps
  const teller = createTeller(deps)
  const sweepOnce = (statement: string, told: 'expired' | 'ended'): Promise<number> =>
    database.system('sessions of every tenant age').transaction(async unit => {
      const now = clock.now()
      const { rows } = await unit.query<Row>(statement, [new Date(now)])
      await teller.moved(
        unit,
        rows.map(row => toSession(row, now)),
        told,
      )
      return rows.length
    })

  return async (signal?: AbortSignal): Promise<void> => {
    for (const [statement, told] of [
      [EXPIRE, 'expired'],
      [FINISH, 'ended'],
    ] as const)
      while (!signal?.aborted && (await sweepOnce(statement, told)) === BATCH);
  }
}
