/** Schemas that several routes share. */
import { Nullable, named, OneOf, Timestamp, Type } from 'larder/kernel'
import { CODE_PATTERN } from '../domain/code.ts'
import { END_REASONS, STATUSES } from '../domain/lifecycle.ts'
import { ALL_PROTOCOLS, MODES, PROFILES } from '../domain/profiles.ts'

export const Mode = OneOf(MODES)
export const Profile = OneOf(PROFILES)
export const Protocols = Type.Array(OneOf(ALL_PROTOCOLS))

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

export const sessionFields = {
  id: Type.String(),
  code: Type.String({ pattern: CODE_PATTERN }),
  mode: Mode,
  stream_profile: Profile,
  audio_enabled: Type.Boolean(),
}

export const SessionRecord = named(
  'Session',
  Type.Object({
    ...sessionFields,
    purpose: Nullable(Type.String()),
    customer: Nullable(Type.String()),
    metadata: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    status: OneOf(STATUSES),
    viewer_protocols: Protocols,
    recommended_settings: RecommendedSettings,
    workspace_id: Type.String(),
    created_at: Timestamp,
    expires_at: Timestamp,
    accepted_at: Nullable(Timestamp),
    ended_at: Nullable(Timestamp),
    end_reason: Nullable(OneOf(END_REASONS)),
  }),
)

/** Malformed tokens get the same error as unknown ones, so the schema has no pattern. */
export const JoinToken = Type.String({ maxLength: 256, examples: ['jt_4FGNuiHOr81mqIDE2q-FDSGIp6hmMAErNS6yyVmLV3E'] })
