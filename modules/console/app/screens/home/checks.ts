/** What the home screen checks and counts: lists that the person may read. */
import { DAY, hasArea, MINUTE, type Resource, useCounts, useGet, usePermissions, useResources } from '../../public.ts'
import type { HomeText } from './texts.ts'

interface Check {
  readonly id: HomeText
  readonly resource: string
  readonly filters?: Readonly<Record<string, string>>
  readonly tone: 'danger' | 'warning' | 'neutral'
}
const CHECKS: readonly Check[] = [
  { id: 'platform.dead-letters', resource: 'platform.dead-letters', tone: 'danger' },
  {
    id: 'automations.failed',
    resource: 'automations.runs',
    filters: { 'filter[state]': 'failed' },
    tone: 'danger',
  },
  { id: 'webhooks.paused', resource: 'webhooks.endpoints', filters: { 'filter[status]': 'paused' }, tone: 'danger' },
  { id: 'webhooks.dead', resource: 'webhooks.deliveries', filters: { 'filter[status]': 'dead' }, tone: 'warning' },
  { id: 'comms.failed', resource: 'comms.messages', filters: { 'filter[status]': 'failed' }, tone: 'danger' },
  { id: 'comms.bounced', resource: 'comms.messages', filters: { 'filter[status]': 'bounced' }, tone: 'warning' },
  { id: 'comms.complained', resource: 'comms.messages', filters: { 'filter[status]': 'complained' }, tone: 'warning' },
  { id: 'media.rejected', resource: 'media.items', filters: { 'filter[status]': 'rejected' }, tone: 'warning' },
]
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

export function useFindings() {
  const { data: resources = [] } = useResources()
  const checks = CHECKS.flatMap(check => {
    const resource = resources.find(({ id, offered }) => id === check.resource && offered)
    return resource ? [{ ...check, resource }] : []
  })
  const results = useCounts(checks, REFRESH_MS)
  const findings = checks.flatMap(({ id, tone, resource, filters }, index): Finding[] => {
    const found = results[index]?.data
    return found && found.length > 0 ? [{ id, tone, path: pathOf(resource), filters, count: found.text }] : []
  })
  return {
    findings,
    failed: checks.filter((_, index) => results[index]?.error).map(({ id }) => id),
    isPending: results.some(({ isPending }) => isPending),
  }
}

export interface Notice {
  readonly id: HomeText
  readonly tone: Check['tone']
  readonly values: Readonly<Record<string, string>>
}

/** Notices that don't link to a list: problems of other servers, the age of the queue and the end of the plan. */
export function useNotices(formatDay: (instant: string) => string) {
  const { may, mayOnPlatform } = usePermissions()
  const { data: queue, isLoading: isQueueLoading } = useGet('/v1/platform/queue', {
    isEnabled: hasArea('platform') && mayOnPlatform('platform.queue.read'),
    refreshMs: REFRESH_MS,
  })
  // Modules ask other servers, which may take seconds: the screen doesn't wait for them.
  const { data: problems } = useGet('/v1/platform/problems', {
    isEnabled: hasArea('platform') && mayOnPlatform('platform.module.configure'),
    refreshMs: REFRESH_MS,
  })
  const { data: resources = [] } = useResources()
  const { data: plan, isLoading: isPlanLoading } = useGet('/v1/billing/subscription', {
    isEnabled: may('billing.subscription.read') && resources.some(({ module }) => module === 'billing'),
  })
  const notices: Notice[] = (problems?.data ?? []).map(({ module, problem }) => ({
    id: 'problem',
    tone: 'danger',
    values: { module, problem },
  }))
  const seconds = queue?.oldestSeconds ?? 0
  if (seconds > SLOW_QUEUE_SECONDS)
    notices.push({ id: 'queueOld', tone: 'warning', values: { seconds: String(Math.round(seconds)) } })
  if (plan?.state === 'past_due') notices.push({ id: 'pastDue', tone: 'danger', values: {} })
  if (plan?.cancelAtPeriodEnd && plan.currentPeriodEnd)
    notices.push({ id: 'cancelled', tone: 'warning', values: { date: formatDay(plan.currentPeriodEnd) } })
  const trial = plan?.trialEndsAt
  if (trial && new Date(trial).getTime() - Date.now() < TRIAL_NOTICE_DAYS * DAY && plan.state === 'trialing')
    notices.push({ id: 'trial', tone: 'warning', values: { date: formatDay(trial) } })
  return { notices, isPending: isQueueLoading || isPlanLoading }
}
