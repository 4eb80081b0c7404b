import type { EndpointStatus } from './endpoint.ts'
import type { Scheduled } from './host-scheduling.ts'
import type { WebhookMessage } from './payload.ts'

export const STATUSES = ['pending', 'delivered', 'dead'] as const
export type DeliveryStatus = (typeof STATUSES)[number]
/**
 * Why a delivery is dead: status 410, an address that must not be reached, no attempts left, or an endpoint that was
 * paused or deleted.
 */
export const DEAD_REASONS = ['gone', 'refused', 'exhausted', 'paused', 'deleted'] as const
export type DeadReason = (typeof DEAD_REASONS)[number]

/** Attempts that a delivery keeps, latest last. Manual retries have no limit. */
export const MAX_LOGGED_ATTEMPTS = 100

export interface ClaimedDelivery extends WebhookMessage, Scheduled {
  readonly tenant_id: string
  readonly url: string
  readonly host: string
  readonly attempts: number
  readonly failures: number
  /** How many runs of automations led to its event. */
  readonly depth: number
  /** The W3C `traceparent` of what queued it; null without tracing. */
  readonly traceparent: string | null
  /** Null for the URL of a session, and after the endpoint was deleted. */
  readonly endpoint_status: EndpointStatus | null
  /** The workspace was deleted, but not all of its rows. */
  readonly tenant_stopped: boolean
  /**
   * Encrypted signing secrets of the endpoint or workspace, newest first, as one array for its deliveries of a claim;
   * null before the first is created.
   */
  readonly secrets: readonly Buffer[] | null
}
