/** Private services of webhooks. */
import type { ServicesOf } from '@larder-dev/larder/kernel'
import { createDeliveries } from './services/delivery-service.ts'
import { createEndpointService } from './services/endpoint-service.ts'
import { createEndpointEnqueuer } from './services/enqueue-service.ts'
import { createEventCatalog } from './services/event-catalog.ts'
import { createConnectedRequests } from './services/requests.ts'
import { createSecretStore } from './services/secret-store.ts'
import { createConnectedSender } from './services/sender.ts'

export const services = {
  deliveries: createDeliveries,
  endpoints: createEndpointService,
  endpointEnqueuer: createEndpointEnqueuer,
  eventCatalog: createEventCatalog,
  requests: createConnectedRequests,
  secretStore: createSecretStore,
  sender: createConnectedSender,
}
export type WebhookServices = ServicesOf<typeof services>
