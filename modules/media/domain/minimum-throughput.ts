import { KIB, SECOND } from '@larder-dev/larder/kernel'

/** Slower uploads would hold a connection and disk space. A weak mobile connection is faster. */
const MIN_BYTES_PER_SECOND = 4 * KIB
const GRACE_MS = 15 * SECOND

export const isTooSlow = (bytes: number, milliseconds: number): boolean =>
  milliseconds > GRACE_MS && bytes < ((milliseconds - GRACE_MS) / SECOND) * MIN_BYTES_PER_SECOND
