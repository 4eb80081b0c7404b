/** What a stream adds to its session, as it is stored. */
import { Nullable, OneOf, type RecordOf, Timestamp, Type, table } from '@larder-dev/larder/kernel'
import { LIVE_STATUSES, VISIBILITIES } from '../domain/values.ts'
import type { Layout } from './source.ts'

export const streamTable = table(
  'streams_streams',
  Type.Object({
    id: Type.String(),
    title: Nullable(Type.String()),
    description: Nullable(Type.String()),
    visibility: OneOf(VISIBILITIES),
    tags: Type.Array(Type.String()),
    hide_viewer_count: Type.Boolean(),
    live_status: OneOf(LIVE_STATUSES),
    live_at: Nullable(Timestamp),
    /** Connections that play the stream at the media edge. */
    edge_viewers: Type.Integer(),
    layout: Nullable(Type.Unsafe<Omit<Layout, 'version'>>({ type: 'object' })),
    layout_version: Type.Integer(),
  }),
  {
    what: 'stream',
    defaults: {
      visibility: 'private',
      tags: [],
      hide_viewer_count: false,
      live_status: 'idle',
      edge_viewers: 0,
      layout_version: 0,
    },
    hidden: { tenant_id: Type.String() },
  },
)
export type StreamRow = Readonly<RecordOf<typeof streamTable>>
