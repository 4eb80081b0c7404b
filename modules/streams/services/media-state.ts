/** Where viewers of a stream find its media. */
import type { Deps } from '@larder-dev/larder/kernel'
import type { LiveStatus } from '../domain/values.ts'
import type { Session } from '../ports.ts'

const STATE = `select visibility, live_status, hide_viewer_count, edge_source, peer_source, edge_viewers + (
    select count(*)::int from streams_peers p where p.session_id = s.id and p.role = 'viewer') as viewers
  from streams_streams s where id = $1`

interface Row {
  readonly visibility: string
  readonly live_status: LiveStatus
  readonly hide_viewer_count: boolean
  readonly edge_source: string | null
  readonly peer_source: string | null
  readonly viewers: number
}
export interface MediaState {
  readonly isPublic: boolean
  readonly liveStatus: LiveStatus
  /** Null if the stream is not live. */
  readonly source: 'edge' | 'browser' | null
  readonly hidesViewers: boolean
  readonly viewers: number
}

export async function readMediaState(
  { database }: Deps<'database'>,
  { id, workspace_id }: Session,
): Promise<MediaState> {
  const { rows } = await database.tenant(workspace_id).query<Row>(STATE, [id])
  const [row] = rows
  if (!row) return { isPublic: false, liveStatus: 'idle', source: null, hidesViewers: false, viewers: 0 }
  const source = row.edge_source !== null ? 'edge' : row.peer_source !== null ? 'browser' : null
  return {
    isPublic: row.visibility === 'public',
    liveStatus: row.live_status,
    source,
    hidesViewers: row.hide_viewer_count,
    viewers: row.viewers,
  }
}
