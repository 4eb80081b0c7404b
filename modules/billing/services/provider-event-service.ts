/** Receives events of the payment provider and processes each once, in the order in which they occurred. */
import { DAY, type Deps, type InboxEvent } from '@larder-dev/larder/kernel'
import type { StoredInboxEvent } from '@larder-dev/larder/kernel/internal'
import type { ProviderEvent } from '../domain/provider-event.ts'
import type { BillingSettings } from '../options.ts'
import { stateProblems } from '../problems.ts'
import type { ProviderResult } from './providers/provider.ts'
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
  applyResult(tenantId: string, result: ProviderResult): Promise<void>
}

type EventDeps = Deps<'database' | 'systemDatabase' | 'jobs' | 'providerInbox'> & {
  readonly billingSettings: BillingSettings
  readonly subscriptions: SubscriptionService
}

export function createProviderEventService(deps: EventDeps): ProviderEventService {
  const { database, systemDatabase, jobs, providerInbox, billingSettings, subscriptions } = deps
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

  const inbox = providerInbox.create<EventData>({
    name: 'billing',
    retryWindowMs: RETRY_WINDOW_MS,
    retentionMs: RETENTION_MS,
    wakeWorker: () => jobs.enqueue('billing.process_webhooks', {}, { key: 'webhooks' }),
    findTenant,
    process: (unit, tenantId, { id, occurredAt, data }) =>
      subscriptions.applyEvent(unit, tenantId, { ...data, id, at: occurredAt.getTime() }),
  })

  return {
    receive: events => inbox.receive(provider, events.map(toInboxEvent)),
    processDue: inbox.processDue,
    sweep: inbox.sweep,
    async applyResult(tenantId, { events, authoritative }) {
      await database.tenant(tenantId).transaction(async unit => {
        for (const event of events) {
          const outcome = await subscriptions.applyEvent(unit, tenantId, event, authoritative)
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
