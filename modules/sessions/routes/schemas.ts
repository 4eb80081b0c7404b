/** Shapes on the wire. */
import { Nullable, OneOf, Timestamp, type TSchema, Type } from 'larder/kernel'
import { CODE_PATTERN } from '../domain/code.ts'
import { MAX_KEY_LENGTH, MAX_KEYS } from '../domain/metadata.ts'
import { ALL_PROTOCOLS, FEATURES, MODES, PROFILES, STATUSES } from '../domain/profiles.ts'
import { MAX_TTL } from '../options.ts'

/** What a webhook address hears of unless its creator says otherwise. */
export const STANDARD_EVENTS = ['session.created', 'session.accepted', 'session.ended', 'session.expired'] as const
const STREAM_EVENTS = ['stream.live', 'stream.idle', 'stream.sources_updated', 'stream.layout_updated'] as const

const Mode = OneOf(MODES)
const Profile = OneOf(PROFILES)
const Protocols = Type.Array(OneOf(ALL_PROTOCOLS))
const Metadata = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

/** `list` of the modules that speak snake_case. */
export const snakeList = <T extends TSchema>(item: T) =>
  Type.Object({ data: Type.Array(item), next_cursor: Nullable(Type.String()) })

export const RecommendedSettings = Type.Object({
  target_fps: Type.Integer(),
  bitrate_kbps: Type.Integer(),
  audio_enabled: Type.Boolean(),
  latency_profile: Type.String(),
  capture_profile: Type.String(),
  recommended_use: Type.String(),
})

export const CreateBody = Type.Object(
  {
    mode: Mode,
    stream_profile: Type.Optional(Profile),
    audio_enabled: Type.Optional(Type.Boolean()),
    purpose: Type.Optional(Type.String({ maxLength: 500 })),
    customer: Type.Optional(Type.String({ maxLength: 255, description: "The caller's own reference" })),
    ttl_seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_TTL.stream, description: 'At most 86400 for a screen share' }),
    ),
    webhook_url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description: 'http or https' })),
    webhook_events: Type.Optional(
      Type.Array(OneOf([...STANDARD_EVENTS, ...STREAM_EVENTS]), {
        minItems: 1,
        uniqueItems: true,
        description: 'What the webhook address hears of; those of sessions by default',
      }),
    ),
    metadata: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        maxProperties: MAX_KEYS,
        propertyNames: { maxLength: MAX_KEY_LENGTH },
        description: 'At most 16 KiB of JSON, 5 levels deep; comes back in webhooks',
      }),
    ),
  },
  {
    examples: [
      {
        mode: 'screenshare',
        stream_profile: 'crisp',
        customer: 'cus_42',
        ttl_seconds: 600,
        metadata: { ticket: '4711' },
      },
    ],
  },
)

const Described = {
  id: Type.String(),
  code: Type.String({ pattern: CODE_PATTERN }),
  mode: Mode,
  stream_profile: Profile,
  audio_enabled: Type.Boolean(),
}

export const CreateReply = Type.Object({
  id: Type.String(),
  code: Type.String({ pattern: CODE_PATTERN }),
  join_token: Type.String({ description: 'Shown this once' }),
  mode: Mode,
  stream_profile: Profile,
  audio_enabled: Type.Boolean(),
  expires_in: Type.Integer({ description: 'Seconds' }),
  viewer_protocols: Protocols,
  recommended_settings: RecommendedSettings,
})

export const SessionRecord = Type.Object({
  ...Described,
  purpose: Nullable(Type.String()),
  customer: Nullable(Type.String()),
  metadata: Metadata,
  status: OneOf(STATUSES),
  viewer_protocols: Protocols,
  recommended_settings: RecommendedSettings,
  workspace_id: Type.String(),
  created_at: Timestamp,
  expires_at: Timestamp,
  accepted_at: Nullable(Timestamp),
  ended_at: Nullable(Timestamp),
  end_reason: Nullable(OneOf(['owner', 'max_duration'])),
})

/** One that is no token at all is unknown like any other. */
export const JoinToken = Type.String({ maxLength: 256, examples: ['jt_4FGNuiHOr81mqIDE2q-FDSGIp6hmMAErNS6yyVmLV3E'] })

export const TokenReply = Type.Object({
  id: Type.String(),
  join_token: Type.String({ description: 'Shown this once' }),
})

export const JoinReply = Type.Object({
  ...Described,
  status: OneOf(STATUSES),
  signaling_url: Type.String(),
  relay_host: Type.String(),
  relay_udp_port: Type.Integer(),
  rtc_url: Type.String(),
  viewer_protocols: Protocols,
  features: Type.Array(Type.String()),
  recommended_settings: RecommendedSettings,
  ice_servers: Type.Array(
    Type.Object({
      urls: Type.Array(Type.String()),
      username: Type.Optional(Type.String()),
      credential: Type.Optional(Type.String()),
    }),
  ),
})

export const Capabilities = Type.Object({
  session_modes: Type.Array(Mode),
  stream_profiles: Type.Array(Profile),
  viewer_protocols: Protocols,
  features: Type.Array(OneOf(FEATURES)),
  default_screen_share: RecommendedSettings,
})

/** Payload of the events about a session, and so the body of webhooks. */
export const Notice = Type.Object({
  session_id: Type.String(),
  code: Type.String(),
  status: OneOf(STATUSES),
  mode: Mode,
  stream_profile: Profile,
  audio_enabled: Type.Boolean(),
  customer: Nullable(Type.String()),
  purpose: Nullable(Type.String()),
  metadata: Metadata,
  end_reason: Nullable(OneOf(['owner', 'max_duration'])),
  sequence: Type.Integer({ minimum: 1 }),
  webhook: Nullable(Type.Object({ url: Type.String(), events: Type.Array(Type.String()) })),
})
