/** When a file that could not be scanned is tried again. Pure. */

import { HOUR, MINUTE } from 'larder/kernel'
/** Milliseconds after the try number `tries`, from 1: a minute, then twice as long each time, at most an hour. */
export const holdDelay = (tries: number): number => Math.min(HOUR, MINUTE * 2 ** Math.min(tries - 1, 10))
