import {
  DAY,
  HOUR,
  milliseconds,
  POSITIVE_DURATION_PATTERN,
  type Product,
  SECOND,
  type Static,
  Type,
} from '@larder-dev/larder/kernel'
import type { SessionMode } from './domain/profiles.ts'

const Duration = (description: string) =>
  Type.Optional(Type.String({ pattern: POSITIVE_DURATION_PATTERN, description }))
const Secret = Type.String({ writeOnly: true, description: 'Newest first; comma-separated during a rotation' })

/** RFC 7064 and RFC 7065. */
const SERVER = '(stun|stuns|turn|turns):[^, ]+'

/** A host name, an IPv4 or an IPv6 address. Empty if an environment variable is not set. */
const HOST = '^([A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*\\.?|\\[?[0-9A-Fa-f]*:[0-9A-Fa-f:.]+\\]?)?$'

export const SessionsOptions = Type.Object(
  {
    ttl: Type.Optional(
      Type.Object(
        {
          screenshare: Duration('Default time within which a screen share must be accepted (1h)'),
          stream: Duration('Default time within which a stream must be accepted (12h)'),
        },
        { additionalProperties: false },
      ),
    ),
    maxDuration: Duration('Ends a session this long after acceptance; unlimited by default'),
    relay: Type.Optional(
      Type.Object(
        {
          host: Type.Optional(
            Type.String({
              pattern: HOST,
              description: 'Public host name or IP address of the relay; defaults to the host of publicUrl',
              examples: ['relay.acme.example'],
            }),
          ),
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
              { description: 'In order of preference: stun:host:3478, turn:host:3478?transport=udp' },
            ),
          ),
          secret: Type.Optional(Secret),
          ttl: Duration('Lifetime of a credential (4h)'),
        },
        { additionalProperties: false, description: 'Shared-secret authentication of coturn (use-auth-secret)' },
      ),
    ),
  },
  { additionalProperties: false },
)
export type SessionsOptions = Static<typeof SessionsOptions>

/** Upper bound of `ttl_seconds`. */
export const MAX_TTL_SECONDS: Readonly<Record<SessionMode, number>> = {
  screenshare: DAY / SECOND,
  stream: (7 * DAY) / SECOND,
}
const DEFAULT_TTL_MS: Readonly<Record<SessionMode, number>> = { screenshare: HOUR, stream: 12 * HOUR }

/** Applies when the creator sends no `ttl_seconds`. */
export function defaultTtlSeconds(options: SessionsOptions, mode: SessionMode): number {
  const configured = options.ttl?.[mode]
  const seconds = Math.floor((configured === undefined ? DEFAULT_TTL_MS[mode] : milliseconds(configured)) / SECOND)
  return Math.min(Math.max(seconds, 1), MAX_TTL_SECONDS[mode])
}

/** Undefined if the duration of a session is unlimited. */
export const maxDurationMs = ({ maxDuration }: SessionsOptions): number | undefined =>
  maxDuration === undefined ? undefined : milliseconds(maxDuration)

export const relayEndpoint = ({ relay }: SessionsOptions, { publicUrl }: Pick<Product, 'publicUrl'>) => ({
  relay_host: relay?.host || new URL(publicUrl).hostname,
  relay_udp_port: relay?.udpPort ?? 7000,
})

/** URLs of STUN and TURN servers. Environment variables hold them as one comma-separated text. */
export function iceUrls({ turn }: SessionsOptions): readonly string[] {
  const { urls = [] } = turn ?? {}
  if (typeof urls !== 'string') return urls
  return urls.split(',').flatMap(url => url.trim() || [])
}
