import { common, type Deps, decodeCursor, pageLimit, toPage, type Unit } from 'larder/kernel'
import { parseCode } from '../domain/code.ts'
import { hashJoinToken } from '../domain/join-token.ts'
import { statusAtSql } from '../domain/lifecycle.ts'
import type { SessionsOptions } from '../options.ts'
import type { Session, SessionFilter, Sessions } from '../ports.ts'
import { problems } from '../problems.ts'
import { createSessionCreation } from './session-creation.ts'
import { COLUMNS, type SessionRow, toEventPayload, toSession } from './session-records.ts'
import { createTransitions } from './session-transitions.ts'

type ServiceDeps = Deps<'database' | 'systemDatabase' | 'events' | 'clock' | 'bus', 'webhookTargets'>
const BY_ID = `select ${COLUMNS} from sessions_sessions where id = $1`
const BY_IDS = `select ${COLUMNS} from sessions_sessions where id = any($1)`
const BY_TOKEN = `select ${COLUMNS} from sessions_sessions where join_token_hash = $1`
const TOKEN_HASH = 'select join_token_hash as hash from sessions_sessions where id = $1'

export function createSessions(deps: ServiceDeps, options: SessionsOptions): Sessions {
  const { database, systemDatabase, clock } = deps
  const { accept, end, rotateToken } = createTransitions(deps, options)

  async function getByJoinToken(token: string): Promise<Session> {
    const unit = systemDatabase.acrossTenants('a join token identifies its session before any tenant is known')
    const { rows } = await unit.query<SessionRow>(BY_TOKEN, [hashJoinToken(token)])
    if (!rows[0]) throw problems.invalid_join_token()
    return toSession(rows[0], clock.now())
  }

  async function getByIds(unit: Unit, ids: readonly string[]): Promise<Session[]> {
    const { rows } = await unit.query<SessionRow>(BY_IDS, [ids])
    return rows.map(row => toSession(row, clock.now()))
  }

  return {
    create: createSessionCreation(deps, options),
    getByJoinToken,
    async joinTokenHash(tenantId, id) {
      const { rows } = await database.tenant(tenantId).query<{ hash: Buffer }>(TOKEN_HASH, [id])
      return rows[0]?.hash
    },
    async get(tenantId, id) {
      const { rows } = await database.tenant(tenantId).query<SessionRow>(BY_ID, [id])
      if (!rows[0]) throw common.not_found({ what: 'session' })
      return toSession(rows[0], clock.now())
    },
    list: (tenantId, filter) => listSessions(deps, tenantId, filter),
    getMany: (tenantId, ids) => getByIds(database.tenant(tenantId), ids),
    getManyAcrossTenants: ids =>
      getByIds(systemDatabase.acrossTenants('the directory lists public sessions of every tenant'), ids),
    accept: (tenantId, id) => accept(database.tenant(tenantId), id),
    async acceptByToken(id, token) {
      const session = await getByJoinToken(token)
      if (session.id !== id) throw problems.token_session_mismatch()
      return accept(
        systemDatabase.acrossTenants('a join token accepts its session without an authenticated caller'),
        id,
      )
    },
    end: (tenantId, id) => end(database.tenant(tenantId), id),
    rotateToken: (tenantId, id) => rotateToken(database.tenant(tenantId), id),
    async nextEventPayload(tenantId, id) {
      const { rows } = await database
        .tenant(tenantId)
        .query<SessionRow>(`update sessions_sessions set sequence = sequence + 1 where id = $1 returning ${COLUMNS}`, [
          id,
        ])
      if (!rows[0]) throw common.not_found({ what: 'session' })
      return toEventPayload(toSession(rows[0], clock.now()))
    },
  }
}

/** Pages by id: ids are UUIDv7 and sort by time of creation. */
async function listSessions(
  { database, clock }: Pick<ServiceDeps, 'database' | 'clock'>,
  tenantId: string,
  filter: SessionFilter,
) {
  const limit = pageLimit(filter)
  const [before = null] = decodeCursor(filter.cursor, 1) ?? []
  const now = clock.now()
  const { status = null, mode = null, customer = null, code } = filter
  const { rows } = await database.tenant(tenantId).query<SessionRow>(
    `select ${COLUMNS} from sessions_sessions
     where tenant_id = $1 and ($2::text is null or id < $2) and ($3::text is null or ${statusAtSql('$7')} = $3)
       and ($4::text is null or mode = $4) and ($5::text is null or customer = $5) and ($6::text is null or code = $6)
     order by id desc limit $8`,
    [
      tenantId,
      before,
      status,
      mode,
      customer,
      code === undefined ? null : (parseCode(code) ?? code),
      new Date(now),
      limit + 1,
    ],
  )
  const { data, nextCursor } = toPage(rows, limit, row => [row.id])
  return { data: data.map(row => toSession(row, now)), nextCursor }
}
