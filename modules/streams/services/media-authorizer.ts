/**
 * Authorizes connections at the media edge. MediaMTX asks for one connection at a time and does nothing else meanwhile,
 * so this must not call the edge.
 */
import type { Deps } from '@larder-dev/larder/kernel'
import type { EdgeRequest, MediaEdge } from '../domain/media-edge.ts'
import { extractTokens } from '../domain/media-paths.ts'
import type { StreamsOptions } from '../options.ts'
import type { Session } from '../ports.ts'
import { isFinished, problems } from '../problems.ts'
import type { EdgeConnections } from './edge-connections.ts'
import type { StreamTokens, TokenGrant } from './token-service.ts'

type AuthorizerDeps = Deps<'database' | 'sessions'> & {
  readonly streamTokens: StreamTokens
  readonly mediaEdge: MediaEdge
  readonly edgeConnections: EdgeConnections
}
export interface MediaAuthorizer {
  /** Throws `edge_refused`. */
  authorize(request: EdgeRequest): Promise<void>
}
const ACTIONS = ['publish', 'read', 'playback']
const STATE = 'select visibility, edge_source is not null as live from streams_streams where id = $1'

export function createMediaAuthorizer(
  { database, sessions, streamTokens, mediaEdge, edgeConnections }: AuthorizerDeps,
  { requireAccept = false }: StreamsOptions,
): MediaAuthorizer {
  async function stateOf({ id, workspace_id }: Session): Promise<{ isPublic: boolean; isLive: boolean }> {
    const { rows } = await database.tenant(workspace_id).query<{ visibility: string; live: boolean }>(STATE, [id])
    return { isPublic: rows[0]?.visibility === 'public', isLive: rows[0]?.live === true }
  }

  async function findGrant(session: Session, request: EdgeRequest): Promise<[TokenGrant, string] | undefined> {
    for (const token of extractTokens(request)) {
      const grant = await streamTokens.authenticate(token)
      if (grant?.session.id === session.id && grants(grant, request.action === 'publish')) return [grant, token]
    }
    return undefined
  }

  return {
    async authorize(request) {
      const streamId = mediaEdge.parsePath(request.path)
      if (streamId === undefined || !ACTIONS.includes(request.action)) throw problems.edge_refused()
      const [session] = await sessions.getManyAcrossTenants([streamId])
      if (session?.mode !== 'stream' || isFinished(session.status)) throw problems.edge_refused()
      const isPublish = request.action === 'publish'
      if (!isPublish && requireAccept && session.status === 'created') throw problems.edge_refused()
      const { isPublic, isLive } = await stateOf(session)
      if (!isPublish && isPublic) return
      const found = await findGrant(session, request)
      if (!found) throw problems.edge_refused()
      const [grant, token] = found
      if (request.id === undefined) return
      await edgeConnections.admit(grant, token, { ...request, id: request.id }, isPublish || isLive)
      // A rotation that was committed meanwhile has not seen the connection.
      if (grant.kind === 'join' && !(await streamTokens.authenticate(token))) throw problems.edge_refused()
    },
  }
}

const grants = ({ kind }: TokenGrant, isPublish: boolean): boolean =>
  kind === 'join' || kind === (isPublish ? 'publisher' : 'viewer')
