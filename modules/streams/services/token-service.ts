/** Stream tokens, and authentication with stream tokens and join tokens. */

import {
  common,
  type Deps,
  HOUR,
  isSuspendedSql,
  newId,
  type PageOf,
  Problem,
  SECOND,
  together,
} from '@larder-dev/larder/kernel'
import { generateStreamToken, hashStreamToken, isStreamToken } from '../domain/stream-token.ts'
import { CHAT_TOPIC } from '../domain/values.ts'
import { createVisitorToken, isVisitorToken, verifyVisitorToken } from '../domain/visitor-token.ts'
import type { Session } from '../ports.ts'
import { isFinished, stateProblems, streamNotFound } from '../problems.ts'
import { type NewToken, type Token, tokenTable } from '../records/token.ts'
import { rethrowAsStreamError } from './stream-service.ts'

/** Returns `tenant_suspended`, for those who answer without a throw. Rethrows other errors. */
export function suspensionOf(error: unknown): Problem {
  if (Problem.is(error) && error.code === common.tenant_suspended.code) return error
  throw error
}

type TokensDeps = Deps<'database' | 'systemDatabase' | 'sessions' | 'clock' | 'bus' | 'jobs' | 'secrets' | 'topics'>
const HAS_CONNECTION = `(exists (select from streams_peers p
    where p.session_id = streams_tokens.stream_id and p.token_id = streams_tokens.id)
  or exists (select from streams_edge_connections c
    where c.stream_id = streams_tokens.stream_id and c.token_id = streams_tokens.id and c.counted))`
const BY_HASH = `select ${tokenTable.columns()}, ${isSuspendedSql('streams_tokens.tenant_id')} as suspended,
    coalesce(uses >= max_uses, false) and not ${HAS_CONNECTION} as "isUsedUp" from streams_tokens
  where token_hash = $1 and (expires_at is null or expires_at > $2)`
const PUBLIC_STREAM = `select ${isSuspendedSql('s.tenant_id')} as suspended from streams_streams s
  where id = $1 and visibility = 'public'`
/** Longer than most broadcasts. */
const VISITOR_TOKEN_MS = 12 * HOUR
const COUNT_USE = `update streams_tokens set uses = uses + 1
  where id = $1 and (max_uses is null or uses < max_uses) and (expires_at is null or expires_at > $2)`

/** The session and role that a token grants. */
export interface TokenGrant {
  readonly session: Session
  /** `join` for the join token of the session, whose holder selects a role. */
  readonly kind: 'join' | Token['role']
  /** Null for a join token, and for the token of a visitor of a public stream. */
  readonly tokenId: string | null
  /**
   * Whether the token has no uses left and none of the connections that it opened lasts. Whoever connected with it keeps
   * what the token grants; it grants nothing to others.
   */
  readonly isUsedUp: boolean
}
export type StreamTokens = ReturnType<typeof createTokens>

