/** The port `streamTokens`: what join tokens and stream tokens open. */
import { type Deps, decodeCursor, newId, Problem, pageLimit, SECOND, toPage } from 'larder/kernel'
import { hashToken, isStreamToken, newStreamToken } from '../domain/stream-token.ts'
import type { Pass, Session, StreamTokens } from '../ports.ts'
import { cannotChange, isOver, streamNotFound, tokenNotFound } from '../problems.ts'
import { TOKEN_COLUMNS, type TokenRow, toToken } from './stream-records.ts'
import { renamed } from './stream-service.ts'

type TokensDeps = Deps<'database' | 'sessions' | 'clock' | 'bus' | 'jobs'>
const INSERT = `insert into streams_tokens (tenant_id, id, stream_id, token_hash, role, label, expires_at, max_uses, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${TOKEN_COLUMNS}`
const LIST = `select ${TOKEN_COLUMNS} from streams_tokens where stream_id = $1 and ($2::text is null or id < $2)
  order by id desc limit $3`
const BY_HASH = `select ${TOKEN_COLUMNS} from streams_tokens where token_hash = $1 and (expires_at is null or expires_at > $2)`
const SPEND = `update streams_tokens set uses = uses + 1
  where id = $1 and (max_uses is null or uses < max_uses) and (expires_at is null or expires_at > $2)`

export function createTokens(deps: TokensDeps): StreamTokens {
  const { database, sessions, clock, bus, jobs } = deps

  async function streamOf(tenantId: string, id: string): Promise<Session> {
    const session = await sessions.get(tenantId, id).catch(renamed)
    if (session.mode !== 'stream') throw streamNotFound()
    return session
  }

  return {
    async create(tenantId, id, { role, ttl_seconds, max_uses = null, label = null }) {
      const session = await streamOf(tenantId, id)
      if (isOver(session.status)) throw cannotChange(session.status)
      const now = clock.now()
      const token = newStreamToken()
      const until = ttl_seconds === undefined ? null : new Date(now + ttl_seconds * SECOND)
      const { rows } = await database
        .tenant(tenantId)
        .query<TokenRow>(INSERT, [
          ...[tenantId, newId('stk', now), id, hashToken(token), role, label, until, max_uses, new Date(now)],
        ])
      return { ...toToken(rows[0] as TokenRow), token }
    },
    async list(tenantId, id, query) {
      await streamOf(tenantId, id)
      const limit = pageLimit(query)
      const [before = null] = decodeCursor(query.cursor, 1) ?? []
      const { rows } = await database.tenant(tenantId).query<TokenRow>(LIST, [id, before, limit + 1])
      const { data, nextCursor } = toPage(rows, limit, row => [row.id])
      return { data: data.map(toToken), nextCursor }
    },
    revoke: (tenantId, id, tokenId) =>
      database.tenant(tenantId).transaction(async unit => {
        await streamOf(tenantId, id)
        const gone = await unit.query('delete from streams_tokens where id = $1 and stream_id = $2', [tokenId, id])
        if (gone.rowCount === 0) throw tokenNotFound()
        await jobs.enqueue('streams.kick', { session_id: id }, { key: id })
        database.afterCommit(() =>
          bus.publish('streams.changed', { tenantId, sessionId: id, change: 'token_revoked', tokenId }),
        )
      }),
    async exists(tenantId, tokenId) {
      const found = 'select 1 from streams_tokens where id = $1'
      return (await database.tenant(tenantId).query(found, [tokenId])).rowCount === 1
    },
    passOf: token => (isStreamToken(token) ? streamPass(deps, token) : joinPass(deps, token)),
    async spend({ session, tokenId }) {
      if (tokenId === null) return true
      const unit = database.tenant(session.workspace_id)
      return (await unit.query(SPEND, [tokenId, new Date(clock.now())])).rowCount === 1
    },
  }
}

async function joinPass({ sessions }: TokensDeps, token: string): Promise<Pass | undefined> {
  try {
    return { session: await sessions.getByJoinToken(token), kind: 'join', tokenId: null }
  } catch (error) {
    if (Problem.is(error) && error.code === 'invalid_join_token') return undefined
    throw error
  }
}

async function streamPass({ database, sessions, clock }: TokensDeps, token: string): Promise<Pass | undefined> {
  const unit = database.system('a stream token names its stream, whatever its tenant')
  const { rows } = await unit.query<TokenRow>(BY_HASH, [hashToken(token), new Date(clock.now())])
  const [row] = rows
  if (!row) return undefined
  const [session] = await sessions.getManyAcrossTenants([row.stream_id])
  return session && { session, kind: row.role, tokenId: row.id }
}
