/** Maps database rows to records. Pure. */

import type { LiveStatus, SourceKind, Visibility } from '../domain/values.ts'
import type { Layout, Source, StreamDetails } from '../ports.ts'

export interface StreamRow {
  readonly id: string
  readonly title: string | null
  readonly description: string | null
  readonly visibility: Visibility
  readonly tags: string[]
  readonly hide_viewer_count: boolean
  readonly live_status: LiveStatus
  readonly live_at: Date | null
  /** Connections that play the stream at the media edge. */
  readonly edge_viewers: number
  readonly layout: Omit<Layout, 'version'> | null
  readonly layout_version: number
}
export const STREAM_COLUMNS =
  'id, title, description, visibility, tags, hide_viewer_count, live_status, live_at, edge_viewers, layout, layout_version'

export interface SourceRow {
  readonly stream_id: string
  readonly source_id: string
  readonly kind: SourceKind
  readonly label: string | null
  readonly width: number | null
  readonly height: number | null
  readonly fps: number | null
  readonly url: string | null
  readonly metadata: Record<string, unknown>
  readonly created_at: Date
  readonly updated_at: Date
}
export const SOURCE_COLUMNS =
  'stream_id, source_id, kind, label, width, height, fps, url, metadata, created_at, updated_at'

export const toSource = ({ stream_id, created_at, updated_at, ...row }: SourceRow): Source => ({
  ...row,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
})

const NO_LAYOUT: Layout = { kind: 'single', slots: [], focus_source_id: null, metadata: {}, version: 0 }

export const toLayout = (row: Pick<StreamRow, 'layout' | 'layout_version'> | undefined): Layout =>
  row?.layout ? { ...row.layout, version: row.layout_version } : { ...NO_LAYOUT, version: row?.layout_version ?? 0 }

/** A session of mode `stream` without a row is a private stream with default details. */
export function toDetails(row: StreamRow | undefined, sources: readonly SourceRow[], viewers: number): StreamDetails {
  return {
    title: row?.title ?? null,
    description: row?.description ?? null,
    visibility: row?.visibility ?? 'private',
    tags: row?.tags ?? [],
    hide_viewer_count: row?.hide_viewer_count ?? false,
    live_status: row?.live_status ?? 'idle',
    live_at: row?.live_at?.toISOString() ?? null,
    sources: sources.map(toSource),
    layout: toLayout(row),
    viewer_count: viewers + (row?.edge_viewers ?? 0),
  }
}
