/** Payloads of the events that this module publishes. */
import { OneOf, Type } from '@larder-dev/larder/kernel'
import { PAUSE_REASONS } from './domain/endpoint.ts'

export const events = {
  /** Published when the product pauses an endpoint by itself. */
  'webhooks.endpoint.paused': Type.Object({ endpointId: Type.String(), reason: OneOf(PAUSE_REASONS) }),
}
