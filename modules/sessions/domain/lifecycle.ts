/** What the clock has made of a session, whether or not the sweeper has written it down. Pure. */
import type { EndReason, SessionStatus } from '../ports.ts'

export interface Life {
  readonly status: SessionStatus
  readonly expires_at: Date
  /** When its longest duration is over; null before it is accepted, and where there is none. */
  readonly ends_at: Date | null
  readonly ended_at: Date | null
  readonly end_reason: EndReason | null
}

/** Only a created session expires, at exactly `now >= expires_at`; milliseconds since 1970. */
export function lifeAt<L extends Life>(life: L, now: number): L {
  if (life.status === 'created' && now >= life.expires_at.getTime()) return { ...life, status: 'expired' }
  if (life.status === 'accepted' && life.ends_at !== null && now >= life.ends_at.getTime())
    return { ...life, status: 'ended', ended_at: life.ends_at, end_reason: 'max_duration' }
  return life
}

/** The same in SQL, where `$now` is the parameter that holds the time. */
export const statusAt = ($now: string): string =>
  `case when status = 'created' and expires_at <= ${$now} then 'expired'
        when status = 'accepted' and ends_at <= ${$now} then 'ended' else status end`

export const isOver = (status: SessionStatus): boolean => status === 'ended' || status === 'expired'
