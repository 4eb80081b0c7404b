/** RFC 3339, so many milliseconds from now. */
import type { Clock } from 'larder/kernel'
export const timeAt = (clock: Clock, offset = 0): string => new Date(clock.now() + offset).toISOString()

export const iso = (time: Date): string => time.toISOString()
export const isoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null
