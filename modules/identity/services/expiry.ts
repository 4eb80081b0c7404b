import type { Deps } from 'larder/kernel'
import { timeAt } from '../domain/time.ts'

/** Takes away what has expired: nothing depends on it, for every look at a login or a code compares the time. */
export function createSweep({ database, clock }: Deps<'database' | 'clock'>) {
  return async function sweep(): Promise<void> {
    const unit = database.system('expired logins and codes of everybody go')
    await unit.query('delete from identity_logins where expires_at <= $1', [timeAt(clock)])
    await unit.query('delete from identity_claims where expires_at <= $1', [timeAt(clock)])
  }
}
export type Sweep = ReturnType<typeof createSweep>
