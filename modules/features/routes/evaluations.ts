import {
  type Caller,
  common,
  type Deps,
  isNotModified,
  KIB,
  type RequestFacts,
  reply,
  route,
  type Static,
  Type,
} from '@larder-dev/larder/kernel'
import type { Subject } from '../domain/attributes.ts'
import { TARGETING_KEY } from '../domain/flag.ts'
import { isFailure } from '../domain/outcome.ts'
import { evaluationFailed, problems } from '../problems.ts'
import type { SerializedResponse } from '../services/response-cache.ts'
import type { FeatureServices } from '../services.ts'
import {
  BulkEvaluationInput,
  Evaluation,
  EvaluationInput,
  Evaluations,
  ExplanationInput,
} from './evaluation-schemas.ts'

/** Bytes of a body with the client's context. */
export const MAX_CONTEXT_SIZE = 64 * KIB
export const JSON_TYPE = 'application/json; charset=utf-8'

/** Everything but the context comes from the server. */
export const subjectOf = (tenantId: string, { userId, roles }: Caller, context: Subject['context']): Subject => ({
  tenantId,
  userId,
  roles,
  context,
})

/** OFREP expects 304 for a conditional POST, too. */
export const sendSerialized = ({ body, etag }: SerializedResponse, { headers }: RequestFacts) =>
  isNotModified(headers, etag) ? reply(304, undefined, { etag }) : reply(200, body, { etag, 'content-type': JSON_TYPE })

type RouteDeps = Deps<never, 'callerRights'> & Pick<FeatureServices, 'evaluations'>

export function evaluationRoutes({ evaluations, callerRights }: RouteDeps) {
  async function evaluateOne(subject: Subject, key: string) {
    const outcome = await evaluations.evaluate(subject, key)
    if (isFailure(outcome)) throw evaluationFailed(outcome)
    return outcome
  }
  const one = {
    allow: 'features.feature.evaluate',
    replies: { 200: Evaluation },
    problems: [problems.feature_not_found, problems.evaluation_failed],
  } as const

  const evaluate = route({
    ...one,
    method: 'post',
    path: '/features/:key/evaluate',
    operationId: 'evaluateFlag',
    summary:
      "Evaluates a feature for the caller. `tenant`, `plan`, `roles` and `userId` come from the server and can't be overridden.",
    body: EvaluationInput,
    bodyLimit: MAX_CONTEXT_SIZE,
    // Flags are evaluated in memory: most evaluations need no connection.
    unit: 'own',
    idempotent: false,
    handle: ({ tenantId, params, body, caller }) => evaluateOne(subjectOf(tenantId, caller, body.context), params.key),
  })

  const evaluateByQuery = route({
    ...one,
    method: 'get',
    path: '/features/:key/evaluate',
    operationId: 'evaluateFlagByQuery',
    summary: 'Evaluates a feature for the caller. The query parameters are the context.',
    query: Type.Object(
      { [TARGETING_KEY]: Type.Optional(Type.String({ maxLength: 1000 })) },
      { additionalProperties: true },
    ),
    handle: ({ tenantId, params, query, caller }) => evaluateOne(subjectOf(tenantId, caller, query), params.key),
  })

  const evaluateMany = route({
    method: 'post',
    path: '/features/evaluate',
    operationId: 'evaluateFlags',
    summary: 'Evaluates several features, or all, for the caller. Supports If-None-Match.',
    allow: 'features.feature.evaluate',
    body: BulkEvaluationInput,
    bodyLimit: MAX_CONTEXT_SIZE,
    // Flags are evaluated in memory: most evaluations need no connection.
    unit: 'own',
    idempotent: false,
    replies: { 200: Evaluations, 304: null },
    handle: async ({ tenantId, body, caller, request }) =>
      sendSerialized(await evaluations.evaluateMany(subjectOf(tenantId, caller, body.context), body.keys), request),
  })

  /** Throws `not_found` for anyone but a member. */
  async function explainFor(tenantId: string, { userId, context, keys }: Static<typeof ExplanationInput>) {
    const rights = await callerRights?.current(tenantId, { kind: 'login', principalId: '', userId })
    // Operators have rights in every workspace without being a member.
    if (!rights?.memberId) throw common.not_found({ what: 'member' })
    return evaluations.evaluateMany({ tenantId, userId, roles: rights.roles, context }, keys)
  }
  const explanation = {
    method: 'post',
    body: ExplanationInput,
    bodyLimit: MAX_CONTEXT_SIZE,
    // Flags are evaluated in memory: most evaluations need no connection.
    unit: 'own',
    idempotent: false,
    replies: { 200: Evaluations, 304: null },
    problems: [common.not_found],
  } as const

  const explain = route({
    ...explanation,
    path: '/features/explain',
    operationId: 'explainFlags',
    summary: 'Evaluates several features, or all, for a member of the workspace, with their roles.',
    allow: 'features.feature.read',
    handle: async ({ tenantId, body, request }) => sendSerialized(await explainFor(tenantId, body), request),
  })

  const explainAnywhere = route({
    ...explanation,
    path: '/features/admin/tenants/:id/explain',
    operationId: 'explainTenantFlags',
    summary: 'Evaluates several features, or all, for a member of any workspace, with their roles.',
    allow: 'features.product.manage',
    handle: async ({ params, body, request }) => sendSerialized(await explainFor(params.id, body), request),
  })

  return [evaluate, evaluateByQuery, evaluateMany, explain, explainAnywhere]
}
