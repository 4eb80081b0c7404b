/** Counts emails that weren't sent, by reason, over all tenants and processes: the metric `larder_mails_suppressed_total`. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'

type MetricSource = Registrations['metrics'][number]

/** Reasons of suppression entries, and the recipient limit. */
const SUPPRESSION_REASONS = ['recipient_limit', 'hard_bounce', 'complaint', 'unsubscribed', 'manual'] as const
type Reason = (typeof SUPPRESSION_REASONS)[number]

export interface SuppressedCounts {
  /** Counts one after the surrounding unit commits. Unknown reasons count as `manual`. */
  add(reason: string): void
  readonly metric: MetricSource
}

export function createSuppressedCounts({
  database,
  systemDatabase,
  log,
}: Deps<'database' | 'systemDatabase' | 'log'>): SuppressedCounts {
  const system = () => systemDatabase.acrossTenants('suppressed emails are counted over all tenants')

  async function increment(reason: Reason): Promise<void> {
    try {
      await system().query(
        `insert into comms_suppressed_counts (reason, total) values ($1, 1)
         on conflict (reason) do update set total = comms_suppressed_counts.total + 1`,
        [reason],
      )
    } catch (error) {
      // A metric must not fail a delivery.
      log.warn({ err: error }, 'counting a suppressed email failed')
    }
  }

  return {
    // Not in the unit: it would hold the lock on the counter until it commits.
    add: reason =>
      database.afterCommit(() => increment(SUPPRESSION_REASONS.find(known => known === reason) ?? 'manual')),
    metric: {
      name: 'larder_mails_suppressed_total',
      help: 'Emails that were not sent, by reason. Every process reports the total of all processes',
      type: 'counter',
      async read() {
        const { rows } = await system().query<{ reason: string; total: string }>(
          'select reason, total from comms_suppressed_counts',
        )
        const totals = new Map(rows.map(({ reason, total }) => [reason, Number(total)]))
        return SUPPRESSION_REASONS.map(reason => ({ labels: { reason }, value: totals.get(reason) ?? 0 }))
      },
    },
  }
}
