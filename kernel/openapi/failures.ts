/** Problem documents in OpenAPI: their schema, their response, and those that any route may answer. */
import { common, type ProblemFactory } from '../problem.ts'

const text = { type: 'string' } as const
export const PROBLEM = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'],
  properties: {
    type: { ...text, description: 'Address of the description of this code' },
    title: text,
    status: { type: 'integer' },
    detail: { ...text, description: 'One plain sentence' },
    instance: { ...text, description: 'Path of the request' },
    code: { ...text, description: 'Stable: match on it', examples: ['not_found'] },
    requestId: text,
    errors: {
      type: 'array',
      description:
        'Every wrong field: a JSON Pointer (RFC 6901) into the body, or `query/name`, `params/name`, `headers/name`',
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

/** Problems that any route with such a guard may answer. */
export function usualProblems(open: boolean, tenant: boolean, takesInput: boolean): readonly Documented[] {
  const { malformed, unauthenticated, tenant_required, not_a_member, forbidden, validation_failed, rate_limited } =
    common
  return [
    malformed,
    ...(open ? [] : [unauthenticated]),
    ...(tenant ? [tenant_required, not_a_member, forbidden] : []),
    ...(takesInput ? [common.body_too_large, common.unsupported_media_type] : []),
    validation_failed,
    rate_limited,
    common.internal,
    common.unavailable,
  ]
}
