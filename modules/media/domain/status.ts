export const STATUSES = ['pending', 'uploaded', 'processing', 'ready', 'rejected', 'expired'] as const
export type Status = (typeof STATUSES)[number]

/** Why an item is still `processing`. */
export const HOLDS = ['not_scanned', 'scanner_unavailable'] as const
export type Hold = (typeof HOLDS)[number]

/** Statuses whose bytes count against the quota: stored and reserved ones. */
export const COUNTED_STATUSES: readonly Status[] = ['pending', 'uploaded', 'processing', 'ready']

export const isFinal = (status: Status): boolean => status === 'ready' || status === 'rejected'
