/** Shapes on the wire. */
import { Nullable, OneOf, Timestamp, type TSchema, Type } from 'larder/kernel'
import { LATENCY_PROFILES } from '../domain/latency-profiles.ts'

const PROFILES = ['balanced', 'crisp', 'low_latency', 'gaming'] as const
export const STATUSES = ['created', 'accepted', 'ended', 'expired'] as const
const SOURCE_KINDS = ['screen', 'window', 'camera', 'microphone', 'game', 'external'] as const
const LAYOUT_KINDS = ['single', 'horizontal', 'vertical', 'grid', 'focus'] as const
const WEBHOOK_EVENTS = ['session.created', 'session.accepted', 'session.ended', 'session.expired'] as const
const STREAM_EVENTS = ['stream.live', 'stream.idle', 'stream.sources_updated', 'stream.layout_updated'] as const
const ID = '^[A-Za-z0-9_-]{1,64}$'
/** Seven days, in seconds. */
const MAX_TTL = 604_800
export const MAX_SOURCES = 16

const Anything = (options: object = {}) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options })
const Role = OneOf(['publisher', 'viewer'])
const LiveStatus = OneOf(['idle', 'live', 'reconnecting'])
const Visibility = OneOf(['private', 'public'])

export const snakeList = <T extends TSchema>(item: T) =>
  Type.Object({ data: Type.Array(item), next_cursor: Nullable(Type.String()) })

const Settings = Type.Object({
  target_fps: Type.Integer(),
  bitrate_kbps: Type.Integer(),
  audio_enabled: Type.Boolean(),
  latency_profile: Type.String(),
  capture_profile: Type.String(),
  recommended_use: Type.String(),
})
const Playback = Type.Object({ whep_url: Type.String(), hls_url: Type.String() })

export const CreateBody = Type.Object(
  {
    mode: Type.Optional(OneOf(['stream'])),
    stream_profile: Type.Optional(OneOf(PROFILES)),
    audio_enabled: Type.Optional(Type.Boolean()),
    purpose: Type.Optional(Type.String({ maxLength: 500 })),
    customer: Type.Optional(Type.String({ maxLength: 255, description: "The caller's own reference" })),
    ttl_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_TTL })),
    webhook_url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description: 'http or https' })),
    webhook_events: Type.Optional(
      Type.Array(OneOf([...WEBHOOK_EVENTS, ...STREAM_EVENTS]), { minItems: 1, uniqueItems: true }),
    ),
    metadata: Type.Optional(Anything({ maxProperties: 50, propertyNames: { maxLength: 64 } })),
    title: Type.Optional(Type.String({ maxLength: 255 })),
    description: Type.Optional(Type.String({ maxLength: 2000 })),
    visibility: Type.Optional(Visibility),
    tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 32 }), { maxItems: 10, uniqueItems: true })),
    hide_viewer_count: Type.Optional(Type.Boolean()),
  },
  { examples: [{ title: 'Launch', visibility: 'public', tags: ['product'] }] },
)

const Described = {
  id: Type.String(),
  code: Type.String(),
  mode: OneOf(['stream']),
  stream_profile: OneOf(PROFILES),
  audio_enabled: Type.Boolean(),
  viewer_protocols: Type.Array(Type.String()),
  recommended_settings: Settings,
}
export const CreateReply = Type.Object({
  ...Described,
  join_token: Type.String({ description: 'Shown this once' }),
  expires_in: Type.Integer({ description: 'Seconds' }),
  visibility: Visibility,
  title: Nullable(Type.String()),
  media_path: Type.String(),
})

