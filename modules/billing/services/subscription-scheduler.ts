/** What the time itself does: trials, periods and grace that are over, credits that expire. */
import { DAY, type Deps, SECOND, type Unit } from 'larder/kernel'
import { type Due, dueOf } from '../domain/due-transition.ts'
import { time } from '../domain/calendar.ts'
import { newsOf } from './providers/dev-provider.ts'
import type { Provider } from './providers/provider.ts'
import type { Catalogue } from './plan-catalog.ts'
import type { Credits } from './credit-service.ts'
import type { SubscriptionRow, SubscriptionRows } from './subscription-repository.ts'
import { coreOf, type Subscriptions } from './subscription-service.ts'

const BATCH = 1000
/** More than ten years of months: time that was walked, or a worker that slept. */
const STEPS = 130
const BY = { reason: 'expired', reference: null, source: null, by: { kind: 'system', id: 'billing' } } as const

interface Parts {
  readonly catalogue: Catalogue
  readonly rows: SubscriptionRows
  readonly subscriptions: Subscriptions
  readonly credits: Credits
  readonly provider: Provider
}

export function createTimekeeper(
  { database, clock, jobs, log }: Deps<'database' | 'clock' | 'jobs' | 'log'>,
  { catalogue, rows, subscriptions, credits, provider }: Parts,
) {
  async function dueOfRow(row: SubscriptionRow): Promise<Due | null> {
    const { interval } = await catalogue.planOf(row.tenantId, row.planKey)
    const { keepsTime } = provider
    return dueOf(coreOf(row), { now: clock.now(), interval, pays: row.pays, keepsTime })
  }

  /** Everything that is due of one subscription, one after the other, each at its own time. */
  async function settle(unit: Unit, tenantId: string): Promise<void> {
    for (let step = 0; step < STEPS; step++) {
      const row = await rows.hold(unit, tenantId)
      const due = await dueOfRow(row)
      if (!due) return
      const at = Math.max(due.at, time(row.lastEventAt) ?? 0)
      const outcome = await subscriptions.hear(unit, tenantId, newsOf(row, due.what, at), !provider.keepsTime)
      if (outcome !== 'done') return
      if (provider.keepsTime && row.reference) await jobs.enqueue('billing.abandon', { reference: row.reference })
    }
  }

  async function expireCredits(unit: Unit, tenantId: string): Promise<void> {
    const { rows: keys } = await unit.query<{ key: string }>(
      `select distinct key from billing_credit_lots where tenant_id = $1 and remaining > 0 and expires_at <= $2 order by key`,
      [tenantId, new Date(clock.now())],
    )
    // In one order everywhere: two who lock several keys never wait for each other.
    for (const { key } of keys) await credits.lapse(unit, tenantId, key, BY)
  }

  /** Tenants one by one: what is wrong with one must not hold the others up. */
  async function each(tenants: readonly string[], work: (unit: Unit, tenantId: string) => Promise<void>) {
    for (const tenantId of tenants)
      try {
        await database.tenant(tenantId).transaction(unit => work(unit, tenantId))
      } catch (error) {
        log.error({ err: error, tenantId }, 'what is due in billing could not be done')
      }
  }

  async function tenantsOf(sql: string, ...more: unknown[]): Promise<string[]> {
    const unit = database.system('subscriptions and credits of every tenant age')
    const { rows } = await unit.query<{ tenantId: string }>(sql, [new Date(clock.now()), BATCH, ...more])
    return rows.map(({ tenantId }) => tenantId)
  }

  return {
    settle,
    expireCredits,
    async run(): Promise<void> {
      const due = await tenantsOf(
        `select tenant_id as "tenantId" from billing_subscriptions
         where (state = 'trialing' and trial_ends_at <= $1 and (cancel_at_period_end or $3))
           or (state = 'active' and current_period_end <= $1 and (cancel_at_period_end or $3))
           or (state = 'past_due' and (grace_ends_at <= $1 or (cancel_at_period_end and current_period_end <= $1)))
         limit $2`,
        !provider.keepsTime,
      )
      await each(due, settle)
    },
    async expire(): Promise<void> {
      const due = await tenantsOf(
        'select distinct tenant_id as "tenantId" from billing_credit_lots where remaining > 0 and expires_at <= $1 limit $2',
      )
      await each(due, expireCredits)
    },
    /** As if `days` had passed for this tenant: everything that lies ahead of it comes nearer. */
    async walk(tenantId: string, days: number, pays: boolean): Promise<void> {
      await database.tenant(tenantId).transaction(async unit => {
        const seconds = (days * DAY) / SECOND
        await rows.hold(unit, tenantId)
        await unit.query(
          `update billing_subscriptions set pays = $3, trial_ends_at = trial_ends_at - make_interval(secs => $2),
             current_period_end = current_period_end - make_interval(secs => $2),
             grace_ends_at = grace_ends_at - make_interval(secs => $2),
             last_event_at = last_event_at - make_interval(secs => $2) where tenant_id = $1`,
          [tenantId, seconds, pays],
        )
        await unit.query(
          'update billing_credit_lots set expires_at = expires_at - make_interval(secs => $2) where tenant_id = $1',
          [tenantId, seconds],
        )
        await settle(unit, tenantId)
        await expireCredits(unit, tenantId)
      })
    },
  }
}
export type Timekeeper = ReturnType<typeof createTimekeeper>
