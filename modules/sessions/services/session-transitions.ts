/** Status transitions. Each is one conditional update and its event, in one transaction. */
import type { Deps, Events, Unit } from '@larder-dev/larder/kernel'
import { generateJoinToken, hashJoinToken } from '../domain/join-token.ts'
import { isFinished } from '../domain/lifecycle.ts'
import { maxDurationMs, type SessionsOptions } from '../options.ts'
import type { Session, Sessions } from '../ports.ts'
import { conflicts, problems, stateProblems } from '../problems.ts'
import { sessionTable } from '../records.ts'
import { toEventPayload, toSession } from './session-records.ts'

type TransitionDeps = Deps<'database' | 'events' | 'clock' | 'bus'>
/** Neither ended nor expired at `$2`. */
const IS_LIVE = `((status = 'created' and expires_at > $2)
  or (status = 'accepted' and (ends_at is null or ends_at > $2)))`
const RETURNING = `returning ${sessionTable.columns()}`
const ACCEPT = `update sessions_sessions set status = 'accepted', accepted_at = $2, ends_at = $3, sequence = sequence + 1
  where id = $1 and status = 'created' and expires_at > $2 ${RETURNING}`
const END = `update sessions_sessions set status = 'ended', ended_at = $2, end_reason = 'owner', sequence = sequence + 1
  where id = $1 and ${IS_LIVE} ${RETURNING}`
const ROTATE_TOKEN = `update sessions_sessions set join_token_hash = $3 where id = $1 and ${IS_LIVE} ${RETURNING}`

type StatusChange = 'accepted' | 'ended' | 'expired'

/** Publishes events in the surrounding unit and, after its commit, messages on the bus. */
export function createChangePublisher({ database, events, bus }: TransitionDeps) {
  const notifyAfterCommit = (sessions: readonly Session[], change: StatusChange | 'token_rotated') =>
    database.afterCommit(() => {
      for (const { id, workspace_id } of sessions)
        bus.publish('sessions.changed', { tenantId: workspace_id, sessionId: id, change })
    })
  return {
    async statusChanged(unit: Unit, sessions: readonly Session[], change: StatusChange): Promise<void> {
      if (sessions.length === 0) return
      const type = `sessions.session.${change}` as const satisfies keyof Events
      const published = sessions.map(session => ({
        tenantId: session.workspace_id,
        subject: session.id,
        payload: toEventPayload(session),
      }))
      await unit.query(...events.publishStep(type, ...published))
      notifyAfterCommit(sessions, change)
    },
    async tokenRotated(session: Session): Promise<void> {
      const { id, workspace_id: tenantId } = session
      await events.publish('sessions.session.token_rotated', { tenantId, subject: id, payload: { session_id: id } })
      notifyAfterCommit([session], 'token_rotated')
    },
  }
}

export interface SessionTransitions {
  /** Idempotent: a second call publishes no event. Throws `not_found`, `invalid_state`. */
  accept(tenantId: string, id: string): Promise<Session>
  /** The token replaces the credential of a caller. Throws `invalid_join_token`, `token_session_mismatch`, `invalid_state`. */
  acceptByToken(id: string, token: string): Promise<Session>
  /** Idempotent: a second call publishes no event. Throws `not_found`, `invalid_state`. */
  end(tenantId: string, id: string): Promise<Session>
  /** Invalidates the previous token at once. Throws `not_found`, `invalid_state`. */
  rotateToken(tenantId: string, id: string): Promise<{ readonly id: string; readonly join_token: string }>
}

type ServiceDeps = TransitionDeps & Deps<'systemDatabase'> & { readonly sessions: Pick<Sessions, 'getByJoinToken'> }

export function createTransitions(deps: ServiceDeps, options: SessionsOptions): SessionTransitions {
  const { database, systemDatabase, clock, sessions } = deps
  const changes = createChangePublisher(deps)
  const maxDuration = maxDurationMs(options)

  /** Runs an update of one session. Undefined unless it applies. */
  const change = async (unit: Unit, text: string, values: readonly unknown[], now: number) => {
    const [stored] = await sessionTable.query(unit, text, values)
    return stored && toSession(stored, now)
  }
  const read = async (unit: Unit, id: string): Promise<Session> =>
    toSession(await sessionTable.get(unit, { id }), clock.now())

  const acceptIn = (unit: Unit, id: string): Promise<Session> =>
    unit.transaction(async inside => {
      const now = clock.now()
      const endsAt = maxDuration === undefined ? null : new Date(now + maxDuration)
      const session = await change(inside, ACCEPT, [id, new Date(now), endsAt], now)
      if (!session) return assertUnchanged(await read(inside, id), 'accepted')
      await changes.statusChanged(inside, [session], 'accepted')
      return session
    })

  const accept: SessionTransitions['accept'] = (tenantId, id) => acceptIn(database.tenant(tenantId), id)

  async function acceptByToken(id: string, token: string): Promise<Session> {
    const session = await sessions.getByJoinToken(token)
    if (session.id !== id) throw problems.token_session_mismatch()
    const unit = systemDatabase.acrossTenants('a join token accepts its session without an authenticated caller')
    return acceptIn(unit, id)
  }

  const end: SessionTransitions['end'] = (tenantId, id) =>
    database.tenant(tenantId).transaction(async inside => {
      const now = clock.now()
      const session = await change(inside, END, [id, new Date(now)], now)
      if (!session) return assertUnchanged(await read(inside, id), 'ended')
      await changes.statusChanged(inside, [session], 'ended')
      return session
    })

  const rotateToken: SessionTransitions['rotateToken'] = (tenantId, id) =>
    database.tenant(tenantId).transaction(async inside => {
      const now = clock.now()
      const joinToken = generateJoinToken()
      const session = await change(inside, ROTATE_TOKEN, [id, new Date(now), hashJoinToken(joinToken)], now)
      if (!session) {
        // Throws `not_found` if there is no such session.
        await read(inside, id)
        throw stateProblems.token()
      }
      await changes.tokenRotated(session)
      return { id, join_token: joinToken }
    })

  return { accept, acceptByToken, end, rotateToken }
}

/** No row was updated. A session that already has the wanted status is returned without a second event. */
function assertUnchanged(session: Session, wanted: 'accepted' | 'ended'): Session {
  if (session.status === wanted) return session
  if (isFinished(session.status)) throw stateProblems[wanted]()
  // The clock stepped back between the update and the read.
  throw conflicts.changed()
}
