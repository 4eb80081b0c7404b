import { type Caller, type Deps, isHeld, KIB, type RequestFacts, reply, route, Type } from 'larder/kernel'
import { TARGETING_KEY } from '../domain/flag.ts'
import { isFailure } from '../domain/outcome.ts'
import { problems, unanswered } from '../problems.ts'
import { BulkQuestion, Evaluation, Evaluations, Question } from './flag-schemas.ts'
import type { Written } from '../services/response-cache.ts'
import type { Asker } from '../services/evaluation-service.ts'

/** Of what a client says of itself. */
export const LARGEST_QUESTION = 64 * KIB
const allow = 'features.feature.evaluate'
const JSON_TYPE = 'application/json; charset=utf-8'

/** What the server knows counts, whatever the client calls itself. */
export const askerOf = (tenantId: string, { userId, roles }: Caller, context: Asker['context']): Asker => ({
  tenantId,
  userId,
  roles,
  context,
})

/** OFREP asks for 304 after a POST too. */
export const sendWritten = ({ body, etag }: Written, { headers }: RequestFacts) =>
  isHeld(headers, etag) ? reply(304, undefined, { etag }) : reply(200, body, { etag, 'content-type': JSON_TYPE })

export function evaluationRoutes({ features: { evaluator } }: Deps<'features'>) {
  async function answer(asker: Asker, key: string) {
    const outcome = await evaluator.one(asker, key)
    if (isFailure(outcome)) throw unanswered(outcome)
    return outcome
  }
  const one = {
    allow,
    replies: { 200: Evaluation },
    problems: [problems.feature_not_found, problems.feature_unanswered],
  } as const

  const ask = route({
    ...one,
    method: 'post',
    path: '/features/:key/evaluate',
    summary: 'What a feature is worth to the caller; tenant, plan, roles and userId are known, and cannot be said.',
    body: Question,
    bodyLimit: LARGEST_QUESTION,
    unit: 'own',
    idempotent: false,
    handle: ({ tenantId, params, body, caller }) => answer(askerOf(tenantId, caller, body.context), params.key),
  })

  const get = route({
    ...one,
    method: 'get',
    path: '/features/:key/evaluate',
    summary: 'The same; the query is the context.',
    query: Type.Object(
      { [TARGETING_KEY]: Type.Optional(Type.String({ maxLength: 1000 })) },
      { additionalProperties: true },
    ),
    handle: ({ tenantId, params, query, caller }) => answer(askerOf(tenantId, caller, query), params.key),
  })

  const bulk = route({
    method: 'post',
    path: '/features/evaluate',
    summary: 'What many features, or all, are worth to the caller; If-None-Match is answered 304.',
    allow,
    body: BulkQuestion,
    bodyLimit: LARGEST_QUESTION,
    unit: 'own',
    idempotent: false,
    replies: { 200: Evaluations, 304: null },
    handle: async ({ tenantId, body, caller, request }) =>
      sendWritten(await evaluator.bulk(askerOf(tenantId, caller, body.context), body.keys), request),
  })

  return [ask, get, bulk]
}
