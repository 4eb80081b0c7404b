/** Fixtures of the webhook tests: a kernel that sends to receivers on 127.0.0.1. */
import {
  type Client,
  type Person,
  startTestKernel,
  type TestKernel,
  type TestKernelOptions,
} from '../../../testing/index.ts'
import type {
  WebhookDelivery as DeliveryBody,
  WebhookDeliveryDetails as DeliveryDetails,
  WebhookEndpoint as EndpointBody,
} from '../../fixtures/api-types.ts'
import { waitFor } from '../../fixtures/wait.ts'

export type { DeliveryBody, DeliveryDetails, EndpointBody }

export const webhooksRecipe = (webhooks: Readonly<Record<string, unknown>> = {}) => ({
  modules: { identity: {}, comms: {}, sessions: {}, webhooks: { allowHosts: '127.0.0.1', ...webhooks } },
})

export const startWebhooks = (
  options: Partial<TestKernelOptions> = {},
  webhooks: Readonly<Record<string, unknown>> = {},
): Promise<TestKernel> => startTestKernel({ recipe: webhooksRecipe(webhooks), ...options })

export async function createEndpoint(
  client: Pick<Client, 'post'>,
  url: string,
  events: readonly string[],
): Promise<EndpointBody> {
  const { status, body } = await client.post('/v1/webhooks/endpoints', { url, events })
  if (status !== 201) throw new Error(`creating an endpoint returned ${status}: ${JSON.stringify(body)}`)
  return body
}

export const endpointSecret = async (client: Pick<Client, 'get'>, { id }: { id: string }): Promise<string> =>
  (await client.get(`/v1/webhooks/endpoints/${id}/secret`)).body.secret

/** Publishes `identity.tenant.updated`. */
export const rename = (person: Person, name: string) =>
  person.patch(`/v1/identity/tenants/${person.tenantId}`, { name }, { headers: { 'x-tenant-id': person.tenantId } })

export async function createHooked(
  person: Pick<Client, 'post'>,
  url: string,
  more: object = {},
): Promise<{ id: string }> {
  const answer = await person.post('/v1/sessions', { mode: 'screenshare', webhook_url: url, ...more })
  if (answer.status !== 201)
    throw new Error(`creating a session returned ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

export async function deliveriesOf(person: Pick<Client, 'get'>, query = ''): Promise<DeliveryBody[]> {
  const { body } = await person.get(`/v1/webhooks/deliveries?limit=200&${query}`)
  return body.data
}

export const details = async (person: Person, id: string): Promise<DeliveryDetails> =>
  (await person.get(`/v1/webhooks/deliveries/${id}`)).body

/** Waits until the first delivery of a session has this status. */
export const settled = (person: Pick<Client, 'get'>, session: { id: string }, status: string): Promise<DeliveryBody> =>
  waitFor(
    () => deliveriesOf(person, `filter[session_id]=${session.id}`),
    ([first]) => first?.status === status,
  ).then(([first]) => first as DeliveryBody)
