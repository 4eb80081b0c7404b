/** Headers of every response, computed once. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PageResult, Problem } from '@larder-dev/larder/kernel'
import helmet from 'helmet'
import { malformedRequest } from './problems.ts'

/** Name, value, name, value: the fastest form for `writeHead`. */
export type RawHeaders = readonly string[]

/** Helmet's headers, with HSTS if the public URL is https. The policy allows API responses to load nothing. */
export function securityHeaders(publicUrl: string): RawHeaders {
  const made: string[] = []
  const recorder = {
    setHeader: (name: string, value: string) => made.push(name.toLowerCase(), value),
    removeHeader: () => undefined,
  }
  const run = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"] },
    },
    strictTransportSecurity: publicUrl.startsWith('https:') && { maxAge: 31_536_000 },
  })
  run({} as IncomingMessage, recorder as unknown as ServerResponse, error => {
    if (error) throw error
  })
  return made
}

type Framing = Pick<Extract<PageResult, { data: unknown }>, 'origins' | 'frameAncestors'>

/** The policy of pages: this origin, elements with the nonce, data and media of `origins`, and frames of `frameAncestors`. */
export const pagePolicy = (nonce: string, { origins = [], frameAncestors = ["'none'"] }: Framing = {}): string =>
  [
    "default-src 'self'",
    ...(origins.length > 0 ? ['connect-src', 'media-src'].map(part => `${part} 'self' ${origins.join(' ')}`) : []),
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors.join(' ')}`,
  ].join('; ')

/** The policy of the API reference, which fetches from this origin only. */
export const referencePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** All. Browsers read the asterisk as a wildcard in responses without cookies, as all of these are. */
const EXPOSED_HEADERS = '*'
const ALLOWED_HEADERS =
  'authorization, content-type, idempotency-key, if-match, if-none-match, traceparent, x-api-key, x-request-id, x-tenant-id'

/** Allows requests from any origin with a bearer token or without credentials; with `*`, browsers send no cookies. */
/** Each 401 names how to authenticate (RFC 9110, 11.6.1). Browsers don't ask for a password because of this scheme. */
export const CHALLENGE: RawHeaders = ['www-authenticate', 'Bearer realm="api"']

export const CORS_HEADERS: RawHeaders = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  EXPOSED_HEADERS,
  'vary',
  'origin',
]

export const preflight = (methods: readonly string[]): Record<string, string> => ({
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': ALLOWED_HEADERS,
  'access-control-max-age': '7200',
})

/**
 * A request must name one host (RFC 9112, 3.2). Of two, Node keeps the first, and a proxy may have used the other. Node
 * refuses requests without a host itself, except for upgrades.
 */
export function hostProblem({ rawHeaders, httpVersion }: IncomingMessage): Problem | undefined {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts++
  if (hosts > 1) return malformedRequest.hosts()
  if (hosts === 0 && httpVersion === '1.1') return malformedRequest.host_missing()
  return undefined
}
