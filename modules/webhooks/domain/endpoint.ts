/** Endpoints and their status. Pure. */
import { DAY, etag } from 'larder/kernel'

export const ENDPOINT_STATUSES = ['active', 'paused'] as const
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number]
/** Who or what paused an endpoint: a caller, five days of failures, or status 410. */
export const PAUSE_REASONS = ['manual', 'failing', 'gone'] as const
export type PauseReason = (typeof PAUSE_REASONS)[number]

/** An endpoint is paused by the first failure after this time without a success. */
export const PAUSE_AFTER_MS = 5 * DAY

export const MANAGED_BY_RECIPE = 'recipe'

export interface EndpointRow {
  readonly id: string
  readonly url: string
  readonly host: string
  readonly address: string
  readonly events: readonly string[]
  readonly description: string | null
  readonly status: EndpointStatus
  readonly pause_reason: PauseReason | null
  readonly paused_at: Date | null
  /** Time of the first failed attempt since the last success. */
  readonly failing_since: Date | null
  readonly managed_by: string | null
  /** Key in the recipe; null for endpoints of the API. */
  readonly key: string | null
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
}

export const endpointEtag = ({ revision }: Pick<EndpointRow, 'revision'>): string => etag(revision)

/** The URL without its query, which can contain credentials. */
export const displayUrl = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}
