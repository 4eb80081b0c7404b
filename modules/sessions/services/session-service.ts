/** The port `sessions`. */
import { common, type Deps, decodeCursor, pageLimit, toPage, type Unit } from 'larder/kernel'
import { readCode } from '../domain/code.ts'
import { statusAt } from '../domain/lifecycle.ts'
import { hashToken } from '../domain/join-token.ts'
import { createSessionMaker } from './session-creation.ts'
import type { SessionsOptions } from '../options.ts'
import type { Session, SessionFilter, Sessions } from '../ports.ts'
import { problems } from '../problems.ts'
import { COLUMNS, noticeOf, type Row, toSession } from './session-records.ts'
import { createTransitions } from './session-transitions.ts'

type ServiceDeps = Deps<'database' | 'events' | 'clock' | 'bus', 'webhookTargets'>
const BY_ID = `select ${COLUMNS} from sessions_sessions where id = $1`
const BY_IDS = `select ${COLUMNS} from sessions_sessions where id = any($1)`
const BY_TOKEN = `select ${COLUMNS} from sessions_sessions where join_token_hash = $1`

export function createSessions(deps: ServiceDeps, options: SessionsOptions): Sessions {
  const { database, clock } = deps
  const { accept, end, rotateToken } = createTransitions(deps, options)

  async function byJoinToken(token: string): Promise<Session> {
    const unit = database.system('a join token names its session, whatever its tenant')
    const { rows } = await unit.query<Row>(BY_TOKEN, [hashToken(token)])
    if (!rows[0]) throw problems.invalid_join_token()
    return toSession(rows[0], clock.now())
  }

  async function byIds(unit: Unit, ids: readonly string[]): Promise<Session[]> {
    const { rows } = await unit.query<Row>(BY_IDS, [ids])
    return rows.map(row => toSession(row, clock.now()))
  }

  return {
    create: createSessionMaker(deps, options),
    byJoinToken,
    async get(tenantId, id) {
      const { rows } = await database.tenant(tenantId).query<Row>(BY_ID, [id])
      if (!rows[0]) throw common.not_found({ what: 'session' })
      return toSession(rows[0], clock.now())
    },
    list: (tenantId, filter) => listSessions(deps, tenantId, filter),
    many: (tenantId, ids) => byIds(database.tenant(tenantId), ids),
    across: ids => byIds(database.system('a directory shows public sessions of every tenant'), ids),
    accept: (tenantId, id) => accept(database.tenant(tenantId), id),
    async acceptByToken(id, token) {
      const session = await byJoinToken(token)
      if (session.id !== id) throw problems.token_session_mismatch()
      return accept(database.system('a join token accepts its session, whoever brings it'), id)
    },
    end: (tenantId, id) => end(database.tenant(tenantId), id),
    rotateToken: (tenantId, id) => rotateToken(database.tenant(tenantId), id),
    async nextNotice(tenantId, id) {
      const { rows } = await database
        .tenant(tenantId)
        .query<Row>(`update sessions_sessions set sequence = sequence + 1 where id = $1 returning ${COLUMNS}`, [id])
      if (!rows[0]) throw common.not_found({ what: 'session' })
      return noticeOf(toSession(rows[0], clock.now()))
    },
  }
}

/** Ids sort by the time of creation. */
async function listSessions(
  { database, clock }: Pick<ServiceDeps, 'database' | 'clock'>,
  tenantId: string,
  filter: SessionFilter,
) {
  const limit = pageLimit(filter)
  const [before = null] = decodeCursor(filter.cursor, 1) ?? []
  const now = clock.now()
  const { status = null, mode = null, customer = null, code } = filter
  const { rows } = await database.tenant(tenantId).query<Row>(
    `select ${COLUMNS} from sessions_sessions
     where tenant_id = $1 and ($2::text is null or id < $2) and ($3::text is null or ${statusAt('$7')} = $3)
       and ($4::text is null or mode = $4) and ($5::text is null or customer = $5) and ($6::text is null or code = $6)
     order by id desc limit $8`,
    [
      tenantId,
      before,
      status,
      mode,
      customer,
      code === undefined ? null : (readCode(code) ?? code),
      new Date(now),
      limit + 1,
    ],
  )
  const { data, nextCursor } = toPage(rows, limit, row => [row.id])
  return { data: data.map(row => toSession(row, now)), nextCursor }
}
