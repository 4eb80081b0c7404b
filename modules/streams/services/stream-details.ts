/** Reads the details of streams in one batch. */
import type { Unit } from '@larder-dev/larder/kernel'
import type { StreamDetails } from '../ports.ts'
import { type Source, sourceTable } from '../records/source.ts'
import { streamTable } from '../records/stream.ts'
import { toDetails } from './stream-records.ts'

const ROWS = `select ${streamTable.columns()} from streams_streams where id = any($1)`
const SOURCES = `select stream_id, ${sourceTable.columns()} from streams_sources where stream_id = any($1) order by created_at, source_id`
const VIEWERS = `select session_id, count(*)::int as viewers from streams_peers
  where session_id = any($1) and role = 'viewer' group by session_id`

type SourceOfStream = Source & { readonly stream_id: string }

/** Details by stream id. Ids without a row have the defaults. */
export async function readDetails(unit: Unit, ids: readonly string[]): Promise<Map<string, StreamDetails>> {
  if (ids.length === 0) return new Map()
  const { rows, sources, viewers } = await unit.all({
    rows: [ROWS, [ids]],
    sources: [SOURCES, [ids]],
    viewers: [VIEWERS, [ids]],
  })
  const byId = new Map(streamTable.records(rows.rows).map(row => [row.id, row]))
  const byStream = new Map<string, Source[]>()
  for (const { stream_id: id, ...source } of sourceTable.records(sources.rows) as SourceOfStream[])
    byStream.set(id, [...(byStream.get(id) ?? []), source])
  const counts = new Map(viewers.rows.map(row => [row.session_id as string, row.viewers as number]))
  return new Map(ids.map(id => [id, toDetails(byId.get(id), byStream.get(id) ?? [], counts.get(id) ?? 0)]))
}
