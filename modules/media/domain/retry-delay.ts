import { HOUR, MINUTE } from '@larder-dev/larder/kernel'

const MAX_DOUBLINGS = 10

/** Milliseconds before the next scan after `attempts` attempts: one minute, doubled each time, at most one hour. */
export const retryDelay = (attempts: number): number =>
  Math.min(HOUR, MINUTE * 2 ** Math.min(attempts - 1, MAX_DOUBLINGS))
