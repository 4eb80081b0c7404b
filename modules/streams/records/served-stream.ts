/** A stream as the API and the socket show it. */
import { Nullable, named, OneOf, Timestamp, Type } from '@larder-dev/larder/kernel'
import { END_REASONS, LIVE_STATUSES, PROFILES, STATUSES, VISIBILITIES } from '../domain/values.ts'
import { JsonObject, LayoutRecord, SourceRecord } from './source.ts'

export const Visibility = OneOf(VISIBILITIES)
export const LiveStatus = OneOf(LIVE_STATUSES)
export const Playback = named('StreamPlayback', Type.Object({ whep_url: Type.String(), hls_url: Type.String() }))
const RecommendedSettings = named(
  'RecommendedSettings',
  Type.Object({
    target_fps: Type.Integer(),
    bitrate_kbps: Type.Integer(),
    audio_enabled: Type.Boolean(),
    latency_profile: Type.String(),
    capture_profile: Type.String(),
    recommended_use: Type.String(),
  }),
)

export const sessionFields = {
  id: Type.String(),
  code: Type.String(),
  mode: OneOf(['stream']),
  stream_profile: OneOf(PROFILES),
  audio_enabled: Type.Boolean(),
  viewer_protocols: Type.Array(Type.String()),
  recommended_settings: RecommendedSettings,
}

export const StreamRecord = named(
  'Stream',
  Type.Object({
    ...sessionFields,
    purpose: Nullable(Type.String()),
    customer: Nullable(Type.String()),
    metadata: JsonObject(),
    status: OneOf(STATUSES),
    workspace_id: Type.String(),
    created_at: Timestamp,
    expires_at: Timestamp,
    accepted_at: Nullable(Timestamp),
    ended_at: Nullable(Timestamp),
    end_reason: Nullable(OneOf(END_REASONS)),
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
  { leavesOut: ['ends_at', 'webhook_url', 'webhook_events', 'sequence'] },
)
