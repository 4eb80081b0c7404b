/** Receives events of the payment provider and processes each once, in the order in which they occurred. */
import { DAY, type Deps, type InboxEvent, type Unit } from '@larder-dev/larder/kernel'
import type { StoredInboxEvent } from '@larder-dev/larder/kernel/internal'
import type { ProviderEvent } from '../domain/provider-event.ts'
import { type Subject, workspaceOf } from '../domain/subject.ts'
import type { BillingSettings } from '../options.ts'
import { stateProblems } from '../problems.ts'
import type { ProviderResult } from './providers/provider.ts'
import type { Subjects } from './subjects.ts'
import type { SubscriptionService } from './subscription-service.ts'

/** Events arrive out of order, but not by more than this. */
const RETRY_WINDOW_MS = 3 * DAY
const RETENTION_MS = 90 * DAY

type EventData = Omit<ProviderEvent, 'id' | 'at'>

export interface ProviderEventService {
  /** Stores events and wakes the worker. Returns the number of new events. */
  receive(events: readonly ProviderEvent[]): Promise<number>
  /** Processes every event that is due. */
  processDue(): Promise<void>
  /** Deletes old events. */
  sweep(): Promise<void>
  /**
   * Applies the result of a call to the provider. Throws `invalid_state` if the subscription has changed meanwhile and
   * no longer allows it.
   */
  applyResult(subject: Subject, result: ProviderResult): Promise<void>
}

type EventDeps = Deps<'database' | 'systemDatabase' | 'jobs' | 'providerInbox'> & {
  readonly billingSettings: BillingSettings
  readonly subjects: Subjects
  readonly subscriptions: SubscriptionService
}

export function createProviderEventService(deps: EventDeps): ProviderEventService {
  const { database, systemDatabase, jobs, providerInbox, billingSettings, subjects, subscriptions } = deps
  const { provider } = billingSettings

  async function findTenant({ data }: StoredInboxEvent<EventData>): Promise<string | undefined> {
    const { tenantId, customer, subscription } = data
    const { rows } = await systemDatabase
      .acrossTenants('the subscription that a payment event names is found in any tenant')
      .query<{ tenantId: string }>(
        `select tenant_id as "tenantId" from billing_subscriptions
         where tenant_id = $1 or provider_subscription = $2 or provider_customer = $3
         order by (tenant_id = $1) desc nulls last, (provider_subscription = $2) desc nulls last limit 1`,
        [tenantId, subscription, customer],
      )
    return rows[0]?.tenantId
  }

  /** The customer of a product of people whom the event names, or whose subscription it is. */
  async function findSubject(unit: Unit, tenantId: string, data: EventData): Promise<Subject> {
    const { memberId = null, customer, subscription } = data
    if (!subjects.arePeople) return workspaceOf(tenantId)
    if (memberId) return { tenantId, memberId }
    const { rows } = await unit.query<Subject>(
      `select tenant_id as "tenantId", member_id as "memberId" from billing_subscriptions
       where tenant_id = $1 and (provider_subscription = $2 or provider_customer = $3)
       order by (provider_subscription = $2) desc nulls last limit 1`,
      [tenantId, subscription, customer],
    )
    return rows[0] ?? workspaceOf(tenantId)
  }

  const inbox = providerInbox.create<EventData>({
    name: 'billing',
    retryWindowMs: RETRY_WINDOW_MS,
    retentionMs: RETENTION_MS,
    wakeWorker: () => jobs.enqueue('billing.process_webhooks', {}, { key: 'webhooks' }),
    findTenant,
    async process(unit, tenantId, { id, occurredAt, data }) {
      const subject = await findSubject(unit, tenantId, data)
      return subscriptions.applyEvent(unit, subject, { ...data, id, at: occurredAt.getTime() })
    },
  })

  return {
    receive: events => inbox.receive(provider, events.map(toInboxEvent)),
    processDue: inbox.processDue,
    sweep: inbox.sweep,
    async applyResult(subject, { events, authoritative }) {
      await database.tenant(subject.tenantId).transaction(async unit => {
        for (const event of events) {
          const outcome = await subscriptions.applyEvent(unit, subject, event, authoritative)
          if (outcome !== 'done') throw stateProblems.changed()
          if (authoritative) await inbox.recordProcessed(provider, toInboxEvent(event))
        }
      })
    },
  }
}

function toInboxEvent({ id, at, ...data }: ProviderEvent): InboxEvent<EventData> {
  const ids = [data.tenantId, data.customer, data.subscription]
  return { id, occurredAt: new Date(at), data, keys: ids.filter(key => key !== null) }
}
