/** What the home screen has found: lists with rows that need attention, and notices. */
import { DAY, isAwaited, MINUTE, type Resource, useCounts, useGet } from '../../public.ts'
import type { Check } from './checks.ts'
import type { HomePlan } from './plan.ts'
import type { HomeText } from './texts.ts'

const REFRESH_MS = MINUTE
const SLOW_QUEUE_SECONDS = 60
const TRIAL_NOTICE_DAYS = 7

export interface Finding {
  readonly id: HomeText
  readonly tone: Check['tone']
  readonly path: string
  readonly filters: Readonly<Record<string, string>> | undefined
  readonly count: string
}

const pathOf = ({ module, name }: Resource) => `/${module}/${name}`

export function useFindings({ checks }: HomePlan) {
  const results = useCounts(checks, REFRESH_MS)
  const findings = checks.flatMap(({ id, tone, resource, filters }, index): Finding[] => {
    const found = results[index]?.data
    return found && found.length > 0 ? [{ id, tone, path: pathOf(resource), filters, count: found.text }] : []
  })
  return {
    findings,
    failed: checks.filter((_, index) => results[index]?.error).map(({ id }) => id),
    isPending: results.some(isAwaited),
  }
}

export interface Notice {
  readonly id: HomeText
  readonly tone: Check['tone']
  readonly values: Readonly<Record<string, string>>
}

/** Notices that don't link to a list: problems of other servers, the age of the queue and the end of the plan. */
export function useNotices({ isOperator, showsQueue, showsPlan }: HomePlan, formatDay: (instant: string) => string) {
  const queue = useGet('/v1/platform/queue', {
    isEnabled: showsQueue,
    refreshMs: REFRESH_MS,
  })
  // Modules ask other servers, which may take seconds: the screen doesn't wait for them.
  const { data: problems } = useGet('/v1/platform/problems', {
    isEnabled: isOperator,
    refreshMs: REFRESH_MS,
  })
  const subscription = useGet('/v1/billing/subscription', { isEnabled: showsPlan })
  const { data: plan } = subscription
  const notices: Notice[] = (problems?.data ?? []).map(({ module, problem }) => ({
    id: 'problem',
    tone: 'danger',
    values: { module, problem },
  }))
  const seconds = queue.data?.oldestSeconds ?? 0
  if (seconds > SLOW_QUEUE_SECONDS)
    notices.push({ id: 'queueOld', tone: 'warning', values: { seconds: String(Math.round(seconds)) } })
  if (plan?.state === 'past_due') notices.push({ id: 'pastDue', tone: 'danger', values: {} })
  if (plan?.cancelAtPeriodEnd && plan.currentPeriodEnd)
    notices.push({ id: 'cancelled', tone: 'warning', values: { date: formatDay(plan.currentPeriodEnd) } })
  const trial = plan?.trialEndsAt
  if (trial && new Date(trial).getTime() - Date.now() < TRIAL_NOTICE_DAYS * DAY && plan.state === 'trialing')
    notices.push({ id: 'trial', tone: 'warning', values: { date: formatDay(trial) } })
  return { notices, isPending: isAwaited(queue) || isAwaited(subscription) }
}
