/** Problem documents in OpenAPI: their schema, their response, and those common to all routes. */
import { common, guardOf, type ProblemFactory } from 'larder/kernel'
import { isMutating } from '../csrf.ts'
import { http } from '../problems.ts'
import type { Endpoint } from '../types.ts'

const text = { type: 'string' } as const
export const PROBLEM_SCHEMA = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'],
  properties: {
    type: { ...text, description: 'URL of the documentation of this code' },
    title: text,
    status: { type: 'integer' },
    detail: { ...text, description: 'A human-readable explanation' },
    instance: { ...text, description: 'Path of the request' },
    code: { ...text, description: 'Stable error code', examples: ['not_found'] },
    requestId: text,
    errors: {
      type: 'array',
      description:
        'Invalid fields. `pointer` is a JSON Pointer (RFC 6901) into the body, or `query/name`, `params/name`, `headers/name`.',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'detail'],
        properties: { pointer: text, code: text, detail: text },
      },
    },
  },
}

export const problemResponse = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

export type Documented = Pick<ProblemFactory, 'code' | 'status' | 'sentence'>

/** Problems that this route may return in addition to those it declares. */
export function commonProblems({ allow, apiKeys, method, path, route, docs }: Endpoint): readonly Documented[] {
  const { open, permissions, ignoresRefused } = guardOf(allow)
  const closed = open.length === 0
  const writes = isMutating(method)
  const replays = method === 'POST' && route !== undefined && route.idempotent !== false
  return [
    common.malformed,
    // With a public word beside a permission, the handler decides who may do what.
    ...(closed || permissions.length > 0 ? [common.unauthenticated] : []),
    ...(closed ? [common.not_a_member] : []),
    ...(permissions.length > 0 ? [common.tenant_required, common.forbidden] : []),
    ...(route?.verifiedEmail ? [common.email_not_verified] : []),
    ...(!ignoresRefused && !apiKeys ? [http.api_key_refused] : []),
    ...(!ignoresRefused && writes ? [common.cross_site] : []),
    ...(path.includes(':') ? [common.not_found] : []),
    ...(route?.body || docs?.body ? [common.unsupported_media_type, common.body_too_large, http.body_too_slow] : []),
    ...(replays ? [common.idempotency_in_progress, http.replay_unreadable, common.idempotency_mismatch] : []),
    common.validation_failed,
    common.rate_limited,
    common.internal,
    common.database_unavailable,
    common.database_full,
    common.unavailable,
  ]
}
