/** OpenFeature Remote Evaluation Protocol 0.3. The base URL for its providers is `{publicUrl}/v1/features`. */
import { type Problem, reply, route, Type } from '@larder-dev/larder/kernel'
import type { FeatureServices } from '../services.ts'
import { BulkFailure, Context, Evaluation, Evaluations, examples, Failure } from './evaluation-schemas.ts'
import { JSON_TYPE, MAX_CONTEXT_SIZE, sendSerialized, subjectOf } from './evaluations.ts'

/** Accepts unknown members, because providers of later versions may send more. */
const OfrepInput = Type.Object({ context: Type.Optional(Context) }, { additionalProperties: true, examples })

const shared = {
  method: 'post',
  allow: 'features.feature.evaluate',
  body: OfrepInput,
  bodyLimit: MAX_CONTEXT_SIZE,
  // Flags are evaluated in memory: most evaluations need no connection.
  unit: 'own',
  idempotent: false,
} as const

/** Turns a problem with the request into an OFREP error. Others, such as timeouts, stay problems. */
function ofrepError(problem: Problem) {
  if (problem.status >= 500 || problem.status === 408) return undefined
  const [error] = (problem.extras.errors ?? []) as { pointer: string; detail: string }[]
  return {
    errorCode: error?.pointer.startsWith('/context') ? 'INVALID_CONTEXT' : 'PARSE_ERROR',
    errorDetails: error ? `${error.pointer || 'The body'} ${error.detail}.` : problem.message,
  }
}

export function ofrepRoutes({ evaluations }: Pick<FeatureServices, 'evaluations'>) {
  const one = route({
    ...shared,
    path: '/features/ofrep/v1/evaluate/flags/:key',
    operationId: 'evaluateOfrepFlag',
    summary: 'Evaluates one flag (OFREP).',
    replies: { 200: Evaluation, 400: Failure, 404: Failure },
    refuse(problem, { key }) {
      const error = ofrepError(problem)
      return error && reply(400, { key, ...error })
    },
    async handle({ tenantId, params, body, caller }) {
      const outcome = await evaluations.evaluateSerialized(subjectOf(tenantId, caller, body.context), params.key)
      if (typeof outcome === 'string') return reply(200, outcome, { 'content-type': JSON_TYPE })
      return reply(outcome.errorCode === 'FLAG_NOT_FOUND' ? 404 : 400, outcome)
    },
  })

  const bulk = route({
    ...shared,
    path: '/features/ofrep/v1/evaluate/flags',
    operationId: 'evaluateOfrepFlags',
    summary: 'Evaluates all flags (OFREP). Supports If-None-Match.',
    replies: { 200: Evaluations, 304: null, 400: BulkFailure },
    refuse(problem) {
      const error = ofrepError(problem)
      return error && reply(400, error)
    },
    handle: async ({ tenantId, body, caller, request }) =>
      sendSerialized(await evaluations.evaluateMany(subjectOf(tenantId, caller, body.context)), request),
  })

  return [one, bulk]
}
