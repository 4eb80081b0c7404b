import {
  common,
  listQuery,
  MINUTE,
  named,
  OneOf,
  replyWithEtag,
  route,
  Timestamp,
  Type,
} from '@larder-dev/larder/kernel'
import { ENDPOINT_STATUSES } from '../domain/endpoint.ts'
import { problems } from '../problems.ts'
import { Delivery } from '../records/delivery.ts'
import { Endpoint, EndpointPatch, type EndpointRow, Endpoints, NewEndpoint } from '../records/endpoint.ts'
import type { WebhookServices } from '../services.ts'
import { SENSITIVE } from './secrets.ts'

const replyWith = replyWithEtag((row: EndpointRow) => row.revision)

export function endpointRoutes({ endpoints, deliveries }: Pick<WebhookServices, 'endpoints' | 'deliveries'>) {
  const list = route({
    method: 'get',
    path: '/webhooks/endpoints',
    operationId: 'listWebhookEndpoints',
    allow: 'webhooks.endpoint.read',
    summary: 'Lists the webhook endpoints of the workspace, newest first.',
    query: listQuery(),
    filters: {
      status: OneOf(ENDPOINT_STATUSES),
      event: Type.String({ maxLength: 128, description: 'An event type that the endpoint receives' }),
    },
    replies: { 200: Endpoints },
    async handle({ query, filters, tenantId }) {
      const { data, nextCursor } = await endpoints.list(tenantId, { ...query, ...filters })
      return { data, next_cursor: nextCursor }
    },
  })

  const create = route({
    ...SENSITIVE,
    method: 'post',
    path: '/webhooks/endpoints',
    operationId: 'createWebhookEndpoint',
    allow: 'webhooks.endpoint.create',
    verifiedEmail: true,
    summary: 'Creates an endpoint, which receives the events that it subscribes to.',
    body: NewEndpoint,
    replies: { 201: Endpoint },
    problems: ['entitlement_exceeded', problems.too_many_endpoints],
    async handle({ tenantId, body }) {
      const row = await endpoints.create(tenantId, { description: null, ...body, events: [...new Set(body.events)] })
      return replyWith(201, row, { location: `/v1/webhooks/endpoints/${row.id}` })
    },
  })

  const get = route({
    method: 'get',
    path: '/webhooks/endpoints/:id',
    operationId: 'getWebhookEndpoint',
    allow: 'webhooks.endpoint.read',
    summary: 'Returns a webhook endpoint.',
    replies: { 200: Endpoint },
    handle: async ({ tenantId, params }) => replyWith(200, await endpoints.get(tenantId, params.id)),
  })

  const update = route({
    ...SENSITIVE,
    method: 'patch',
    path: '/webhooks/endpoints/:id',
    operationId: 'updateWebhookEndpoint',
    allow: 'webhooks.endpoint.update',
    verifiedEmail: true,
    summary: 'Changes a webhook endpoint. Supports If-Match.',
    description: 'A new URL also applies to deliveries that wait for a retry.',
    body: EndpointPatch,
    replies: { 200: Endpoint },
    problems: [common.managed_by_recipe, common.precondition_failed],
    async handle({ tenantId, params, body, request }) {
      const patch = { ...body, ...(body.events && { events: [...new Set(body.events)] }) }
      return replyWith(200, await endpoints.update(tenantId, params.id, patch, request.headers))
    },
  })

  const remove = route({
    method: 'delete',
    path: '/webhooks/endpoints/:id',
    operationId: 'deleteWebhookEndpoint',
    allow: 'webhooks.endpoint.delete',
    summary: 'Deletes a webhook endpoint with its secrets. Supports If-Match.',
    replies: { 204: null },
    problems: [common.managed_by_recipe, common.precondition_failed],
    handle: ({ tenantId, params, request }) => endpoints.remove(tenantId, params.id, request.headers),
  })

  const pause = route({
    method: 'post',
    path: '/webhooks/endpoints/:id/pause',
    operationId: 'pauseWebhookEndpoint',
    allow: 'webhooks.endpoint.update',
    summary: 'Pauses a webhook endpoint. Events in the meantime can be redelivered later.',
    replies: { 200: Endpoint },
    handle: async ({ tenantId, params }) => replyWith(200, await endpoints.pause(tenantId, params.id)),
  })

  const resume = route({
    method: 'post',
    path: '/webhooks/endpoints/:id/resume',
    operationId: 'resumeWebhookEndpoint',
    allow: 'webhooks.endpoint.update',
    verifiedEmail: true,
    summary: 'Resumes a webhook endpoint, starting with the next event.',
    replies: { 200: Endpoint },
    handle: async ({ tenantId, params }) => replyWith(200, await endpoints.resume(tenantId, params.id)),
  })

  const test = route({
    method: 'post',
    path: '/webhooks/endpoints/:id/test',
    operationId: 'testWebhookEndpoint',
    allow: 'webhooks.endpoint.update',
    verifiedEmail: true,
    summary: 'Sends an event of type webhooks.endpoint.test to an endpoint, once.',
    replies: { 202: Delivery },
    limits: [{ name: 'webhooks.test', points: 20, window: MINUTE, by: 'principal' }],
    async handle({ tenantId, params }) {
      const id = await endpoints.test(tenantId, params.id)
      return deliveries.get(tenantId, id)
    },
  })

  const redeliver = route({
    method: 'post',
    path: '/webhooks/endpoints/:id/redeliver',
    operationId: 'redeliverWebhooks',
    allow: 'webhooks.delivery.retry',
    verifiedEmail: true,
    summary: 'Sends the dead deliveries of an endpoint again.',
    description: 'At most 10,000 deliveries per request, oldest first. Repeat the request while `has_more` is true.',
    body: Type.Object({
      since: Type.Unsafe<string>({ ...Timestamp, description: 'Time of the oldest event to send again' }),
    }),
    replies: { 202: named('WebhookRedelivery', Type.Object({ count: Type.Integer(), has_more: Type.Boolean() })) },
    problems: [problems.endpoint_paused],
    handle: ({ tenantId, params, body }) => endpoints.redeliver(tenantId, params.id, new Date(body.since)),
  })

  return [list, create, get, update, remove, pause, resume, test, redeliver]
}
