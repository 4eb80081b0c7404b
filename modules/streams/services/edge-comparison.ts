/** Compares what is stored about streams with what the media edge and the sockets have, because hooks can be lost. */
import type { Deps } from '@larder-dev/larder/kernel'
import type { EdgePath, MediaEdge } from '../domain/media-edge.ts'
import { EdgeError } from './edge-api.ts'
import type { EdgeConnections } from './edge-connections.ts'
import type { LiveStatusService } from './live-status-service.ts'

type ComparisonDeps = Deps<'systemDatabase' | 'jobs' | 'log'> & {
  readonly mediaEdge: MediaEdge
  readonly liveStatus: LiveStatusService
  readonly edgeConnections: EdgeConnections
}
/** While MediaMTX restarts, nothing accepts connections at its address. */
const COMPARISONS_UNTIL_DOWN = 3
/** A connection may be recorded before the edge lists it. */
const COMPARISONS_UNTIL_GONE = 6

const STREAMS = `select tenant_id as "tenantId", id, edge_source as source, edge_viewers as viewers from streams_streams
  where edge_source is not null`
const CONNECTIONS = `select tenant_id as "tenantId", id, protocol, token_id as "tokenId", counted, missed
  from streams_edge_connections`
const SET_VIEWERS = 'update streams_streams set edge_viewers = $2 where id = $1 and edge_source is not null'
const MISSED = `update streams_edge_connections set missed = case when id = any($1) then 0 else missed + 1 end
  where id = any($1) and missed > 0 or id <> all($1) and id = any($2)`
const FORGET = `delete from streams_edge_connections where missed >= ${COMPARISONS_UNTIL_GONE}`
const LOST_PEERS = `select id, peer_source as source from streams_streams s where peer_source is not null
  and not exists (select 1 from streams_peers p where p.peer_id = s.peer_source)`

interface StreamRow {
  readonly tenantId: string
  readonly id: string
  readonly source: string
  readonly viewers: number
}
interface ConnectionRow {
  readonly tenantId: string
  readonly id: string
  readonly protocol: string
  readonly tokenId: string | null
  readonly counted: boolean
}

export type EdgeComparison = ReturnType<typeof createEdgeComparison>

export function createEdgeComparison(deps: ComparisonDeps) {
  const { systemDatabase, jobs, log, mediaEdge, liveStatus, edgeConnections } = deps
  const everyTenant = () => systemDatabase.acrossTenants('the media edge has streams of every tenant')
  let failures = 0

  /** Empty if the edge is down; undefined if its state is unknown. */
  async function readPaths(signal: AbortSignal): Promise<EdgePath[] | undefined> {
    try {
      const paths = await mediaEdge.paths(signal)
      if (failures > 0) log.info('the media edge answers again')
      failures = 0
      return paths
    } catch (error) {
      if (!(error instanceof EdgeError)) throw error
      if (failures === 0) log.warn({ err: error }, 'cannot compare streams with the media edge')
      failures++
      return error.reason === 'down' && failures >= COMPARISONS_UNTIL_DOWN ? [] : undefined
    }
  }

  async function compareStream(path: EdgePath, stored: StreamRow | undefined): Promise<void> {
    const id = mediaEdge.parsePath(path.name)
    if (id === undefined) return
    const source = path.source?.id
    if (stored?.source !== source && source !== undefined) {
      const mayPublish = await liveStatus.handle(id, { kind: 'started', way: 'edge', source })
      if (!mayPublish) await jobs.enqueue('streams.kick', { session_id: id }, { key: id })
    }
    if (path.readers.length !== (stored?.viewers ?? 0))
      await everyTenant().query(SET_VIEWERS, [id, path.readers.length])
  }

  async function compareConnections(paths: readonly EdgePath[], stored: readonly ConnectionRow[], signal: AbortSignal) {
    const present = new Set(
      paths.flatMap(({ source, readers }) => [...(source ? [source.id] : []), ...readers.map(({ id }) => id)]),
    )
    for (const connection of stored)
      if (
        !connection.counted &&
        present.has(connection.id) &&
        !(await edgeConnections.count(connection, connection.id))
      )
        await edgeConnections.close(connection.tenantId, [connection], signal)
    const unit = everyTenant()
    await unit.query(MISSED, [[...present], stored.map(({ id }) => id)])
    await unit.query(FORGET)
  }

  return {
    async compareEdge(signal: AbortSignal): Promise<void> {
      if (!mediaEdge.enabled) return
      // Read before the edge's list, so that a connection that is opened meanwhile is not taken for a lost one.
      const { rows: streams } = await everyTenant().query<StreamRow>(STREAMS)
      const { rows: connections } = await everyTenant().query<ConnectionRow>(CONNECTIONS)
      const paths = (await readPaths(signal))?.filter(({ available }) => available)
      if (!paths) return
      const stored = new Map(streams.map(stream => [stream.id, stream]))
      for (const path of paths) await compareStream(path, stored.get(mediaEdge.parsePath(path.name) ?? ''))
      const live = new Set(paths.map(({ name }) => mediaEdge.parsePath(name)))
      for (const { id, source } of streams)
        if (!live.has(id)) await liveStatus.handle(id, { kind: 'stopped', way: 'edge', source })
      await compareConnections(paths, connections, signal)
    },
    /** Ends the broadcasts of peers that no longer exist. */
    async comparePeers(): Promise<void> {
      const { rows } = await everyTenant().query<{ id: string; source: string }>(LOST_PEERS)
      for (const { id, source } of rows) await liveStatus.handle(id, { kind: 'stopped', way: 'peer', source })
    },
  }
}
