/** Sessions as they are stored and returned, and the body that creates one. */
import {
  Bytes,
  bodyOf,
  Nullable,
  named,
  OneOf,
  type RecordOf,
  type Static,
  Timestamp,
  Type,
  table,
  Writable,
  without,
} from '@larder-dev/larder/kernel'
import { CODE_PATTERN } from './domain/code.ts'
import { END_REASONS, STATUSES } from './domain/lifecycle.ts'
import { MAX_KEY_LENGTH, MAX_KEYS } from './domain/metadata.ts'
import { ALL_PROTOCOLS, MODES, PROFILES } from './domain/profiles.ts'
import { MAX_TTL_SECONDS } from './options.ts'

/** Sent unless the creator selects other types. */
const DEFAULT_WEBHOOK_EVENTS = ['session.created', 'session.accepted', 'session.ended', 'session.expired'] as const
const STREAM_EVENTS = ['stream.live', 'stream.idle', 'stream.sources_updated', 'stream.layout_updated'] as const
const WEBHOOK_EVENTS = [...DEFAULT_WEBHOOK_EVENTS, ...STREAM_EVENTS] as const

export const Mode = OneOf(MODES)
export const Profile = OneOf(PROFILES)
export const Protocols = Type.Array(OneOf(ALL_PROTOCOLS))
const Metadata = Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true })
const NewMetadata = Type.Unsafe<Readonly<Record<string, unknown>>>({
  ...Metadata,
  maxProperties: MAX_KEYS,
  propertyNames: { maxLength: MAX_KEY_LENGTH },
  description: 'At most 16 KiB of JSON and 5 levels deep; included in webhooks',
})

export const RecommendedSettings = named(
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

/** Fields that the replies to creating and joining a session have too. */
export const sessionFields = {
  id: Type.String(),
  code: Type.String({ pattern: CODE_PATTERN }),
  mode: Writable(Mode),
  stream_profile: Writable(Profile, Type.Optional(OneOf(PROFILES, { default: 'balanced' }))),
  audio_enabled: Writable(Type.Boolean(), Type.Optional(Type.Boolean({ default: true }))),
}
const publicFields = {
  ...sessionFields,
  purpose: Writable(Nullable(Type.String()), Type.Optional(Type.String({ maxLength: 500 }))),
  customer: Writable(
    Nullable(Type.String()),
    Type.Optional(Type.String({ maxLength: 255, description: 'Your reference for the session' })),
  ),
  metadata: Writable(Metadata, Type.Optional(NewMetadata)),
  status: OneOf(STATUSES),
  /** The id of the tenant. */
  workspace_id: Type.String(),
  created_at: Timestamp,
  expires_at: Timestamp,
  accepted_at: Nullable(Timestamp),
  ended_at: Nullable(Timestamp),
  end_reason: Nullable(OneOf(END_REASONS)),
}

const internalFields = {
  /** When the maximum duration is reached; null before acceptance and for sessions without a maximum. */
  ends_at: Nullable(Timestamp),
  webhook_url: Writable(
    Nullable(Type.String()),
    Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description: 'http or https' })),
  ),
  /** Event types sent to `webhook_url`, such as `session.created`. */
  webhook_events: Writable(
    Type.Array(Type.String()),
    Type.Optional(
      Type.Array(OneOf(WEBHOOK_EVENTS), {
        minItems: 1,
        uniqueItems: true,
        description: 'Event types sent to webhook_url; defaults to all session.* types',
      }),
    ),
  ),
  /** Number of events published about this session, each of which is an update. */
  sequence: Type.Integer(),
}
/** Events have the others. Their envelope has the id of the tenant and the time. */
export const eventFields = without(publicFields, [
  'id',
  'workspace_id',
  'created_at',
  'expires_at',
  'accepted_at',
  'ended_at',
])
/** Fields of a stored session that no reply has. */
const INTERNAL_FIELDS = Object.keys(internalFields)
/** All fields of a stored session. */
export const STORED_FIELDS = Object.keys({ ...publicFields, ...internalFields })

export const sessionTable = table(
  'sessions_sessions',
  Type.Object({
    ...publicFields,
    ...internalFields,
  }),
  {
    what: 'session',
    columns: { workspace_id: 'tenant_id' },
    defaults: {
      stream_profile: 'balanced',
      audio_enabled: true,
      metadata: {},
      status: 'created',
      webhook_events: [...DEFAULT_WEBHOOK_EVENTS],
      sequence: 1,
    },
    hidden: { join_token_hash: Bytes },
    revision: 'sequence',
  },
)
export type StoredSession = RecordOf<typeof sessionTable>

export const SessionRecord = named(
  'Session',
  Type.Object({ ...publicFields, viewer_protocols: Protocols, recommended_settings: RecommendedSettings }),
  { leavesOut: INTERNAL_FIELDS },
)

/** Properties that the replies to creating a session have, besides the token. */
export const createdFields = {
  ...sessionFields,
  viewer_protocols: Protocols,
  recommended_settings: RecommendedSettings,
}

const { metadata, ...given } = bodyOf(publicFields)
export const NewSession = Type.Object(
  {
    ...given,
    ttl_seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_TTL_SECONDS.stream, description: 'At most 86400 for mode screenshare' }),
    ),
    ...bodyOf(internalFields),
    metadata,
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
export type NewSession = Static<typeof NewSession>

/** What modules whose records extend those of sessions have in their replies and bodies. */
export const sessionSchemas = {
  record: SessionRecord.properties,
  created: createdFields,
  body: NewSession.properties,
  /** Fields of a stored session that no reply has. */
  internal: INTERNAL_FIELDS,
}

/** Malformed tokens get the same error as unknown ones, so the schema has no pattern. */
export const JoinToken = Type.String({ maxLength: 256, examples: ['jt_4FGNuiHOr81mqIDE2q-FDSGIp6hmMAErNS6yyVmLV3E'] })
