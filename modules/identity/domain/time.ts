import type { Clock } from '@larder-dev/larder/kernel'

/** The current time plus `offset` milliseconds, as RFC 3339. */
export const timeAt = (clock: Clock, offset = 0): string => new Date(clock.now() + offset).toISOString()

export const iso = (time: Date): string => time.toISOString()
export const isoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null
