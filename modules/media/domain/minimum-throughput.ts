/** How slowly a body may come: less is somebody who holds a connection and a place on the disk. Pure. */

import { KIB, SECOND } from 'larder/kernel'

/** Bytes a second, on average; a telephone at the edge of its cell is faster. */
const SLOWEST = 4 * KIB
/** Milliseconds until anybody is judged. */
const START = 15 * SECOND

export const isTooSlow = (bytes: number, milliseconds: number): boolean =>
  milliseconds > START && bytes < ((milliseconds - START) / SECOND) * SLOWEST
