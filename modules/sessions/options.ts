import { DAY, DURATION_PATTERN, HOUR, milliseconds, type Product, SECOND, type Static, Type } from 'larder/kernel'
import type { SessionMode } from './ports.ts'

const Duration = (description: string) => Type.Optional(Type.String({ pattern: DURATION_PATTERN, description }))
const Secret = Type.String({ writeOnly: true, description: 'Newest first, separated by commas during a rotation' })

/** RFC 7064 and RFC 7065. */
const SERVER = '(stun|stuns|turn|turns):[^, ]+'

export const SessionsOptions = Type.Object(
  {
    ttl: Type.Optional(
      Type.Object(
        {
          screenshare: Duration('How long a screen share waits to be accepted, if its creator does not say (1h)'),
          stream: Duration('The same for a stream (12h)'),
        },
        { additionalProperties: false },
      ),
    ),
    maxDuration: Duration('Ends a session this long after it was accepted; off by default'),
    relay: Type.Optional(
      Type.Object(
        {
          host: Type.Optional(Type.String({ description: 'Public name of the relay; empty: the host of publicUrl' })),
          udpPort: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535, description: '7000 by default' })),
        },
        { additionalProperties: false },
      ),
    ),
    turn: Type.Optional(
      Type.Object(
        {
          urls: Type.Optional(
            Type.Union(
              [
                Type.String({ pattern: `^(${SERVER}( *, *${SERVER})*)?$` }),
                Type.Array(Type.String({ pattern: `^${SERVER}$` })),
              ],
              { description: 'In the order of preference: stun:host:3478, turn:host:3478?transport=udp' },
            ),
          ),
          secret: Type.Optional(Secret),
          ttl: Duration('How long a credential opens the server (4h)'),
        },
        { additionalProperties: false, description: "coturn's use-auth-secret" },
      ),
    ),
  },
  { additionalProperties: false },
)
export type SessionsOptions = Static<typeof SessionsOptions>

/** The longest lifetime that a creator may ask for, in seconds. */
export const MAX_TTL: Readonly<Record<SessionMode, number>> = {
  screenshare: DAY / SECOND,
  stream: (7 * DAY) / SECOND,
}
const STANDARD_TTL: Readonly<Record<SessionMode, number>> = { screenshare: HOUR, stream: 12 * HOUR }

/** Seconds that a session of this mode waits, where its creator does not say. */
export function standardTtl(options: SessionsOptions, mode: SessionMode): number {
  const said = options.ttl?.[mode]
  const seconds = Math.floor((said === undefined ? STANDARD_TTL[mode] : milliseconds(said)) / SECOND)
  return Math.min(Math.max(seconds, 1), MAX_TTL[mode])
}

/** Milliseconds; undefined where a session may go on for ever. */
export const maxDuration = ({ maxDuration: said }: SessionsOptions): number | undefined =>
  said === undefined ? undefined : milliseconds(said)

export const relayOf = ({ relay }: SessionsOptions, { publicUrl }: Pick<Product, 'publicUrl'>) => ({
  relay_host: relay?.host || new URL(publicUrl).hostname,
  relay_udp_port: relay?.udpPort ?? 7000,
})

/** STUN and TURN servers: as a list, or as a text with commas, which is what an environment variable holds. */
export function iceUrls({ turn }: SessionsOptions): readonly string[] {
  const { urls = [] } = turn ?? {}
  if (typeof urls !== 'string') return urls
  return urls.split(',').flatMap(url => url.trim() || [])
}
