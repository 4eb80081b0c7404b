/** Maps database rows to records. Pure. */

import type { StreamDetails } from '../ports.ts'
import type { Layout, Source } from '../records/source.ts'
import type { StreamRow } from '../records/stream.ts'

const NO_LAYOUT: Layout = { kind: 'single', slots: [], focus_source_id: null, metadata: {}, version: 0 }

export const toLayout = (row: Pick<StreamRow, 'layout' | 'layout_version'> | undefined): Layout =>
  row?.layout ? { ...row.layout, version: row.layout_version } : { ...NO_LAYOUT, version: row?.layout_version ?? 0 }

/** A session of mode `stream` without a row is a private stream with default details. */
export function toDetails(row: StreamRow | undefined, sources: readonly Source[], viewers: number): StreamDetails {
  return {
    title: row?.title ?? null,
    description: row?.description ?? null,
    visibility: row?.visibility ?? 'private',
    tags: row?.tags ?? [],
    hide_viewer_count: row?.hide_viewer_count ?? false,
    live_status: row?.live_status ?? 'idle',
    live_at: row?.live_at ?? null,
    sources,
    layout: toLayout(row),
    viewer_count: viewers + (row?.edge_viewers ?? 0),
  }
}