export function createTokens(deps: TokensDeps) {
  const { database, sessions, clock, bus, jobs, topics } = deps

  async function getStream(tenantId: string, id: string): Promise<Session> {
    const session = await sessions.get(tenantId, id).catch(rethrowAsStreamError)
    if (session.mode !== 'stream') throw streamNotFound()
    return session
  }

  return {
    /** `token` is returned only here. Throws `not_found`, `invalid_state`. */
    async create(tenantId: string, id: string, input: NewToken): Promise<Token & { readonly token: string }> {
      const { ttl_seconds, ...given } = input
      const session = await getStream(tenantId, id)
      if (isFinished(session.status)) throw stateProblems.finished()
      const now = clock.now()
      const token = generateStreamToken()
      const expiresAt = ttl_seconds === undefined ? null : new Date(now + ttl_seconds * SECOND)
      const tokenId = newId('stk', now)
      const values = {
        ...given,
        id: tokenId,
        tenant_id: tenantId,
        stream_id: id,
        token_hash: hashStreamToken(token),
        expires_at: expiresAt?.toISOString() ?? null,
        created_at: new Date(now).toISOString(),
      }
      return database.tenant(tenantId).transaction(async unit => {
        const stored = await tokenTable.insert(unit, values)
        const data = { tenant_id: tenantId, session_id: id, token_id: tokenId }
        if (expiresAt) await jobs.enqueue('streams.expire_token', data, { key: tokenId, at: expiresAt })
        return { ...stored, token }
      })
    },
    async list(
      tenantId: string,
      id: string,
      { limit, cursor }: { limit?: number; cursor?: string },
    ): Promise<PageOf<Token>> {
      const page = tokenTable.page(database.tenant(tenantId), { limit, cursor, where: { stream_id: id } })
      const { tokens } = await together({ stream: getStream(tenantId, id), tokens: page })
      return tokens
    },
    /** Closes the sockets and connections opened with the token. Throws `not_found`. */
    revoke: (tenantId: string, id: string, tokenId: string): Promise<void> =>
      database.tenant(tenantId).transaction(async unit => {
        await together({
          stream: getStream(tenantId, id),
          deleted: tokenTable.delete(unit, { id: tokenId, stream_id: id }),
        })
        await jobs.enqueue('streams.close_revoked', { tenant_id: tenantId, session_id: id }, { key: id })
        topics.reauthorize({ topic: CHAT_TOPIC, tenantId, key: id })
        database.afterCommit(() =>
          bus.publish('streams.changed', { tenantId, sessionId: id, change: 'token_revoked', tokenId }),
        )
      }),
    /** False in a suspended workspace. */
    async exists(tenantId: string, tokenId: string): Promise<boolean> {
      const statement = `select 1 from streams_tokens where id = $1 and not ${isSuspendedSql('streams_tokens.tenant_id')}`
      return (await database.tenant(tenantId).query(statement, [tokenId])).rowCount === 1
    },
    /** Undefined for an unknown or expired token. The session may be finished. Throws `tenant_suspended`. */
    authenticate(token: string): Promise<TokenGrant | undefined> {
      if (isVisitorToken(token)) return byVisitorToken(deps, token)
      return isStreamToken(token) ? byStreamToken(deps, token) : byJoinToken(deps, token)
    },
    /** Creates a token to watch a public stream from browser to browser. Throws `not_found`, `tenant_suspended`. */
    async createForVisitor(streamId: string): Promise<{ readonly token: string; readonly expires_at: string }> {
      const expiresAt = clock.now() + VISITOR_TOKEN_MS
      const session = await publicSession(deps, streamId)
      if (!session || isFinished(session.status)) throw streamNotFound()
      return {
        token: createVisitorToken(deps.secrets, streamId, expiresAt),
        expires_at: new Date(expiresAt).toISOString(),
      }
    },
    /** False in a suspended workspace, and for a stream that isn't public. */
    isOpenToVisitors: async (streamId: string): Promise<boolean> =>
      (await publicSession(deps, streamId).catch(error => void suspensionOf(error))) !== undefined,
    /** Counts a use; false if the token has no uses left or was revoked. */
    async recordUse(grant: Pick<TokenGrant, 'tokenId'> & { session: Pick<Session, 'workspace_id'> }): Promise<boolean> {
      const { session, tokenId } = grant
      if (tokenId === null) return true
      const unit = database.tenant(session.workspace_id)
      return (await unit.query(COUNT_USE, [tokenId, new Date(clock.now())])).rowCount === 1
    },
  }
}

async function byJoinToken({ sessions }: TokensDeps, token: string): Promise<TokenGrant | undefined> {
  try {
    return { session: await sessions.getByJoinToken(token), kind: 'join', tokenId: null, isUsedUp: false }
  } catch (error) {
    if (Problem.is(error) && error.code === 'invalid_join_token') return undefined
    throw error
  }
}

/** Undefined if no public stream has this ID. Throws `tenant_suspended`. */
async function publicSession({ systemDatabase, sessions }: TokensDeps, id: string): Promise<Session | undefined> {
  const unit = systemDatabase.acrossTenants('visitors watch public streams of every tenant')
  const { rows } = await unit.query<{ suspended: boolean }>(PUBLIC_STREAM, [id])
  if (!rows[0]) return undefined
  if (rows[0].suspended) throw common.tenant_suspended()
  const [session] = await sessions.getManyAcrossTenants([id])
  return session
}

async function byVisitorToken(deps: TokensDeps, token: string): Promise<TokenGrant | undefined> {
  const id = verifyVisitorToken(deps.secrets, token, deps.clock.now())
  const session = id === undefined ? undefined : await publicSession(deps, id)
  return session && { session, kind: 'viewer', tokenId: null, isUsedUp: false }
}

async function byStreamToken(
  { systemDatabase, sessions, clock }: TokensDeps,
  token: string,
): Promise<TokenGrant | undefined> {
  const unit = systemDatabase.acrossTenants('a stream token identifies its stream before any tenant is known')
  const [row] = await tokenTable.query<{ suspended: boolean; isUsedUp: boolean }>(unit, BY_HASH, [
    hashStreamToken(token),
    new Date(clock.now()),
  ])
  if (!row) return undefined
  if (row.suspended) throw common.tenant_suspended()
  const [session] = await sessions.getManyAcrossTenants([row.stream_id])
  return session && { session, kind: row.role, tokenId: row.id, isUsedUp: row.isUsedUp }
}
