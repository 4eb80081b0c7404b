/** The clock of this machine beside those of others. */
import { SECOND } from '../../kernel/base/index.ts'
import type { Finding } from './finding.ts'

/** Beyond the first, what happens first is sorted wrongly; beyond the second, codes and signed links fail. */
const WARN_MS = 5 * SECOND
const FAIL_MS = 30 * SECOND

/** @param offsetMs by which the other clock is ahead of this one */
export function judgeClock(other: string, offsetMs: number): Finding {
  const seconds = Math.abs(offsetMs) / SECOND
  if (Math.abs(offsetMs) <= WARN_MS)
    return { state: 'ok', what: `the clocks of this machine and of ${other} agree to ${Math.ceil(seconds)} s` }
  return {
    state: Math.abs(offsetMs) > FAIL_MS ? 'fail' : 'warn',
    what: `the clock of this machine is ${Math.round(seconds)} s ${offsetMs > 0 ? 'behind' : 'ahead of'} that of ${other}`,
    fix: 'Synchronize both: `timedatectl set-ntp true`, or chrony.',
  }
}
