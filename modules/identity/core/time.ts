import type { Clock } from '../../../kernel/contract.ts'

/** RFC 3339, so many milliseconds from now. */
export const timeAt = (clock: Clock, offset = 0): string => new Date(clock.now() + offset).toISOString()

export const iso = (time: Date): string => time.toISOString()
export const isoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null
