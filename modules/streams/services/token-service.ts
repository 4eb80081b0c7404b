/** Stream tokens, and authentication with stream tokens and join tokens. */
import { type Deps, decodeCursor, inOrder, newId, Problem, pageLimit, SECOND, toPage } from 'larder/kernel'
import { generateStreamToken, hashStreamToken, isStreamToken } from '../domain/stream-token.ts'
import type { Session, StreamTokens, TokenGrant } from '../ports.ts'
import { cannotChange, isFinished, streamNotFound, tokenNotFound } from '../problems.ts'
import { TOKEN_COLUMNS, type TokenRow, toToken } from './stream-records.ts'
import { rethrowAsStreamError } from './stream-service.ts'

type TokensDeps = Deps<'database' | 'systemDatabase' | 'sessions' | 'clock' | 'bus' | 'jobs'>
const INSERT = `insert into streams_tokens (tenant_id, id, stream_id, token_hash, role, label, expires_at, max_uses, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${TOKEN_COLUMNS}`
const LIST = `select ${TOKEN_COLUMNS} from streams_tokens where stream_id = $1 and ($2::text is null or id < $2)
  order by id desc limit $3`
const BY_HASH = `select ${TOKEN_COLUMNS} from streams_tokens where token_hash = $1 and (expires_at is null or expires_at > $2)`
const COUNT_USE = `update streams_tokens set uses = uses + 1
  where id = $1 and (max_uses is null or uses < max_uses) and (expires_at is null or expires_at > $2)`

export function createTokens(deps: TokensDeps): StreamTokens {
  const { database, sessions, clock, bus, jobs } = deps

  async function getStream(tenantId: string, id: string): Promise<Session> {
    const session = await sessions.get(tenantId, id).catch(rethrowAsStreamError)
    if (session.mode !== 'stream') throw streamNotFound()
    return session
  }

  return {
    async create(tenantId, id, { role, ttl_seconds, max_uses = null, label = null }) {
      const session = await getStream(tenantId, id)
      if (isFinished(session.status)) throw cannotChange(session.status)
      const now = clock.now()
      const token = generateStreamToken()
      const expiresAt = ttl_seconds === undefined ? null : new Date(now + ttl_seconds * SECOND)
      const tokenId = newId('stk', now)
      const row = [tenantId, tokenId, id, hashStreamToken(token), role, label, expiresAt, max_uses, new Date(now)]
      return database.tenant(tenantId).transaction(async unit => {
        const { rows } = await unit.query<TokenRow>(INSERT, row)
        const data = { tenant_id: tenantId, session_id: id, token_id: tokenId }
        if (expiresAt) await jobs.enqueue('streams.expire_token', data, { key: tokenId, at: expiresAt })
        return { ...toToken(rows[0] as TokenRow), token }
      })
    },
    async list(tenantId, id, query) {
      const limit = pageLimit(query)
      const [before = null] = decodeCursor(query.cursor, 1) ?? []
      const [, { rows }] = await inOrder(
        getStream(tenantId, id),
        database.tenant(tenantId).query<TokenRow>(LIST, [id, before, limit + 1]),
      )
      const { data, nextCursor } = toPage(rows, limit, row => [row.id])
      return { data: data.map(toToken), nextCursor }
    },
    revoke: (tenantId, id, tokenId) =>
      database.tenant(tenantId).transaction(async unit => {
        const [, deleted] = await inOrder(
          getStream(tenantId, id),
          unit.query('delete from streams_tokens where id = $1 and stream_id = $2', [tokenId, id]),
        )
        if (deleted.rowCount === 0) throw tokenNotFound()
        await jobs.enqueue('streams.close_revoked', { tenant_id: tenantId, session_id: id }, { key: id })
        database.afterCommit(() =>
          bus.publish('streams.changed', { tenantId, sessionId: id, change: 'token_revoked', tokenId }),
        )
      }),
    async exists(tenantId, tokenId) {
      const statement = 'select 1 from streams_tokens where id = $1'
      return (await database.tenant(tenantId).query(statement, [tokenId])).rowCount === 1
    },
    authenticate: token => (isStreamToken(token) ? byStreamToken(deps, token) : byJoinToken(deps, token)),
    async recordUse({ session, tokenId }) {
      if (tokenId === null) return true
      const unit = database.tenant(session.workspace_id)
      return (await unit.query(COUNT_USE, [tokenId, new Date(clock.now())])).rowCount === 1
    },
  }
}

async function byJoinToken({ sessions }: TokensDeps, token: string): Promise<TokenGrant | undefined> {
  try {
    return { session: await sessions.getByJoinToken(token), kind: 'join', tokenId: null }
  } catch (error) {
    if (Problem.is(error) && error.code === 'invalid_join_token') return undefined
    throw error
  }
}

async function byStreamToken(
  { systemDatabase, sessions, clock }: TokensDeps,
  token: string,
): Promise<TokenGrant | undefined> {
  const unit = systemDatabase.acrossTenants('a stream token identifies its stream before any tenant is known')
  const { rows } = await unit.query<TokenRow>(BY_HASH, [hashStreamToken(token), new Date(clock.now())])
  const [row] = rows
  if (!row) return undefined
  const [session] = await sessions.getManyAcrossTenants([row.stream_id])
  return session && { session, kind: row.role, tokenId: row.id }
}
