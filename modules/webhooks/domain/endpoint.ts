/** Endpoints and their status. Pure. */
import { DAY, etag } from '@larder-dev/larder/kernel'

export const ENDPOINT_STATUSES = ['active', 'paused'] as const
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number]
/** Who or what paused an endpoint: a caller, five days of failures, or status 410. */
export const PAUSE_REASONS = ['manual', 'failing', 'gone'] as const
export type PauseReason = (typeof PAUSE_REASONS)[number]

/** An endpoint is paused by the first failure after this time without a success. */
export const PAUSE_AFTER_MS = 5 * DAY

export const MANAGED_BY_RECIPE = 'recipe'

export const endpointEtag = ({ revision }: { readonly revision: number }): string => etag(revision)

/** The URL without its query, which can contain credentials. */
export const displayUrl = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}
