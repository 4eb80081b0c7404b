/** What billing does when others tell something, and when time passes. */

import { type Deps, job, listener, MINUTE } from 'larder/kernel'
export const listeners = ({ billing, database }: Deps<'billing' | 'database'>) => [
  listener('identity.tenant.created', ({ tenantId }) => billing.rows.open(database.tenant(tenantId), tenantId), {
    together: true,
  }),
  listener('identity.tenant.deleted', ({ tenantId }) =>
    database.tenant(tenantId).transaction(unit => billing.subscriptions.forget(unit, tenantId)),
  ),
]

export const jobs = ({ billing: { intake, timekeeper, provider } }: Deps<'billing'>) => [
  job('billing.webhooks', { timeout: 5 * MINUTE, concurrency: 1, run: () => intake.run() }),
  job('billing.clock', {
    every: '1m',
    timeout: 5 * MINUTE,
    async run() {
      await intake.run()
      await timekeeper.run()
    },
  }),
  job('billing.expire_credits', {
    every: '5m',
    timeout: 5 * MINUTE,
    async run() {
      await timekeeper.expire()
      await intake.sweep()
    },
  }),
  job('billing.abandon', { run: ({ reference }) => provider.abandon(reference) }),
]
