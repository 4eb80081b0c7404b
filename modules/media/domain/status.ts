/** The life of an item. Pure. */

export const STATUSES = ['pending', 'uploaded', 'processing', 'ready', 'rejected', 'expired'] as const
export type Status = (typeof STATUSES)[number]

/** Why an item stays `processing`. */
export const HOLDS = ['not_scanned', 'scanner_unavailable'] as const
export type Hold = (typeof HOLDS)[number]

/** Bytes of these count against the tenant's storage: those that are there, and those that may yet come. */
export const COUNTED: readonly Status[] = ['pending', 'uploaded', 'processing', 'ready']

export const isOver = (status: Status): boolean => status === 'ready' || status === 'rejected'
