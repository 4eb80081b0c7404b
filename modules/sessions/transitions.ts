/** Steps from one status to the next: each ONE conditional update and its event, in one transaction. */
import { common, type Deps, type Events, type Unit } from 'larder/kernel'
import { isOver } from './core/life.ts'
import { hashToken, newJoinToken } from './core/token.ts'
import { maxDuration, type SessionsOptions } from './options.ts'
import type { CreatedToken, Session, SessionChanged } from './ports.ts'
import { cannot } from './problems.ts'
import { COLUMNS, noticeOf, type Row, toSession } from './rows.ts'

type StepDeps = Deps<'database' | 'events' | 'clock' | 'bus'>
type Told = 'accepted' | 'ended' | 'expired'

/** Tells everybody what became of these sessions, in the surrounding unit and, once that stands, over the bus. */
export function createTeller({ database, events, bus }: StepDeps) {
  const after = (sessions: readonly Session[], change: Told | 'token_rotated') =>
    database.afterCommit(() => {
      events.wakeWorkers()
      for (const { id, workspace_id } of sessions)
        bus.publish('sessions.changed', { tenantId: workspace_id, sessionId: id, change } satisfies SessionChanged)
    })
  return {
    async moved(unit: Unit, sessions: readonly Session[], told: Told): Promise<void> {
      if (sessions.length === 0) return
      const type = `sessions.session.${told}` as const satisfies keyof Events
      await unit.batch(
        sessions.map(session =>
          events.step(type, { tenantId: session.workspace_id, subject: session.id, payload: noticeOf(session) }),
        ),
      )
      after(sessions, told)
    },
    async rotated(unit: Unit, session: Session): Promise<void> {
      const payload = { session_id: session.id }
      await unit.batch([
        events.step('sessions.session.token_rotated', { tenantId: session.workspace_id, subject: session.id, payload }),
      ])
      after([session], 'token_rotated')
    },
  }
}

export function createTransitions(deps: StepDeps, options: SessionsOptions) {
  const { clock } = deps
  const teller = createTeller(deps)
  const longest = maxDuration(options)

  const read = async (unit: Unit, id: string): Promise<Session> => {
    const { rows } = await unit.query<Row>(`select ${COLUMNS} from sessions_sessions where id = $1`, [id])
    if (!rows[0]) throw common.not_found({ what: 'session' })
    return toSession(rows[0], clock.now())
  }

  const accept = (unit: Unit, id: string): Promise<Session> =>
    unit.transaction(async inside => {
      const now = clock.now()
      const { rows } = await inside.query<Row>(
        `update sessions_sessions
         set status = 'accepted', accepted_at = $2, ends_at = $3, sequence = sequence + 1
         where id = $1 and status = 'created' and expires_at > $2 returning ${COLUMNS}`,
        [id, new Date(now), longest === undefined ? null : new Date(now + longest)],
      )
      if (!rows[0]) return settled(await read(inside, id), 'accepted')
      const session = toSession(rows[0], now)
      await teller.moved(inside, [session], 'accepted')
      return session
    })

  const end = (unit: Unit, id: string): Promise<Session> =>
    unit.transaction(async inside => {
      const now = clock.now()
      const { rows } = await inside.query<Row>(
        `update sessions_sessions
         set status = 'ended', ended_at = $2, end_reason = 'owner', sequence = sequence + 1
         where id = $1 and ((status = 'created' and expires_at > $2)
           or (status = 'accepted' and (ends_at is null or ends_at > $2))) returning ${COLUMNS}`,
        [id, new Date(now)],
      )
      if (!rows[0]) return settled(await read(inside, id), 'ended')
      const session = toSession(rows[0], now)
      await teller.moved(inside, [session], 'ended')
      return session
    })

  const rotateToken = (unit: Unit, id: string): Promise<CreatedToken> =>
    unit.transaction(async inside => {
      const now = clock.now()
      const joinToken = newJoinToken()
      const { rows } = await inside.query<Row>(
        `update sessions_sessions set join_token_hash = $3
         where id = $1 and ((status = 'created' and expires_at > $2)
           or (status = 'accepted' and (ends_at is null or ends_at > $2))) returning ${COLUMNS}`,
        [id, new Date(now), hashToken(joinToken)],
      )
      if (!rows[0]) throw cannot('given a new token', (await read(inside, id)).status)
      await teller.rotated(inside, toSession(rows[0], now))
      return { id, join_token: joinToken }
    })

  return { accept, end, rotateToken }
}

/** Somebody was faster, or asks again: the same answer, and no second event. */
function settled(session: Session, wanted: 'accepted' | 'ended'): Session {
  if (session.status === wanted) return session
  if (isOver(session.status)) throw cannot(wanted, session.status)
  // The clock stepped back between the update and this look.
  throw common.conflict({ reason: 'The session changed at the same moment. Try again.' })
}
