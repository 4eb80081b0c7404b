/** The data of all frames of the socket, for its documentation. */
import { type Deps, Nullable, named, OneOf, type SocketDocs, Timestamp, Type } from '@larder-dev/larder/kernel'
import { CLOSE_CODE } from '../domain/close-codes.ts'
import { ROLES } from '../domain/values.ts'
import { streamSchemas } from '../records/served-stream.ts'
import { LayoutRecord, SourceRecord } from '../records/source.ts'

const Role = OneOf(ROLES)
const Text = Type.String()
const Integer = Type.Integer()
const Empty = Type.Object({})
const Ping = Type.Object({ t: Type.Optional(Type.Integer({ description: 'Milliseconds since 1970' })) })
const Peer = named('StreamPeer', Type.Object({ peer_id: Text, role: Role, polite: Type.Boolean() }))
const iceFields = {
  ice_servers: Type.Array(
    named(
      'IceServer',
      Type.Object({
        urls: Type.Array(Text),
        username: Type.Optional(Text),
        credential: Type.Optional(Text),
      }),
    ),
  ),
  ice_expires_at: Nullable(Timestamp),
}
const relayed = {
  description: Type.Object({
    connection_id: Text,
    description: named(
      'SessionDescription',
      Type.Object({ type: OneOf(['offer', 'answer', 'pranswer', 'rollback']), sdp: Type.Optional(Text) }),
    ),
  }),
  candidate: Type.Object({
    connection_id: Text,
    candidate: Nullable(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'RTCIceCandidateInit; null after the last one',
      }),
    ),
  }),
  renegotiate: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
}

export function streamSocketDocs(deps: Deps<'sessions'>): SocketDocs {
  const { properties: stream } = streamSchemas(deps).Stream
  /** The part of a session that its peers may see. */
  const SessionView = named(
    'StreamSession',
    Type.Object({
      id: stream.id,
      code: stream.code,
      status: stream.status,
      mode: stream.mode,
      stream_profile: stream.stream_profile,
      audio_enabled: stream.audio_enabled,
      recommended_settings: stream.recommended_settings,
      created_at: stream.created_at,
      expires_at: stream.expires_at,
      accepted_at: stream.accepted_at,
      title: stream.title,
      description: stream.description,
      visibility: stream.visibility,
      live_status: stream.live_status,
      live_at: stream.live_at,
      sources: stream.sources,
      layout: Nullable(LayoutRecord),
    }),
  )
  return {
    receives: {
      hello: Type.Object({
        token: Type.Optional(Type.String({ description: 'Join token or stream token' })),
        role: Type.Optional(Role),
        resume_token: Type.Optional(Text),
        last_seq: Type.Optional(
          Type.Integer({ description: 'Number of the last frame received before the disconnect' }),
        ),
      }),
      ...relayed,
      request_ice: Empty,
      leave: Empty,
      ping: Ping,
      pong: Ping,
    },
    sends: {
      welcome: Type.Object({
        protocol: Integer,
        peer_id: Text,
        role: Role,
        session: SessionView,
        peers: Type.Array(Peer),
        ...iceFields,
        ping_interval_ms: Integer,
        resume_token: Text,
        resume_window_ms: Integer,
        limits: named(
          'StreamLimits',
          Type.Object({
            frame_bytes: Integer,
            messages_per_second: Integer,
            burst: Integer,
            buffer_bytes: Integer,
            peers: Integer,
            kept_messages: Integer,
            kept_bytes: Integer,
          }),
        ),
        resumed: Type.Boolean(),
        last_seq: Integer,
      }),
      ...relayed,
      peer_joined: Peer,
      peer_left: Peer,
      session_updated: SessionView,
      source_updated: SourceRecord,
      layout_updated: LayoutRecord,
      ice_servers: Type.Object(iceFields),
      ack: Empty,
      ping: Ping,
      pong: Ping,
      error: Type.Object({ code: Text, message: Text, retryable: Type.Boolean() }),
      closing: Type.Object({
        action: OneOf(['resume', 'reconnect', 'stop']),
        reason: Text,
        retry_after_ms: Nullable(Integer),
      }),
    },
    members: {
      receives: { to: Type.Optional(Type.String({ description: 'peer_id of the recipient of a relayed frame' })) },
      sends: {
        seq: Type.Optional(Type.Integer({ description: 'Counts the frames of this peer that can be resumed' })),
        from: Type.Optional(Type.String({ description: 'peer_id of the sender of a relayed frame' })),
        to: Type.Optional(Text),
      },
    },
    closeCodes: CLOSE_CODE,
  }
}
