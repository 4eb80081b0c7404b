/**
 * What this process sees of a request, for `larder doctor`, which sends one through the proxies in front of the product. Only
 * whoever knows LARDER_SECRET is answered.
 */
import { common, MINUTE, type Secrets } from '@larder-dev/larder/kernel/internal'
import type { Serve } from '../api/pipeline.ts'
import type { ResponseWriter } from '../response-writer.ts'
import type { HttpOptions } from '../types.ts'

export const SEEN_REQUEST_PATH = '/v1/health/request'
const HEADER = 'larder-doctor'
const PURPOSE = 'doctor'
/** Beyond it, the clocks of both differ too much for signed links, too. */
const VALID_MS = 10 * MINUTE

/** Headers by which proxies say what they received, and that of the trace. */
const SHOWN = ['host', 'forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'traceparent'] as const

export interface SeenRequest {
  /** The version of Larder. */
  readonly version: string
  /** Address of whoever opened the connection, and that of the client, with `trustProxy`. */
  readonly peer: string
  readonly address: string
  readonly trustProxy: number
  readonly trustTraceparent: boolean
  readonly headers: { readonly [Name in (typeof SHOWN)[number]]?: string }
}

/** The header of a request for `SEEN_REQUEST_PATH`. @param now milliseconds since 1970 */
export const seenRequestHeaders = (secrets: Pick<Secrets, 'sign'>, now: number): Readonly<Record<string, string>> => ({
  [HEADER]: `${now}.${secrets.sign(PURPOSE, String(now))}`,
})

export interface SeenRequestDeps extends Pick<HttpOptions, 'settings' | 'secrets' | 'clock' | 'version'> {
  readonly writer: ResponseWriter
}

export function createSeenRequest({ writer, secrets, clock, version, settings }: SeenRequestDeps): Serve {
  const { trustProxy, trustTraceparent = false } = settings
  const isAllowed = (given: unknown): boolean => {
    const [at = '', signature = ''] = typeof given === 'string' ? given.split('.') : []
    return secrets.verify(signature, PURPOSE, at) && Math.abs(clock.now() - Number(at)) < VALID_MS
  }
  return async ctx => {
    if (!isAllowed(ctx.headers[HEADER])) return writer.fail(ctx, common.unauthenticated())
    const headers = Object.fromEntries(SHOWN.map(name => [name, [ctx.headers[name] ?? []].flat().join(', ')]))
    const seen = { version, peer: ctx.req.socket.remoteAddress ?? '', address: ctx.ip, trustProxy, trustTraceparent }
    writer.json(ctx, 200, { ...seen, headers: Object.fromEntries(Object.entries(headers).filter(([, text]) => text)) })
  }
}
