import { type Deps, MINUTE, type Product, route, Type } from 'larder/kernel'
import { capabilities, joinFeatures, joinProtocols } from '../domain/profiles.ts'
import { relayOf, type SessionsOptions } from '../options.ts'
import type { Session } from '../ports.ts'
import { problems } from '../problems.ts'
import { Capabilities, JoinReply, JoinToken } from './schemas.ts'

export function joinRoutes(
  { sessions, iceServers, product }: Deps<'sessions' | 'iceServers' | 'product'>,
  options: SessionsOptions,
) {
  const { relay_host, relay_udp_port } = relayOf(options, product)
  const address = socketAddress(product)
  return [
    route({
      method: 'post',
      path: '/join',
      allow: 'joinToken',
      summary: 'Exchanges a join token for what a client needs to connect.',
      body: Type.Object({ join_token: JoinToken }),
      replies: { 200: JoinReply },
      problems: [problems.invalid_join_token, problems.session_ended, problems.session_expired],
      limits: [{ name: 'sessions.join', points: 60, window: MINUTE, by: 'ip' }],
      unit: 'own',
      async handle({ body }) {
        const session = mustLive(await sessions.byJoinToken(body.join_token))
        // Named one by one: two objects spread behind another cost 30 µs, a twentieth of this answer.
        return {
          ...session,
          signaling_url: address,
          rtc_url: address,
          relay_host,
          relay_udp_port,
          viewer_protocols: joinProtocols(session.mode),
          features: joinFeatures(session),
          ice_servers: iceServers.of(session.id).ice_servers,
        }
      },
    }),
    route({
      method: 'get',
      path: '/capabilities',
      allow: 'public',
      summary: 'What sessions of this installation can be.',
      replies: { 200: Capabilities },
      handle: async () => capabilities(),
    }),
  ]
}

/** Over, the token still names its session, and reveals no more than that. */
function mustLive(session: Session): Session {
  const about = { session: { id: session.id, status: session.status } }
  if (session.status === 'ended') throw problems.session_ended({}, about)
  if (session.status === 'expired') throw problems.session_expired({}, about)
  return session
}

const socketAddress = ({ publicUrl }: Pick<Product, 'publicUrl'>): string =>
  `${publicUrl.replace(/^http/, 'ws')}/v1/streams/realtime`
