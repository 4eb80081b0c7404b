export const STATUSES = ['pending', 'delivered', 'dead'] as const
export type DeliveryStatus = (typeof STATUSES)[number]
/**
 * Why a delivery is dead: status 410, an address that must not be reached, no attempts left, or an endpoint that was
 * paused or deleted.
 */
export const DEAD_REASONS = ['gone', 'refused', 'exhausted', 'paused', 'deleted'] as const
export type DeadReason = (typeof DEAD_REASONS)[number]
