/** A stream as the API and the socket show it: its session, with the fields of the stream. */
import { type Deps, Nullable, named, OneOf, Timestamp, Type } from '@larder-dev/larder/kernel'
import { LIVE_STATUSES, VISIBILITIES } from '../domain/values.ts'
import { LayoutRecord, SourceRecord } from './source.ts'

export const Visibility = OneOf(VISIBILITIES)
export const LiveStatus = OneOf(LIVE_STATUSES)
export const Playback = named('StreamPlayback', Type.Object({ whep_url: Type.String(), hls_url: Type.String() }))
const mode = OneOf(['stream'])

export function streamSchemas({ sessions }: Deps<'sessions'>) {
  const { record, created, internal } = sessions.schemas
  const Stream = named(
    'Stream',
    Type.Object({
      ...record,
      mode,
      title: Nullable(Type.String()),
      description: Nullable(Type.String()),
      visibility: Visibility,
      tags: Type.Array(Type.String()),
      hide_viewer_count: Type.Boolean(),
      live_status: LiveStatus,
      live_at: Nullable(Timestamp),
      media_path: Type.String(),
      playback: Playback,
      sources: Type.Array(SourceRecord),
      layout: LayoutRecord,
      viewer_count: Type.Integer(),
    }),
    { leavesOut: internal },
  )
  const CreatedStream = named(
    'CreatedStream',
    Type.Object({
      ...created,
      mode,
      join_token: Type.String({ description: 'Shown only in this response' }),
      expires_in: Type.Integer({ description: 'Seconds' }),
      visibility: Visibility,
      title: Nullable(Type.String()),
      media_path: Type.String(),
    }),
    { leavesOut: [...Object.keys(record), ...internal] },
  )
  return { Stream, CreatedStream }
}
