/** The lifecycle of a session at a given time, including changes that the sweeper has not stored yet. Pure. */

export const STATUSES = ['created', 'accepted', 'ended', 'expired'] as const
export type SessionStatus = (typeof STATUSES)[number]
export const END_REASONS = ['owner', 'max_duration'] as const
export type EndReason = (typeof END_REASONS)[number]

/** Times are RFC 3339. */
export interface Lifecycle {
  readonly status: SessionStatus
  readonly expires_at: string
  readonly ends_at: string | null
  readonly ended_at: string | null
  readonly end_reason: EndReason | null
}

/** Only a created session expires, as soon as `now >= expires_at`. `now` in milliseconds since 1970. */
export function lifecycleAt<L extends Lifecycle>(stored: L, now: number): L {
  if (stored.status === 'created' && now >= Date.parse(stored.expires_at)) return { ...stored, status: 'expired' }
  if (stored.status === 'accepted' && stored.ends_at !== null && now >= Date.parse(stored.ends_at))
    return { ...stored, status: 'ended', ended_at: stored.ends_at, end_reason: 'max_duration' }
  return stored
}

/** The same rule as an SQL expression. `$now` is the parameter that holds the time. */
export const statusAtSql = ($now: string): string =>
  `case when status = 'created' and expires_at <= ${$now} then 'expired'
        when status = 'accepted' and ends_at <= ${$now} then 'ended' else status end`

export const isFinished = (status: SessionStatus): boolean => status === 'ended' || status === 'expired'