const Source = {
  kind: OneOf(SOURCE_KINDS),
  label: Type.String({ maxLength: 128 }),
  width: Type.Integer({ minimum: 16, maximum: 16_384 }),
  height: Type.Integer({ minimum: 16, maximum: 16_384 }),
  fps: Type.Integer({ minimum: 1, maximum: 240 }),
  url: Type.String({ minLength: 1, maxLength: 2048, description: 'Of an external source alone' }),
}
export const SourceBody = Type.Object(
  {
    source_id: Type.Optional(Type.String({ pattern: ID, description: 'One that is known is replaced' })),
    kind: Source.kind,
    label: Type.Optional(Source.label),
    width: Type.Optional(Source.width),
    height: Type.Optional(Source.height),
    fps: Type.Optional(Source.fps),
    url: Type.Optional(Source.url),
    metadata: Type.Optional(Anything({ description: 'At most 4 KiB of JSON' })),
  },
  { examples: [{ source_id: 'cam', kind: 'camera', label: 'Stage', width: 1280, height: 720, fps: 30 }] },
)
export const SourceRecord = Type.Object({
  source_id: Type.String(),
  kind: Source.kind,
  label: Nullable(Type.String()),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  fps: Nullable(Type.Integer()),
  url: Nullable(Type.String()),
  metadata: Anything(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

const Slots = Type.Array(
  Type.Object(
    { source_id: Type.String({ pattern: ID }), order: Type.Integer({ minimum: 0, maximum: 1000 }) },
    { additionalProperties: false },
  ),
  { maxItems: MAX_SOURCES },
)
export const LayoutBody = Type.Object(
  {
    kind: OneOf(LAYOUT_KINDS),
    slots: Type.Optional(Slots),
    focus_source_id: Type.Optional(Type.String({ pattern: ID })),
    metadata: Type.Optional(Anything({ description: 'At most 4 KiB of JSON' })),
  },
  { examples: [{ kind: 'focus', slots: [{ source_id: 'cam', order: 0 }], focus_source_id: 'cam' }] },
)
export const LayoutRecord = Type.Object({
  kind: OneOf(LAYOUT_KINDS),
  slots: Slots,
  focus_source_id: Nullable(Type.String()),
  metadata: Anything(),
  version: Type.Integer({ minimum: 0, description: 'Grows with each change; also the ETag' }),
})

export const StreamRecord = Type.Object({
  ...Described,
  purpose: Nullable(Type.String()),
  customer: Nullable(Type.String()),
  metadata: Anything(),
  status: OneOf(STATUSES),
  workspace_id: Type.String(),
  created_at: Timestamp,
  expires_at: Timestamp,
  accepted_at: Nullable(Timestamp),
  ended_at: Nullable(Timestamp),
  end_reason: Nullable(OneOf(['owner', 'max_duration'])),
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
})
export const PublicRecord = Type.Object({
  id: Type.String(),
  title: Nullable(Type.String()),
  description: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  stream_profile: OneOf(PROFILES),
  live_status: LiveStatus,
  viewer_count: Nullable(Type.Integer()),
  live_at: Nullable(Timestamp),
  created_at: Timestamp,
  playback: Playback,
})

export const TokenBody = Type.Object(
  {
    role: Role,
    ttl_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_TTL, description: "The stream's by default" })),
    max_uses: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Connections it may open' })),
    label: Type.Optional(Type.String({ maxLength: 128 })),
  },
  { examples: [{ role: 'viewer', ttl_seconds: 3600, label: 'Guests' }] },
)
const Token = {
  id: Type.String(),
  stream_id: Type.String(),
  role: Role,
  label: Nullable(Type.String()),
  expires_at: Nullable(Timestamp),
  max_uses: Nullable(Type.Integer()),
  uses: Type.Integer(),
  created_at: Timestamp,
}
export const TokenRecord = Type.Object(Token)
export const TokenReply = Type.Object({ ...Token, token: Type.String({ description: 'Shown this once' }) })

export const MediaRecord = Type.Object({
  stream_id: Type.String(),
  media_path: Type.String(),
  enabled: Type.Boolean(),
  provider: Type.String(),
  whip_url: Type.Optional(Type.String({ description: 'For those who may publish' })),
  whep_url: Type.String(),
  hls_url: Type.String(),
  latency_profiles: Type.Array(OneOf(LATENCY_PROFILES)),
})
export const EdgeRecord = Type.Object({
  provider: Type.String(),
  enabled: Type.Boolean(),
  whip: Type.Boolean(),
  whep: Type.Boolean(),
  hls: Type.Boolean(),
  ll_hls: Type.Boolean(),
  sfu: Type.Boolean(),
  simulcast: Type.Boolean(),
  latency_profiles: Type.Array(OneOf(LATENCY_PROFILES)),
})

/** Payload of this module's events: what the session's own carry. */
const Notice = Type.Object({
  session_id: Type.String(),
  code: Type.String(),
  status: OneOf(STATUSES),
  mode: OneOf(['screenshare', 'stream']),
  stream_profile: OneOf(PROFILES),
  audio_enabled: Type.Boolean(),
  customer: Nullable(Type.String()),
  purpose: Nullable(Type.String()),
  metadata: Anything(),
  end_reason: Nullable(OneOf(['owner', 'max_duration'])),
  sequence: Type.Integer({ minimum: 1 }),
  webhook: Nullable(Type.Object({ url: Type.String(), events: Type.Array(Type.String()) })),
})
export const events = {
  'streams.stream.live': Notice,
  'streams.stream.idle': Notice,
  'streams.stream.sources_updated': Notice,
  'streams.stream.layout_updated': Notice,
}
