/** Reads the details of streams in one batch. */
import type { Unit } from 'larder/kernel'
import type { StreamDetails } from '../ports.ts'
import { SOURCE_COLUMNS, type SourceRow, STREAM_COLUMNS, type StreamRow, toDetails } from './stream-records.ts'

const ROWS = `select ${STREAM_COLUMNS} from streams_streams where id = any($1)`
const SOURCES = `select ${SOURCE_COLUMNS} from streams_sources where stream_id = any($1) order by created_at, source_id`
const VIEWERS = `select session_id, count(*)::int as viewers from streams_peers
  where session_id = any($1) and role = 'viewer' group by session_id`

/** Details by stream id. Ids without a row have the defaults. */
export async function readDetails(unit: Unit, ids: readonly string[]): Promise<Map<string, StreamDetails>> {
  if (ids.length === 0) return new Map()
  const [rows, sources, viewers] = await unit.batch([
    [ROWS, [ids]],
    [SOURCES, [ids]],
    [VIEWERS, [ids]],
  ])
  const byId = new Map(((rows?.rows ?? []) as unknown as StreamRow[]).map(row => [row.id, row]))
  const allSources = (sources?.rows ?? []) as unknown as SourceRow[]
  const counts = new Map((viewers?.rows ?? []).map(row => [row.session_id as string, row.viewers as number]))
  const sourcesOf = (id: string) => allSources.filter(source => source.stream_id === id)
  return new Map(ids.map(id => [id, toDetails(byId.get(id), sourcesOf(id), counts.get(id) ?? 0)]))
}
