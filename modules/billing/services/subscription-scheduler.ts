/** Applies changes that follow from the passage of time: ended trials, periods and grace periods, expired credits. */

import { DAY, type Deps, SECOND, together, type Unit } from '@larder-dev/larder/kernel'
import { toMs } from '../domain/calendar.ts'
import { type DueChange, dueChange } from '../domain/due-transition.ts'
import type { Subject } from '../domain/subject.ts'
import type { SubscriptionRow } from '../records.ts'
import type { CreditService } from './credit-service.ts'
import type { PlanCatalog } from './plan-catalog.ts'
import { devEvent } from './providers/dev-provider.ts'
import type { PaymentProvider } from './providers/provider.ts'
import type { SubscriptionRepository } from './subscription-repository.ts'
import { type SubscriptionService, toState } from './subscription-service.ts'

/** Subjects per run. */
const BATCH_SIZE = 1000
/** More than ten years of monthly periods, for advanced time or a worker that was down. */
const MAX_STEPS = 130
const SUBJECT = 'tenant_id as "tenantId", member_id as "memberId"'

type SchedulerDeps = Deps<'database' | 'systemDatabase' | 'clock' | 'jobs' | 'log'> & {
  readonly catalog: PlanCatalog
  readonly subscriptionRows: SubscriptionRepository
  readonly subscriptions: SubscriptionService
  readonly credits: CreditService
  readonly provider: PaymentProvider
}
export interface SubscriptionScheduler {
  /** Applies due changes of every subject. */
  applyDueChanges(): Promise<void>
  /** Writes off expired credits of every subject. */
  expireDueCredits(): Promise<void>
  /** Writes off expired credits of one subject. */
  expireCredits(unit: Unit, subject: Subject): Promise<void>
  /** Moves the subject's dates `days` back and applies the due changes. For the development provider. */
  advanceTime(subject: Subject, days: number, paymentsSucceed: boolean): Promise<void>
}

export function createSubscriptionScheduler(deps: SchedulerDeps): SubscriptionScheduler {
  const { database, systemDatabase, clock, jobs, log, catalog, subscriptionRows, subscriptions, credits, provider } =
    deps
  const { managesSchedule } = provider

  async function nextDueChange(row: SubscriptionRow): Promise<DueChange | null> {
    const { interval } = await catalog.planFor(row, row.planKey)
    const { paymentsSucceed, anchorDay, shiftedDays } = row
    const shiftMs = shiftedDays * DAY
    return dueChange(toState(row), {
      now: clock.now(),
      interval,
      paymentsSucceed,
      managesSchedule,
      anchorDay,
      shiftMs,
    })
  }

  /** Applies the due changes of one subscription in order, each at the time it was due. */
  async function applyDue(unit: Unit, subject: Subject): Promise<void> {
    for (let step = 0; step < MAX_STEPS; step++) {
      const row = await subscriptionRows.lock(unit, subject)
      const due = await nextDueChange(row)
      if (!due) return
      const at = Math.max(due.at, toMs(row.lastEventAt) ?? 0)
      const outcome = await subscriptions.applyEvent(unit, subject, devEvent(row, due.change, at), !managesSchedule)
      if (outcome !== 'done') return
      const { providerSubscriptionId } = row
      if (managesSchedule && providerSubscriptionId)
        await jobs.enqueue('billing.cancel_at_provider', { providerSubscriptionId })
    }
  }

  async function expireCredits(unit: Unit, subject: Subject): Promise<void> {
    const { tenantId, memberId } = subject
    // Sorted, so that transactions that lock several keys can't deadlock.
    const { rows: keys } = await unit.query<{ key: string }>(
      `select distinct key from billing_credit_lots
       where tenant_id = $1 and member_id = $2 and remaining > 0 and expires_at <= $3 order by key`,
      [tenantId, memberId, new Date(clock.now())],
    )
    for (const { key } of keys) await credits.expire(unit, subject, key)
  }

  /** One transaction per subject, so that a failure of one doesn't affect the others. */
  async function forEach(due: readonly Subject[], work: (unit: Unit, subject: Subject) => Promise<void>) {
    for (const subject of due)
      try {
        await database.tenant(subject.tenantId).transaction(unit => work(unit, subject))
      } catch (error) {
        log.error({ err: error, ...subject }, 'applying due billing changes failed')
      }
  }

  async function find(sql: string, ...values: unknown[]): Promise<readonly Subject[]> {
    const unit = systemDatabase.acrossTenants('due subscriptions and expired credits of every tenant are found')
    const { rows } = await unit.query<Subject>(sql, [new Date(clock.now()), BATCH_SIZE, ...values])
    return rows
  }

  async function shiftDates(
    unit: Unit,
    { tenantId, memberId }: Subject,
    days: number,
    paymentsSucceed: boolean,
  ): Promise<void> {
    const seconds = (days * DAY) / SECOND
    await unit.all([
      [
        `update billing_subscriptions set payments_succeed = $3, shifted_days = shifted_days + $4,
           trial_ends_at = trial_ends_at - make_interval(secs => $2),
           current_period_end = current_period_end - make_interval(secs => $2),
           grace_ends_at = grace_ends_at - make_interval(secs => $2),
           last_event_at = last_event_at - make_interval(secs => $2) where tenant_id = $1 and member_id = $5`,
        [tenantId, seconds, paymentsSucceed, days, memberId],
      ],
      [
        `update billing_credit_lots set expires_at = expires_at - make_interval(secs => $2)
         where tenant_id = $1 and member_id = $3`,
        [tenantId, seconds, memberId],
      ],
    ])
  }

  return {
    expireCredits,
    async applyDueChanges() {
      const due = await find(
        `select ${SUBJECT} from billing_subscriptions
         where (state = 'trialing' and trial_ends_at <= $1 and (cancel_at_period_end or $3 and not payment_paused))
           or (state = 'active' and current_period_end <= $1 and (cancel_at_period_end or $3 and not payment_paused))
           or (state = 'past_due' and (grace_ends_at <= $1 and not payment_paused
             or cancel_at_period_end and current_period_end <= $1))
         limit $2`,
        !managesSchedule,
      )
      await forEach(due, applyDue)
    },
    async expireDueCredits() {
      const due = await find(
        `select distinct ${SUBJECT} from billing_credit_lots where remaining > 0 and expires_at <= $1 limit $2`,
      )
      await forEach(due, expireCredits)
    },
    async advanceTime(subject, days, paymentsSucceed) {
      await database.tenant(subject.tenantId).transaction(async unit => {
        await together({
          lock: subscriptionRows.lock(unit, subject),
          shifted: shiftDates(unit, subject, days, paymentsSucceed),
          applied: applyDue(unit, subject),
        })
        await expireCredits(unit, subject)
      })
    },
  }
}
