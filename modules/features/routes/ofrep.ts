/** OpenFeature Remote Evaluation Protocol 0.3: `{publicUrl}/v1/features` is the base address of its providers. */
import { type Deps, type Problem, reply, route, Type } from 'larder/kernel'
import { isFailure } from '../domain/outcome.ts'
import { BulkFailure, Context, Evaluation, Evaluations, examples, Failure } from './flag-schemas.ts'
import { askerOf, LARGEST_QUESTION, sendWritten } from './evaluations.ts'

/** Open: providers of later versions may say more. */
const OfrepQuestion = Type.Object({ context: Type.Optional(Context) }, { additionalProperties: true, examples })

const shared = {
  method: 'post',
  allow: 'features.feature.evaluate',
  body: OfrepQuestion,
  bodyLimit: LARGEST_QUESTION,
  unit: 'own',
  idempotent: false,
} as const

/** What is wrong with the request, in OFREP's words; what is not the client's mistake stays a problem. */
function failureOf(problem: Problem) {
  if (problem.status >= 500 || problem.status === 408) return undefined
  const [error] = (problem.extras.errors ?? []) as { pointer: string; detail: string }[]
  return {
    errorCode: error?.pointer.startsWith('/context') ? 'INVALID_CONTEXT' : 'PARSE_ERROR',
    errorDetails: error ? `${error.pointer || 'The body'} ${error.detail}.` : problem.message,
  }
}

export function ofrepRoutes({ features: { evaluator } }: Deps<'features'>) {
  const one = route({
    ...shared,
    path: '/features/ofrep/v1/evaluate/flags/:key',
    summary: 'OFREP: one flag.',
    replies: { 200: Evaluation, 400: Failure, 404: Failure },
    refuse(problem, { key }) {
      const failure = failureOf(problem)
      return failure && reply(400, { key, ...failure })
    },
    async handle({ tenantId, params, body, caller }) {
      const outcome = await evaluator.one(askerOf(tenantId, caller, body.context), params.key)
      if (!isFailure(outcome)) return outcome
      return reply(outcome.errorCode === 'FLAG_NOT_FOUND' ? 404 : 400, outcome)
    },
  })

  const bulk = route({
    ...shared,
    path: '/features/ofrep/v1/evaluate/flags',
    summary: 'OFREP: every flag; If-None-Match is answered 304.',
    replies: { 200: Evaluations, 304: null, 400: BulkFailure },
    refuse(problem) {
      const failure = failureOf(problem)
      return failure && reply(400, failure)
    },
    handle: async ({ tenantId, body, caller, request }) =>
      sendWritten(await evaluator.bulk(askerOf(tenantId, caller, body.context)), request),
  })

  return [one, bulk]
}
