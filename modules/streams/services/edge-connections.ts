/** Connections at the media edge that tokens opened. They are closed when their token stops being valid. */
import type { Deps } from '@larder-dev/larder/kernel'
import type { AdmittedConnection, EdgeRequest, MediaEdge } from '../domain/media-edge.ts'
import { hashStreamToken } from '../domain/stream-token.ts'
import { problems } from '../problems.ts'
import { connectionTable } from '../records/edge-connection.ts'
import type { StreamTokens, TokenGrant } from './token-service.ts'

/** Each request to describe a stream by RTSP is followed by one to play it, with another id. */
const PAIR = `update streams_edge_connections set paired = true where id = (
    select id from streams_edge_connections
    where stream_id = $1 and token_id = $2 and address = $3 and protocol = 'rtsp' and counted and not paired and id <> $4
    limit 1 for update skip locked)`
const OF_STREAM = `select c.id, c.protocol, c.credential, c.token_id as "tokenId",
    t.id is not null and (t.expires_at is null or t.expires_at > $2) as "isValid"
  from streams_edge_connections c left join streams_tokens t on t.id = c.token_id where c.stream_id = $1`
const OF_TOKEN = 'select id, protocol from streams_edge_connections where stream_id = $1 and token_id = $2'
const FORGET = 'delete from streams_edge_connections where id = any($1)'
const COUNTED = 'update streams_edge_connections set counted = true where id = $1 and not counted'

interface Row extends AdmittedConnection {
  readonly credential: Buffer
  readonly tokenId: string | null
  readonly isValid: boolean
}
type ConnectionsDeps = Deps<'database' | 'sessions' | 'clock'> & {
  readonly streamTokens: StreamTokens
  readonly mediaEdge: MediaEdge
}
export type EdgeConnections = ReturnType<typeof createEdgeConnections>

export function createEdgeConnections({ database, sessions, streamTokens, mediaEdge, clock }: ConnectionsDeps) {
  async function close(tenantId: string, connections: readonly AdmittedConnection[], signal: AbortSignal) {
    await mediaEdge.kick(connections, signal)
    if (connections.length > 0) await database.tenant(tenantId).query(FORGET, [connections.map(({ id }) => id)])
  }

  return {
    /**
     * Records a connection and counts it as a use of its token, once for each id. With `opens: false`, it is counted
     * when the edge lists it, because there may be nothing to play. Throws `edge_refused` if the token has no uses left.
     */
    async admit(
      grant: TokenGrant,
      token: string,
      request: EdgeRequest & { id: string },
      opens: boolean,
    ): Promise<void> {
      const { session, tokenId } = grant
      const { id, protocol = '', ip = null } = request
      const row = {
        tenantId: session.workspace_id,
        id,
        streamId: session.id,
        tokenId,
        credential: hashStreamToken(token),
        protocol,
        address: ip,
        counted: opens,
      }
      await database.tenant(session.workspace_id).transaction(async unit => {
        if (
          (await unit.query(...connectionTable.insertStep(row, 'on conflict (id) do nothing'))).rowCount === 0 ||
          tokenId === null ||
          !opens
        )
          return
        if (protocol === 'rtsp' && request.action !== 'publish') {
          const paired = await unit.query(PAIR, [session.id, tokenId, ip, id])
          // The first request of the next play must not find this one.
          if (paired.rowCount === 1)
            return void (await unit.query('update streams_edge_connections set paired = true where id = $1', [id]))
        }
        if (!(await streamTokens.recordUse(grant))) throw problems.edge_refused()
      })
    },
    /** Counts a connection that was admitted before its stream was live; false if its token has no uses left. */
    count: (grant: Pick<TokenGrant, 'tokenId'> & { tenantId: string }, id: string): Promise<boolean> =>
      database.tenant(grant.tenantId).transaction(async unit => {
        if ((await unit.query(COUNTED, [id])).rowCount === 0) return true
        return streamTokens.recordUse({ tokenId: grant.tokenId, session: { workspace_id: grant.tenantId } })
      }),
    close,
    /** Closes the connections of a stream whose token was revoked, rotated or has expired. */
    async closeRevoked(tenantId: string, streamId: string, signal: AbortSignal): Promise<void> {
      const { rows } = await database.tenant(tenantId).query<Row>(OF_STREAM, [streamId, new Date(clock.now())])
      if (rows.length === 0) return
      const joinToken = await sessions.joinTokenHash(tenantId, streamId)
      const isValid = (row: Row) => (row.tokenId === null ? joinToken?.equals(row.credential) : row.isValid)
      await close(
        tenantId,
        rows.filter(row => !isValid(row)),
        signal,
      )
    },
    async closeToken(tenantId: string, streamId: string, tokenId: string, signal: AbortSignal): Promise<void> {
      const { rows } = await database.tenant(tenantId).query<AdmittedConnection>(OF_TOKEN, [streamId, tokenId])
      await close(tenantId, rows, signal)
    },
  }
}
