import { common, type Deps, MINUTE, named, OneOf, type Product, route, Type } from '@larder-dev/larder/kernel'
import { STATUSES } from '../domain/lifecycle.ts'
import { capabilities, FEATURES, joinFeatures, joinProtocols } from '../domain/profiles.ts'
import { relayEndpoint, type SessionsOptions } from '../options.ts'
import type { Session } from '../ports.ts'
import { problems } from '../problems.ts'
import { JoinToken, Mode, Profile, Protocols, RecommendedSettings, STORED_FIELDS, sessionFields } from '../records.ts'

const JoinReply = named(
  'JoinedSession',
  Type.Object({
    ...sessionFields,
    status: OneOf(STATUSES),
    signaling_url: Type.String(),
    relay_host: Type.String(),
    relay_udp_port: Type.Integer(),
    rtc_url: Type.String(),
    viewer_protocols: Protocols,
    features: Type.Array(Type.String()),
    recommended_settings: RecommendedSettings,
    ice_servers: Type.Array(
      named(
        'IceServer',
        Type.Object({
          urls: Type.Array(Type.String()),
          username: Type.Optional(Type.String()),
          credential: Type.Optional(Type.String()),
        }),
      ),
    ),
  }),
  { leavesOut: STORED_FIELDS },
)

const Capabilities = named(
  'Capabilities',
  Type.Object({
    session_modes: Type.Array(Mode),
    stream_profiles: Type.Array(Profile),
    viewer_protocols: Protocols,
    features: Type.Array(OneOf(FEATURES)),
    default_screen_share: RecommendedSettings,
  }),
)

export function joinRoutes(
  { sessions, iceServers, product }: Deps<'sessions' | 'iceServers' | 'product'>,
  options: SessionsOptions,
) {
  const { relay_host, relay_udp_port } = relayEndpoint(options, product)
  const url = signalingUrl(product)
  return [
    route({
      method: 'post',
      path: '/join',
      operationId: 'joinSession',
      allow: 'joinToken',
      summary: 'Exchanges a join token for the connection details of its session.',
      body: Type.Object({ join_token: JoinToken }),
      replies: { 200: JoinReply },
      problems: [
        common.tenant_suspended,
        problems.invalid_join_token,
        problems.session_ended,
        problems.session_expired,
      ],
      limits: [{ name: 'sessions.join', points: 60, window: MINUTE, by: 'ip' }],
      // A join token is found across workspaces. Nothing is written.
      unit: 'own',
      async handle({ body }) {
        const session = assertLive(await sessions.getByJoinToken(body.join_token))
        // Assigned one by one: spreading two more objects costs 30 µs, a twentieth of this request.
        return {
          ...session,
          signaling_url: url,
          rtc_url: url,
          relay_host,
          relay_udp_port,
          viewer_protocols: joinProtocols(session.mode),
          features: joinFeatures(session),
          ice_servers: iceServers.forPeer(session.id).ice_servers,
        }
      },
    }),
    route({
      method: 'get',
      path: '/capabilities',
      operationId: 'getCapabilities',
      allow: 'public',
      summary: 'Lists the session modes, profiles, protocols and features of this installation.',
      replies: { 200: Capabilities },
      handle: async () => capabilities(),
    }),
  ]
}

/** The token of a finished session reveals its id and status only. */
function assertLive(session: Session): Session {
  const extras = { session: { id: session.id, status: session.status } }
  if (session.status === 'ended') throw problems.session_ended({}, extras)
  if (session.status === 'expired') throw problems.session_expired({}, extras)
  return session
}

const signalingUrl = ({ publicUrl }: Pick<Product, 'publicUrl'>): string =>
  `${publicUrl.replace(/^http/, 'ws')}/v1/streams/realtime`
