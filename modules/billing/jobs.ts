import { job, MINUTE } from '@larder-dev/larder/kernel'
import { ROW_STORAGE } from './services/row-storage.ts'
import type { BillingServices } from './services.ts'

type JobDeps = Pick<
  BillingServices,
  'providerEvents' | 'scheduler' | 'provider' | 'catalog' | 'rowScan' | 'revenueDays'
>

export const jobs = ({ providerEvents, scheduler, provider, catalog, rowScan, revenueDays }: JobDeps) => [
  job('billing.process_webhooks', { timeout: 5 * MINUTE, concurrency: 1, run: () => providerEvents.processDue() }),
  job('billing.run_due_changes', {
    every: '1m',
    timeout: 5 * MINUTE,
    async run() {
      await providerEvents.processDue()
      await scheduler.applyDueChanges()
    },
  }),
  job('billing.expire_credits', {
    every: '5m',
    timeout: 5 * MINUTE,
    async run() {
      await scheduler.expireDueCredits()
      await providerEvents.sweep()
    },
  }),
  job('billing.measure_rows', {
    every: '1m',
    timeout: 10 * MINUTE,
    concurrency: 1,
    async run(_, { signal }) {
      if (catalog.entitlements.has(ROW_STORAGE)) await rowScan.run(signal)
    },
  }),
  job('billing.sum_revenue', {
    every: '1h',
    timeout: 10 * MINUTE,
    concurrency: 1,
    run: (_, { signal }) => revenueDays.sum(signal),
  }),
  job('billing.cancel_at_provider', {
    outgoing: true,
    run: ({ providerSubscriptionId }) => provider.terminate(providerSubscriptionId),
  }),
]
