import type { Deps } from 'larder/kernel'
import { timeAt } from '../domain/time.ts'

/** Deletes expired logins and claim codes. Every lookup also compares the expiry time, so a late run is harmless. */
export type DeleteExpired = () => Promise<void>

export function createExpiry({ systemDatabase, clock }: Deps<'systemDatabase' | 'clock'>): DeleteExpired {
  return async () => {
    const unit = systemDatabase.acrossTenants('expired logins and claim codes of every user are deleted')
    await unit.query('delete from identity_logins where expires_at <= $1', [timeAt(clock)])
    await unit.query('delete from identity_claims where expires_at <= $1', [timeAt(clock)])
  }
}
